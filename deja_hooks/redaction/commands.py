"""Passwords in command lines: options of a single letter, arguments without a name, what is piped to a login.

The options are those of the programs' own manuals; an option with a long name (`--password x`) is found by its name.
"""

__all__ = ["IN_COMMANDS", "IN_WINDOWS", "PIPED_USERS", "ContextRule"]

#: A substring to look for first (in lower case), the kind, and the pattern, whose group `s` is the secret.
ContextRule = tuple[str, str, str]

#: The argument of an option, quoted or bare.
_ARGUMENT = r"(?P<s>'[^'\r\n]{1,200}'|\"[^\"\r\n]{1,200}\"|[^\s'\"$<;|&-][^\s'\"$<;|&]{0,200})"
#: What stands between a program and the option: the rest of this command alone.
_REST = r"[^\r\n|;&]{0,300}?[ ]"
#: `-p 27017:27017` publishes a port where the word is a container's name.
_NO_PORT = r"(?![\d.:]{1,60}(?:\s|\Z))"

_ECHO = r"\b(?:echo|printf)[ ]{1,4}(?:-\w{1,4}[ ]{1,4})?"
_TO = r"[ ]{0,4}\|[ ]{0,4}"
#: What a shell writes to a program that reads a password from its input.
_PIPED: tuple[ContextRule, ...] = (
    ("password-stdin", "password", _ECHO + _ARGUMENT + _TO + r"[^\r\n|]{0,300}?--password-stdin"),
    ("--with-token", "token", _ECHO + _ARGUMENT + _TO + r"[^\r\n|]{0,300}?--with-token"),
    ("sudo -", "password", _ECHO + _ARGUMENT + _TO + r"sudo[ ](?:-\w{1,8}[ ]){0,3}-\w{0,4}S\b"),
)
#: The same for a program that reads users with their passwords.
PIPED_USERS: tuple[ContextRule, ...] = (
    ("chpasswd", "password", _ECHO + r"['\"]?[^\s:'\"$|]{1,60}:(?P<s>[^\s'\"$|<][^\s'\"|]{0,200})['\"]?" + _TO
     + r"(?:sudo[ ])?(?:\S{0,40}/)?chpasswd"),
)  # fmt: skip

IN_COMMANDS: tuple[ContextRule, ...] = (
    *_PIPED,
    ("mysql", "password", r"\bmysql[\w-]{0,12}\b[^\r\n]{0,300}?[ ]-p" + _ARGUMENT),
    ("mariadb", "password", r"\bmariadb[\w-]{0,12}\b[^\r\n]{0,300}?[ ]-p" + _ARGUMENT),
    ("sshpass", "password", r"\bsshpass[ ]{1,4}-p[ ]{0,4}" + _ARGUMENT),
    (
        "login",
        "password",
        r"\b(?:docker|podman|helm|az|oc|crane|skopeo)[ ][^\r\n]{0,40}?\blogin\b"
        r"[^\r\n]{0,300}?[ ]-p[ ]{0,4}" + _ARGUMENT,
    ),
    ("redis-cli", "password", r"\bredis-cli\b[^\r\n]{0,300}?[ ]-a[ ]{1,4}" + _ARGUMENT),
    (
        "curl",
        "password",
        r"\bcurl\b[^\r\n]{0,300}?[ ](?:-\w{0,5}u|--user|-U|--proxy-user)[ =]{0,4}"
        r"['\"]?[^\s:/'\"$<]{1,200}:(?P<s>[^\s'\"$<]{1,300})",
    ),
    (
        "mongo",
        "password",
        r"\bmongo(?:sh|dump|restore|export|import|stat|top)?[ ]" + r"(?:[^\r\n|;&]{0,300}?[ ])?"
        + r"-p[ ]{1,4}" + _NO_PORT + _ARGUMENT,
    ),
    ("sqlcmd", "password", r"\bsqlcmd\b" + _REST + r"-P[ ]{0,4}" + _ARGUMENT),
    ("ldap", "password", r"\bldap(?:search|add|modify|delete|whoami|passwd|compare|modrdn)\b" + _REST
     + r"-w[ ]{0,4}" + _ARGUMENT),
    ("smbclient", "password", r"\bsmbclient\b" + _REST + r"-U[ ]{0,4}['\"]?[^\s%'\"]{1,100}%(?P<s>[^\s'\"$<]{1,200})"),
    ("zip ", "password", r"\b(?:un)?zip\b" + _REST + r"-P[ ]{1,4}" + _ARGUMENT),
    ("7z ", "password", r"\b7z[ ]{1,4}[a-z]\b" + _REST + r"-p" + _ARGUMENT),
    (
        "htpasswd",
        "password",
        r"\bhtpasswd[ ]{1,4}(?=[^\r\n|;&]{0,60}?-\w{0,6}b)(?:[^\s|;&>]{1,200}[ ]{1,4}){2,8}" + _ARGUMENT
        + r"(?=[ \t]{0,8}(?:\Z|[\r\n|;&>]))",
    ),
    ("pass:", "password", r"[ ]-(?:pass|passin|passout|k)[ ]{1,4}['\"]?pass:(?P<s>[^\s'\"$<]{1,200})"),
    ("openssl", "password", r"\bopenssl\b" + _REST + r"-[kK][ ]{1,4}" + _ARGUMENT),
    ("secret set", "secret", r"\bsecret set\b" + _REST + r"(?:--body|-b)(?:[ ]{1,4}|=)" + _ARGUMENT),
)  # fmt: skip

IN_WINDOWS: tuple[ContextRule, ...] = (
    ("net use ", "password", r"(?i:\bnet[ ]use[ ][^\r\n|;&]{0,200}?/user:)\S{1,100}[ ]{1,4}(?!/)" + _ARGUMENT),
    ("net use ", "password", r"(?i:\bnet[ ]use[ ](?:\w:[ ]|\*[ ])?)\\\\[^\s\"']{1,200}[ ]{1,4}(?![/*])" + _ARGUMENT),
)

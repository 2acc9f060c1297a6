"""Texts with secrets, and what is left of them.

Secrets are put together at run time, so that no scanner of repositories takes this file for a leak.
"""

ALNUM = "a8Kz3Qm7Xw2Lp9Rt4Vb6Ny1Hc5Jd0Fg"
HEX = "3f9a1c7e5b2d8064"


def mixed(size: int) -> str:
    return (ALNUM * 9)[:size]


def hexa(size: int) -> str:
    return (HEX * 9)[:size]


def join(*parts: str) -> str:
    return "".join(parts)


JWT = join("ey", "JhbGciOiJIUzI1NiJ9", ".", "ey", "JzdWIiOiIxMjM0In0", ".", mixed(43))
PEM = join("-----BEGIN RSA ", "PRIVATE KEY-----\n", mixed(64), "\n", mixed(40), "==\n-----END RSA ", "PRIVATE KEY-----")
OPEN_PEM = join("-----BEGIN ", "PRIVATE KEY-----\n", mixed(64), "\n", mixed(64))

#: (id, text, the whole expected output)
SECRETS = [
    # -- keys known by their form
    ("aws id", f"use {join('AKI', 'A', 'IOSFODNN7', 'EXAMPLE')} for S3", "use [redacted:aws-key] for S3"),
    ("aws session id", f"id {join('ASI', 'A', 'IOSFODNN7', 'EXAMPLE')}.", "id [redacted:aws-key]."),
    ("github classic", f"push with {join('gh', 'p_', mixed(36))} now", "push with [redacted:github-token] now"),
    ("github oauth", f"{join('gh', 'o_', mixed(36))}", "[redacted:github-token]"),
    ("github user", f"'{join('gh', 'u_', mixed(36))}'", "'[redacted:github-token]'"),
    ("github server", f"({join('gh', 's_', mixed(36))})", "([redacted:github-token])"),
    ("github refresh", f"{join('gh', 'r_', mixed(36))},", "[redacted:github-token],"),
    ("github fine", f"a {join('github', '_pat_', mixed(22), '_', mixed(59))} b", "a [redacted:github-token] b"),
    ("gitlab", f"clone with {join('gl', 'pat-', mixed(20))}", "clone with [redacted:gitlab-token]"),
    ("slack bot", f"bot {join('xox', 'b-123456789012-', mixed(24))} posts", "bot [redacted:slack-token] posts"),
    ("slack user", f"{join('xox', 'p-1234567890-', mixed(24))}", "[redacted:slack-token]"),
    ("slack app", f"{join('xap', 'p-1-A0', mixed(30))}", "[redacted:slack-token]"),
    ("stripe live", f"charge via {join('sk', '_live_', mixed(24))}", "charge via [redacted:stripe-key]"),
    ("stripe restricted", f"{join('rk', '_live_', mixed(24))} ok", "[redacted:stripe-key] ok"),
    ("stripe test", f"{join('sk', '_test_', mixed(24))} ok", "[redacted:stripe-key] ok"),
    ("stripe webhook", f"{join('whs', 'ec_', mixed(32))} ok", "[redacted:stripe-key] ok"),
    ("openai", f"tried {join('s', 'k-', mixed(48))} first", "tried [redacted:api-key] first"),
    ("openai project", f"tried {join('s', 'k-proj-', mixed(60))} first", "tried [redacted:api-key] first"),
    ("anthropic", f"tried {join('s', 'k-ant-api03-', mixed(60))} first", "tried [redacted:api-key] first"),
    ("google", f"maps {join('AI', 'za', mixed(35))} works", "maps [redacted:google-key] works"),
    ("google oauth", f"{join('GOC', 'SPX-', mixed(28))} x", "[redacted:google-key] x"),
    ("google access", f"{join('ya', '29.', mixed(60))} x", "[redacted:google-token] x"),
    ("npm", f"publish with {join('np', 'm_', mixed(36))}", "publish with [redacted:npm-token]"),
    ("pypi", f"upload with {join('py', 'pi-', mixed(80))}", "upload with [redacted:pypi-token]"),
    ("sendgrid", f"mail {join('S', 'G.', mixed(22), '.', mixed(43))} out", "mail [redacted:sendgrid-key] out"),
    ("digitalocean", f"{join('do', 'p_v1_', hexa(64))} x", "[redacted:digitalocean-token] x"),
    ("hugging face", f"{join('h', 'f_', mixed(34))} x", "[redacted:huggingface-token] x"),
    ("databricks", f"{join('da', 'pi', hexa(32))} x", "[redacted:databricks-token] x"),
    ("vault", f"{join('hv', 's.', mixed(40))} x", "[redacted:vault-token] x"),
    ("linear", f"{join('lin', '_api_', mixed(40))} x", "[redacted:linear-key] x"),
    ("shopify", f"{join('shp', 'at_', hexa(32))} x", "[redacted:shopify-token] x"),
    ("doppler", f"{join('d', 'p.pt.', mixed(43))} x", "[redacted:doppler-token] x"),
    ("heroku", f"{join('HR', 'KU-', mixed(36))} x", "[redacted:heroku-key] x"),
    ("age", f"{join('AGE-', 'SECRET-', 'KEY-1', mixed(58).upper())} x", "[redacted:age-key] x"),
    ("groq", f"{join('gs', 'k_', mixed(52))} x", "[redacted:groq-key] x"),
    ("grafana", f"{join('gl', 'sa_', mixed(32), '_', hexa(8))} x", "[redacted:grafana-token] x"),
    ("docker hub", f"{join('dckr', '_pat_', mixed(27))} x", "[redacted:docker-token] x"),
    ("tailscale", f"{join('ts', 'key-auth-', mixed(30))} x", "[redacted:tailscale-key] x"),
    ("telegram", f"bot {join('123456789', ':AA', mixed(33))} up", "bot [redacted:telegram-token] up"),
    (
        "discord",
        f"discord bot {join('M', mixed(23), '.', mixed(6), '.', mixed(27))} up",
        "discord bot [redacted:discord-token] up",
    ),
    ("mailgun", f"{join('ke', 'y-', hexa(32))} x", "[redacted:mailgun-key] x"),
    ("twilio", f"TWILIO_AUTH_TOKEN={hexa(32)}", "TWILIO_AUTH_TOKEN=[redacted:token]"),
    ("jwt", f"decoded {JWT} by hand", "decoded [redacted:jwt] by hand"),
    # -- private keys
    ("pem", f"key:\n{PEM}\ndone", "key:\n[redacted:private-key]\ndone"),
    ("pem cut off", f"key:\n{OPEN_PEM}", "key:\n[redacted:private-key]"),
    ("pem in json", f'"pem": "{PEM}"'.replace("\n", "\\n") + ", 1", '"pem": "[redacted:private-key]", 1'),
    ("pem in json cut off", f'"pem": "{OPEN_PEM}"'.replace("\n", "\\n") + ", 1", '"pem": "[redacted:private-key]", 1'),
    # -- URLs
    ("postgres url", "postgres://app:s3cr/t@db.local:5432/x".replace("/t",
     "%2Ft"), "postgres://app:[redacted:password]@db.local:5432/x"),
    ("https url", "git clone https://bob:hunter2@example.com/r.git",
     "git clone https://bob:[redacted:password]@example.com/r.git"),
    ("redis url", "redis://:hunter2@cache:6379/0", "redis://:[redacted:password]@cache:6379/0"),
    ("mongo url", "uri mongodb+srv://u:p%40ss@c.x.net/?w=1 ok",
     "uri mongodb+srv://u:[redacted:password]@c.x.net/?w=1 ok"),
    ("at in password", "amqp://u:a@b@host/", "amqp://u:[redacted:password]@host/"),
    ("query token", "GET /v1?access_token=abc123def&page=2 ok", "GET /v1?access_token=[redacted:token]&page=2 ok"),
    # -- headers
    ("bearer header", "Authorization: Bearer abc.def-123456", "Authorization: Bearer [redacted:auth]"),
    ("basic header", "Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted:auth]"),
    ("token header", "-H 'Authorization: token abc123def456'", "-H 'Authorization: token [redacted:auth]'"),
    ("json header", '{"Authorization": "Bearer abc123def456"}', '{"Authorization": "Bearer [redacted:auth]"}'),
    ("bearer alone", "sent bearer abc123def456ghi789 again", "sent bearer [redacted:token] again"),
    ("api key header", 'curl -H "X-Api-Key: abc123def" https://x.io',
     'curl -H "X-Api-Key: [redacted:key]" https://x.io'),
    ("private token", "PRIVATE-TOKEN: abc123def", "PRIVATE-TOKEN: [redacted:token]"),
    ("cookie", "Cookie: sid=abc123; theme=dark\nHost: x", "Cookie: [redacted:cookie]\nHost: x"),
    ("set cookie", "Set-Cookie: sid=abc123; Path=/", "Set-Cookie: [redacted:cookie]"),
    # -- assignments
    ("env", "DB_PASSWORD=hunter2", "DB_PASSWORD=[redacted:password]"),
    ("env word", "DB_PASSWORD=hunter", "DB_PASSWORD=[redacted:password]"),
    ("env symbols", "DB_PASSWORD=p@ss,w(rd;1 next", "DB_PASSWORD=[redacted:password] next"),
    ("export quoted", "export API_KEY='abc def' && run", "export API_KEY='[redacted:key]' && run"),
    ("export double", 'export SECRET="a \\"b\\" c" && run', 'export SECRET="[redacted:secret]" && run'),
    ("shell joined", "PASSWORD='it'\\''s' run", "PASSWORD='[redacted:password]' run"),
    ("shell glued", 'PASSWORD=ab"c d"e run', "PASSWORD=[redacted:password] run"),
    ("aws secret", f"AWS_SECRET_ACCESS_KEY={mixed(38)}/+", "AWS_SECRET_ACCESS_KEY=[redacted:key]"),
    ("dockerfile", "ENV TOKEN=abcdef", "ENV TOKEN=[redacted:token]"),
    ("powershell", '$env:GITHUB_TOKEN = "abc123def"', '$env:GITHUB_TOKEN = "[redacted:token]"'),
    ("npmrc", f"//r.x.org/:_authToken={mixed(20)}", "//r.x.org/:_authToken=[redacted:token]"),
    ("ini", "password = hunter2", "password = [redacted:password]"),
    ("ini word", "password = hunter", "password = [redacted:password]"),
    ("properties", "spring.datasource.password=hunter", "spring.datasource.password=[redacted:password]"),
    ("yaml", "password: hunter2", "password: [redacted:password]"),
    ("yaml word", "  password: hunter\n  user: x", "  password: [redacted:password]\n  user: x"),
    ("yaml block", "secret: |\n  line one\n  line two\nuser: x", "secret: |\n  [redacted:secret]\nuser: x"),
    ("kubernetes env", "- name: DB_PASSWORD\n  value: hunter2\n",
     "- name: DB_PASSWORD\n  value: [redacted:password]\n"),
    ("json", '{"password": "a b \\" c", "user": "x"}', '{"password": "[redacted:password]", "user": "x"}'),
    ("json in json", '"{\\"apiKey\\": \\"abc def\\", \\"n\\": 1}"',
     '"{\\"apiKey\\": \\"[redacted:key]\\", \\"n\\": 1}"'),
    ("json key", '"client_secret":"abc"', '"client_secret":"[redacted:secret]"'),
    ("docker auth", '"auth": "dXNlcjpwYXNzd29yZA=="', '"auth": "[redacted:auth]"'),
    ("xml", "<password>hunter2</password>", "<password>[redacted:password]</password>"),
    ("xml attribute", '<add key="Password" value="hunter2"/>', '<add key="Password" value="[redacted:password]"/>'),
    ("python", 'password = "hunter2"  # dev', 'password = "[redacted:password]"  # dev'),
    ("python typed", 'password: str = "hunter2"', 'password: str = "[redacted:password]"'),
    ("python added", 'api_key = "abcd" + "efgh"', 'api_key = "[redacted:key]"'),
    ("python environ", 'os.environ["API_TOKEN"] = "abcdef"', 'os.environ["API_TOKEN"] = "[redacted:token]"'),
    ("python kwarg", 'connect(user="x", password="hunter2")', 'connect(user="x", password="[redacted:password]")'),
    ("python bytes", 'SECRET_KEY = b"a1b2"', 'SECRET_KEY = b"[redacted:key]"'),
    ("go", 'password := "hunter2"', 'password := "[redacted:password]"'),
    ("rust", 'let token: &str = "abcdef";', 'let token: &str = "[redacted:token]";'),
    ("php", "'password' => 'hunter2',", "'password' => '[redacted:password]',"),
    ("js", "const apiKey = `abc123`;", "const apiKey = `[redacted:key]`;"),
    ("requests auth", 'get(u, auth=("bob", "hunter2"))', 'get(u, auth=("bob", "[redacted:password]"))'),
    ("unterminated", 'password: "hunter two\nnext', 'password: "[redacted:password]\nnext'),
    # -- other languages
    ("german", "Passwort: hunter2", "Passwort: [redacted:password]"),
    ("german word", "Das Kennwort lautet hunter2.", "Das Kennwort lautet [redacted:password]."),
    ("french", "le mot de passe est hunter2", "le mot de passe est [redacted:password]"),
    ("french colon", "mot de passe : hunter2", "mot de passe : [redacted:password]"),
    ("spanish", "contraseña: hunter2", "contraseña: [redacted:password]"),
    ("spanish plain", "la contrasena es: hunter2", "la contrasena es: [redacted:password]"),
    ("portuguese", "senha=hunter2", "senha=[redacted:password]"),
    ("chinese", "密码: hunter2", "密码: [redacted:password]"),
    # -- options and commands
    ("flag", "app --password hunter2 --user x", "app --password [redacted:password] --user x"),
    ("flag equals", "app --token=abcdef -v", "app --token=[redacted:token] -v"),
    ("flag quoted", "app --api-key 'abc def' -v", "app --api-key '[redacted:key]' -v"),
    ("mysql", "mysql -u root -phunter2 shop", "mysql -u root -p[redacted:password] shop"),
    ("mysql quoted", "mysqldump -u root -p'a b' shop", "mysqldump -u root -p[redacted:password] shop"),
    ("curl user", "curl -s -u bob:hunter2 https://x.io", "curl -s -u bob:[redacted:password] https://x.io"),
    ("curl quoted", 'curl --user "bob:hunter2" https://x.io', 'curl --user "bob:[redacted:password]" https://x.io'),
    ("docker login", "docker login -u bob -p hunter2 r.io", "docker login -u bob -p [redacted:password] r.io"),
    ("sshpass", "sshpass -p hunter2 ssh h", "sshpass -p [redacted:password] ssh h"),
    ("redis", "redis-cli -h x -a hunter2 ping", "redis-cli -h x -a [redacted:password] ping"),
    ("openssl", "openssl rsa -passin pass:hunter2 -in k", "openssl rsa -passin pass:[redacted:password] -in k"),
    ("netrc", "machine x login bob password hunter2", "machine x login bob password [redacted:password]"),
    ("form data", "curl -d 'user=x&password=abc' h", "curl -d 'user=x&password=[redacted:password]' h"),
    # -- connection strings
    (
        "sql server",
        "Server=db;User Id=sa;Password=hunter2;Encrypt=true",
        "Server=db;User Id=sa;Password=[redacted:password];Encrypt=true",
    ),
    ("pwd", '"Server=db;Uid=sa;Pwd=hunter2;"', '"Server=db;Uid=sa;Pwd=[redacted:password];"'),
    (
        "azure storage",
        f"AccountName=x;AccountKey={mixed(40)}==;EndpointSuffix=y",
        "AccountName=x;AccountKey=[redacted:key];EndpointSuffix=y",
    ),
    ("service bus", f"SharedAccessKey={mixed(42)}=", "SharedAccessKey=[redacted:key]"),
    ("azure sas", f"https://x.net/c?sv=1&sig={mixed(40)}%3D&se=2",
     "https://x.net/c?sv=1&sig=[redacted:signature]&se=2"),
    ("postgres sql", "CREATE USER x WITH PASSWORD 'hunter2';", "CREATE USER x WITH PASSWORD '[redacted:password]';"),
    ("mysql sql", "IDENTIFIED BY 'hunter2';", "IDENTIFIED BY '[redacted:password]';"),
    # -- prose
    ("prose", "the password is hunter2, I think", "the password is [redacted:password], I think"),
    ("prose quoted", 'the password is "correct horse"', 'the password is "[redacted:password]"'),
    ("prose ticks", "the API token is `abc def`", "the API token is `[redacted:token]`"),
    ("prose for", "password for admin is hunter2.", "password for admin is [redacted:password]."),
    ("prose with", "log in with password hunter2 please", "log in with password [redacted:password] please"),
    ("prose changed", "changed the password to hunter2", "changed the password to [redacted:password]"),
    ("prose api key is", "my api key is abcd1234efgh", "my api key is [redacted:key]"),
    ("connection blanks", "Password=My Pass;Database=x", "Password=[redacted:password];Database=x"),
    ("env word and more", "password=correct horse", "password=[redacted:password] horse"),
    ("libpq", 'psql "host=h password=abc user=x"', 'psql "host=h password=[redacted:password] user=x"'),
    ("short name", "user=admin pass=hunter2", "user=admin pass=[redacted:password]"),
    ("short key", '"private_key": "abc"', '"private_key": "[redacted:key]"'),
    ("env file", "api_key=abcdef", "api_key=[redacted:key]"),
    ("shell default", "password: ${X:-hunter2}", "password: [redacted:password]"),
    (
        "slack webhook",
        f"post to https://hooks.slack.com/services/{join('T00', '/B00/', mixed(24))} ok",
        "post to https://hooks.slack.com/services/[redacted:slack-webhook] ok",
    ),
    (
        "discord webhook",
        f"post to https://discord.com/api/webhooks/123/{mixed(60)} ok",
        "post to https://discord.com/api/webhooks/123/[redacted:discord-webhook] ok",
    ),
    ("prose api key", "API key: abc123def", "API key: [redacted:key]"),
]  # fmt: skip

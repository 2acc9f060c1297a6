"""What is removed, what is left, and how fast.

Secrets are put together at run time, so that no scanner of repositories takes this file for a leak.
"""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.memory.redact import redact, redact_counted

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

ORDINARY = """\
token = get_token()
token = await self.get_token(user)
token: str
token: str,
token: Optional[str] = None
password: str
password: SecretStr
password: string;
password?: string | null;
def login(user: str, password: str) -> Token:
def check_password(password, hashed):
if token == expected:
if password == other_password:
if token != self.token:
while token := next_token():
return password
self.password = password
self.token = token
this.token = token;
this.secret = options.secret;
password = None
password = ""
password = ''
token = null;
secret = undefined
let token = parser.next();
const token = useToken();
const { token, password } = req.body;
const password = req.body.password;
const secret = process.env.JWT_SECRET;
const apiKey = process.env.API_KEY || "";
api_key = os.environ["API_KEY"]
api_key = os.environ.get("API_KEY")
api_key = os.getenv("API_KEY")
token = os.environ["TOKEN"]
token=token,
connect(user=user, password=password)
connect(user=user, password=settings.password, host=host)
client = Client(token=token, secret=config.secret)
client = Client(api_key=api_key)
f(password=password)
tokens = 12
max_tokens=4096
max_tokens: 4096
"max_tokens": 4096,
completion_tokens: 17
total_tokens = prompt_tokens + completion_tokens
num_tokens = len(tokenizer.encode(text))
tokenizer="cl100k_base"
tokenizer = AutoTokenizer.from_pretrained(name)
eos_token = "</s>"
pad_token="[PAD]"
next_token = "abc"
page_token: "CAUQAA"
token_type = "Bearer"
token_url: https://example.com/oauth/token
token_endpoint = "https://example.com/token"
auth_url = "https://example.com/auth"
auth: true
auth: required
auth = Auth(app)
auth: basic
author: Jane Doe
authors = ["a", "b"]
authority = "https://login.example.com"
author = "Jane Doe 2"
authentication: enabled
import secrets
from app.auth import token, password
secretName: my-secret-ref
secret_name = "db-credentials"
secretKeyRef:
secret_id: my-secret
passwordField = "password"
password_field: Input
password_min_length = 12
password_reset_url: /reset
passwordPlaceholder: "Enter it"
password_hash_algorithm = "bcrypt"
password = ${DB_PASSWORD}
password=${DB_PASSWORD}
DB_PASSWORD=$DB_PASSWORD
DB_PASSWORD=${DB_PASSWORD:-}
PASSWORD=$(cat /run/secrets/db)
export TOKEN=$TOKEN
export TOKEN="$TOKEN"
export TOKEN="${TOKEN}"
TOKEN=<your token>
token: <your token>
token: "<token>"
api_key: "your-api-key"
API_KEY=your_api_key_here
password: ****
password: "********"
password=xxxxx
password: {{ vault_password }}
password: "{{ .Values.password }}"
token: ${{ secrets.GITHUB_TOKEN }}
GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
password=%s
"password": "%(password)s"
Authorization: Bearer $TOKEN
Authorization: Bearer ${TOKEN}
Authorization: Bearer <token>
headers = {"Authorization": f"Bearer {token}"}
headers["Authorization"] = "Bearer " + token
headers: { Authorization: `Bearer ${token}` },
"Authorization": "Bearer %s"
the bearer of this message
basic authentication is used
basic usage: run it
the password is required
the password is hashed with bcrypt
the password is base64-encoded
the password is too short
the token is expired
the token is invalid or missing
tokens are refreshed every 5 minutes
the secret is stored in the vault
a password is at least 8 characters
token is a string
Password: must be set
your password will be reset
forgot your password?
enter your password:
the key is to be patient
key: value
key = "name"
primary_key=True
foreign_key: "users.id"
public_key = load("key.pub")
sort_key = lambda x: x.name
cache_key = f"{user}:{page}"
keyboard = "qwerty1"
monkey = "patch123"
for key, value in items.items():
dict(key=value)
map[key] = value
pass
passed = 12
PASS: test_login
tests: 12 passed, 0 failed
compass: "north1"
bypass = true
passenger: "Bob 7"
pwd
cd "$(pwd)"
PWD=/home/user/project
OLDPWD=/tmp
echo $PWD
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
123e4567-e89b-12d3-a456-426614174000
"integrity": "sha512-Ab3Cd4Ef5Gh6Ij7Kl8Mn9Op0Qr1St2Uv3Wx4Yz5Ab6Cd7Ef8Gh9Ij0Kl1Mn2Op3Qr4St5Uv6Wx7Yz8=="
"resolved": "https://registry.example.org/is-odd/-/is-odd-3.0.1.tgz"
src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
https://example.com/path?x=1&y=2
http://localhost:8080/users/@me
see https://example.com:8443/a@b
git@github.com:owner/repo.git
ssh://git@github.com/owner/repo.git
https://user@example.com/repo
postgres://user:${DB_PASSWORD}@db/app
postgres://user:<password>@db/app
mail bob@example.com: please
sk-learn and sk-image are names
disk-usage-of-the-whole-filesystem is high
task-runner-for-the-whole-monorepo
risk-assessment-and-mitigation-plan-2024
the npm_config_registry variable
hf_hub_download(repo_id="x")
xoxo
mysql -u root -p shop
mysql -h db -P 3306 shop
curl -u "$USER:$PASS" https://x.io
curl https://x.io -o out.txt
docker run -p 8080:80 nginx
docker login -u bob --password-stdin
app --password "$PASSWORD"
app --token $TOKEN
app --password-file /run/secrets/db
app --token-file=x
--auth basic
case "password":
<input type="password" name="password">
<label for="password">Password</label>
type Token struct {
token Token
func (t *Token) String() string {
fn token(&self) -> Token {
pub struct Secret<T>(T);
private String password;
private final String token;
public string Password { get; set; }
Token token = lexer.nextToken();
match token { Token::Word(w) => w }
token => token.value
tokens.push(token)
token.type === "name"
expect(token).toBe(expected)
assert token.kind == "word"
@pytest.mark.parametrize("password", VALUES)
password = getpass.getpass("Password: ")
password = input("Password: ")
password = hash_password(plain)
password = user.password
secret = secrets.token_hex(32)
credentials = load_credentials()
credentials: include
credentials: Credentials,
credential_type = "user"
SELECT password FROM users WHERE token = ?
password VARCHAR(255) NOT NULL,
password text NOT NULL
ALTER TABLE users ADD COLUMN password_hash text;
$password = $_POST['password'];
$token = $this->getToken();
params[:password]
user.password_confirmation
validates :password, length: { minimum: 8 }
has_secure_password
cookie: the small one
set the cookie: name and value
document.cookie
-----BEGIN CERTIFICATE-----
BEGIN PRIVATE
cookies = response.cookies
password=password
secret_key_base
std::string token;
auto token = lexer->next();
char *password;
or pass 'ignore' to ignore
pass=12 fail=3
f(user=u, password=value)
call(secret=plain, pass=ok)
username, password = split
Token: "#d0d0d0",
credentials: "include",
"OLDPWD": "/home/user/project",
`{pem: <string>[, passphrase: <string>]}`
no login and password for other URLs
SERVER_AUTH = "1.3.6.1.5.5.7.3.1"
def connect(address, authkey=None):
raise SyntaxError("Invalid token: %r" % value)
what a selection of Basic Multilingual Plane
unsigned token;
""".splitlines()


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in SECRETS], ids=[case[0] for case in SECRETS])
def test_a_secret_is_replaced_and_its_surroundings_stay(text: str, expected: str) -> None:
    assert redact(text) == expected
    assert redact(expected) == expected


@pytest.mark.parametrize("line", ORDINARY)
def test_ordinary_code_and_prose_are_left_alone(line: str) -> None:
    assert redact_counted(line) == (line, 0)


def test_ordinary_lines_are_left_alone_together() -> None:
    text = "\n".join(ORDINARY)
    assert redact(text) == text


def test_secrets_are_counted() -> None:
    text = "A_TOKEN=abc123 B_SECRET=def456\nthe password is hunter2\n"
    assert redact_counted(text) == (
        "A_TOKEN=[redacted:token] B_SECRET=[redacted:secret]\nthe password is [redacted:password]\n",
        3,
    )


def test_one_secret_in_another_is_one() -> None:
    text = f"export GITHUB_TOKEN={join('gh', 'p_', mixed(36))}"
    assert redact_counted(text) == ("export GITHUB_TOKEN=[redacted:github-token]", 1)


# ---------------------------------------------------------------- properties

_PIECES = st.sampled_from(
    [
        *(text for _, text, _ in SECRETS),
        *ORDINARY,
        *"\n\t =:;&,\"'\\`(){}<>/@|$-+",
        *("://", "--", "-p", "${", '\\"', "password", "token", "secret", "api_key", "auth", "pwd", " is "),
        "[redacted:token]",
        "-----BEGIN ",
        "é",
        "\ud800",
        "密码",
    ]
)
_TEXTS = st.one_of(
    st.text(max_size=200), st.lists(_PIECES, max_size=8).map("".join), st.lists(_PIECES, max_size=6).map(" ".join)
)


@settings(max_examples=400, deadline=None)
@given(_TEXTS)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact_counted(once) == (once, 0)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="bcdfghijlmnoqruvxyzBCDFGHJLMNOQRUVXYZ0123456789 .,;!?()\n", max_size=300))
def test_text_without_any_trigger_is_returned_as_it_is(text: str) -> None:
    assert redact_counted(text) == (text, 0)


@pytest.mark.parametrize(
    "unit",
    [
        "password", "password=", "password: ", "password=\"", "password='", "password=\\\"", "token ",
        "a_token-",
        "pass", "key", "api key ", "auth=(\"", "://", "://a:b@", "://a:", "@", "cookie:a=", "bearer ", "basic ",
        "mysql -", "mysql ", "curl -u ", "curl ", "docker login ", "-----BEGIN " + "PRIVATE KEY-----",
        "-----BEGIN " + "PRIVATE KEY-----\n", "-----BEGIN ", "eyJa.", "eyJaaaaaaaaaaaaaaa", "sk-", "sk-aaaaaaaa-", "a1",
        "\\",
        "\\\"", "\"", "'", "{\"password\":\"", "password is ", "password: |\n ", "<password>", "&token=", ";pwd=",
        "login a password ", "secret\n", "\n value:", "[redacted:token]", "password=[redacted:token]", "sig=", "é",
        "xoxb-", "1:AA", "12345678:AA", "glpat-", "Password=a;", "token=a,", "password='a'+",
    ],
)  # fmt: skip
def test_the_time_does_not_grow_faster_than_the_text(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = time.process_time()
    redact(text)
    assert time.process_time() - start < 5


def test_a_megabyte_on_one_line_is_redacted() -> None:
    filler = "lorem ipsum dolor 12 sit = amet; " * 16_000
    text = f"{filler}DB_PASSWORD=hunter2 {filler}"
    assert redact_counted(text) == (f"{filler}DB_PASSWORD=[redacted:password] {filler}", 1)

"""Lines of code and prose in which no secret is, whatever their words."""

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
authkey=self._authkey, exposed=exp
password=this.password
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
"timeToFirstTokenMs": 17.123230000000003, "interTokenLatencyMs": 12345678901
cost_per_token: 0.0000015
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
user_pass = '%s:%s' % (user, password)
token_range = "%d,%d-%d,%d:" % (token.start + token.end)
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
connect(password=oauth2secret)
connect(password=user2_password)
das Passwort ist falsch
Das Passwort ist erforderlich.
Das Passwort ist abgelaufen
das Passwort ist geändert.
das Passwort ist Pflicht
Das Passwort lautet wie folgt
das Passwort ist in der Datei
la contraseña es incorrecta
la contraseña es obligatoria.
la contraseña es demasiado corta
le mot de passe est incorrect
le mot de passe est trop court
le mot de passe est requis.
a senha é inválida
passphrase: Optional passphrase for the private key
passphrase: string, optional
passphrase: minimum twelve characters
the passphrase is stored in the vault
the passphrase is generated randomly once
the passphrase is different on every machine
the phrase is what people say most often when they come home late
the seed phrase is what restores the wallet when your laptop gets lost and found
the mnemonic helps people learn where each part goes and when they need it
a mnemonic is a word
seed phrases are for wallets
Number the cards 4111 1111 1111 1112
at 1796040000000
created_at: 1796040000000000
started 1796040000000000000 ns
snowflake 1234567890123456789
0.4111111111111111
"id": "id_4111111111111111",
https://example.com/posts/4111111111111111
4111 1111 1111 1111 2222 3333
see #4111111111111111
9780306406157
2020-2021 and 2022-2023
GPIO pin = 4
pin: 13
pin=1234
PIN header 2x20
PINs: 4
spinning 2024
PIN 4821-A is the part
cache key: 9fceb02d0ae598e95dc970b74767f19372d61af8
restored from key linux-9fceb02d0ae598e95dc970b74767f19372d61af8
fixed by 9fceb02d0ae598e95dc970b74767f19372d61af8
HEAD is now at 9fceb02d0ae598e95dc970b74767f19372d61af8
define('WP_DEBUG', false);
define('DB_NAME', 'shop');
("password", "name")
key, value = "password", "token"
application_key = settings.application_key
s.convertUtf8ToLatin1String
sl.append(line)
a $1$ and $2 and $6$ more
echo "$1$2"
~/.config/app and sha256~ is new
api-gateway-service-with-a-long-name
access-control-list-of-the-whole-bucket
gla_measurement_of_the_whole_series
patience_is_a_virtue_of_the_patient
sec-websocket-protocol-header-value
pulse_width_modulation_of_the_signal
""".splitlines()

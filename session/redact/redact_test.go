package redact_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/redact"
)

// rules returns the default rules.
func rules(t testing.TB) redact.Rules {
	t.Helper()
	var r redact.Rules
	for _, p := range redact.DefaultNames {
		r.Names = append(r.Names, regexp.MustCompile(p))
	}
	for _, p := range redact.DefaultValues {
		r.Values = append(r.Values, regexp.MustCompile(p))
	}
	return r
}

// TestNames checks which names are secret, by their words, the last of which count.
func TestNames(t *testing.T) {
	const value, hidden = "'hunter2x9'", "'<redacted>'"
	for _, name := range strings.Fields(`password Password PASSWORD passwd db_password password2 userPassword passwords my_passphrase pwd
		secret client_secret clientSecret CLIENT_SECRET secrets secret_value mysecret
		token access_token accessToken authToken auth_token API_TOKEN x_token token_value __token
		api_key apikey apiKey APIKey API_KEY OPENAI_API_KEY api_keys x_api_key openaiApiKey
		private_key privateKey secret_key AWS_SECRET_ACCESS_KEY credential credentials aws_credentials auth http_auth Authorization
		password_hash passwordHash api_key_prod`) {
		if got := redact.New(rules(t)).Value(name, value); got != hidden {
			t.Errorf("%s is %s", name, got)
		}
	}
	for _, name := range strings.Fields(`tokens token_count max_tokens tokenizer author authors authority authenticated auth_url secretary
		password_field passwordless keys key public_key monkey keyboard secret_name credential_type passing compass pass_ passed password_length
		api_key_name last_login tokenize detoken authorized x`) {
		if got := redact.New(rules(t)).Value(name, value); got != value {
			t.Errorf("%s is %s", name, got)
		}
	}
}

// TestText checks that literals with a secret name are redacted, and nothing else changes.
func TestText(t *testing.T) {
	const h = "<redacted>"
	for text, want := range map[string]string{
		`password = "hunter2"`:                                   `password = "` + h + `"`,
		`self.password = 'hunter2'  # set`:                       `self.password = '` + h + `'  # set`,
		`password: str = 'hunter2'`:                              `password: str = '` + h + `'`,
		`d["password"] = 'hunter2'`:                              `d["password"] = '` + h + `'`,
		`os.environ['API_KEY'] = 'abcd'`:                         `os.environ['API_KEY'] = '` + h + `'`,
		`d = {"user": "bob", "password": "hunter2"}`:             `d = {"user": "bob", "password": "` + h + `"}`,
		`d = {PASSWORD: 'hunter2', 'x': 'y'}`:                    `d = {PASSWORD: '` + h + `', 'x': 'y'}`,
		`passwords = {'bob': 'hunter2', 'ann': 'xyz1'}`:          `passwords = {'bob': '` + h + `', 'ann': '` + h + `'}`,
		`secrets = ['abcd', ('efgh', 'x')]`:                      `secrets = ['` + h + `', ('` + h + `', 'x')]`,
		`connect(user='bob', password='hunter2')`:                `connect(user='bob', password='` + h + `')`,
		`def f(a, password='hunter2', b='cccc'): pass`:           `def f(a, password='` + h + `', b='cccc'): pass`,
		`def f(password: str = 'hunter2') -> 'Name': x = 'name'`: `def f(password: str = '` + h + `') -> 'Name': x = 'name'`,
		`user, password = 'bobby', 'hunter2'`:                    `user, password = 'bobby', '` + h + `'`,
		`password, user = 'hunter2', 'bobby'`:                    `password, user = '` + h + `', 'bobby'`,
		`a = password = b = 'hunter2'`:                           `a = password = b = '` + h + `'`,
		`if (password := 'hunter2'): x = 'other'`:                `if (password := '` + h + `'): x = 'other'`,
		`if password == 'hunter2': x = 'other'`:                  `if password == '` + h + `': x = 'other'`,
		`if password in ('hunter2', 'abcd'): x = 'y'`:            `if password in ('` + h + `', '` + h + `'): x = 'y'`,
		`if x: password = 'hunter2'`:                             `if x: password = '` + h + `'`,
		`password = 'hunter2'; x = 'other'`:                      `password = '` + h + `'; x = 'other'`,
		`secret = b'hunter2'`:                                    `secret = b'` + h + `'`,
		`secret = rb'hunt\r2'`:                                   `secret = b'` + h + `'`,
		`secret = 'hun' "ter2"`:                                  `secret = '` + h + `' ""`,
		`secret = 'hunter2' + x + 'tail'`:                        `secret = '` + h + `' + x + '` + h + `'`,
		`secret = f'hunter{x}2'`:                                 `secret = '` + h + `'`,
		`private_key = 123456789`:                                `private_key = 0`,
		`secret = 42`:                                            `secret = 42`,
		`secret = None or ''`:                                    `secret = None or ''`,
		`os.getenv('API_KEY', 'abc123def')`:                      `os.getenv('API_KEY', '` + h + `')`,
		`config.set("db_password", "swordfish")`:                 `config.set("db_password", "` + h + `")`,
		`password = decode('aHVudGVyMg==')`:                      `password = decode('` + h + `')`,
		`token = 'abc123def456'`:                                 `token = '` + h + `'`,
		`x = 1 # password: hunter2, say`:                         `x = 1 # password: ` + h + `, say`,
		`dsn = 'host=db user=bob password=hunter2'`:              `dsn = '` + h + `'`,
		`url = 'postgres://bob:pw@db/x'`:                         `url = '` + h + `'`,
		`x = 'sk-abcdefghijklmnop1234'`:                          `x = '` + h + `'`,
		`x = 'sk-abcdef' 'ghijklmnop1234'`:                       `x = '` + h + `' ''`,
		`x = f'key {y} sk-abcdefghijklmnop1234'`:                 `x = '` + h + `'`,
		`# AKIAABCDEFGHIJKLMNOP`:                                 `# ` + h,
		`password = "%s-hunter2" % x`:                            `password = "` + h + `" % x`,
		`(user, password) = ('bobby', 'hunter2')`:                `(user, password) = ('bobby', '` + h + `')`,
		`user, password = ('bobby', 'hunter2')`:                  `user, password = ('bobby', '` + h + `')`,
		`[password, user] = 'hunter2', 'bobby'`:                  `[password, user] = '` + h + `', 'bobby'`,
		`d[PASSWORD] = 'hunter2'`:                                `d[PASSWORD] = '` + h + `'`,
		`passwords['bob'] = 'hunter2'`:                           `passwords['bob'] = '` + h + `'`,
		`d['password']['prod'] = 'hunter2'`:                      `d['password']['prod'] = '` + h + `'`,
		`if 'hunter2' == self.password: x = 'y'`:                 `if '` + h + `' == self.password: x = 'y'`,
		`if d.get('password') == 'hunter2': x = 'other'`:         `if d.get('password') == '` + h + `': x = 'other'`,
		`x = os.environ.get('API_KEY') or 'hunter2'`:             `x = os.environ.get('API_KEY') or '` + h + `'`,
		`x = os.environ['API_KEY'] or 'hunter2'`:                 `x = os.environ['API_KEY'] or '` + h + `'`,
		`x = env('API_KEY', default='hunter2')`:                  `x = env('API_KEY', default='` + h + `')`,
		`add('-p', '--password', default='hunter2')`:             `add('-p', '--password', default='` + h + `')`,
		`run(['mysql', '--password', 'hunter2', '-v'])`:          `run(['mysql', '--password', '` + h + `', '-v'])`,
		`x = 'mysql --password hunter2'`:                         `x = '` + h + `'`,
		`h = [('User', 'Hunter2'), ('Authorization', 'Abc1')]`:   `h = [('User', 'Hunter2'), ('Authorization', '` + h + `')]`,
		`def get_password(): return 'hunter2'`:                   `def get_password(): return '` + h + `'`,
		`x = 'https://a.org/b?api_key=hunter2&c=d'`:              `x = '` + h + `'`,
		`x = '{"user": "bob", "password": "swordfish"}'`:         `x = '` + h + `'`,
		`x = 1 # password = "hunter2"`:                           `x = 1 # password = "` + h + `"`,
		`smtp_pass = 'hunter2'`:                                  `smtp_pass = '` + h + `'`,
		"password = 'hunter2'\nlogin('bob', 'hunter2')":          "password = '" + h + "'\nlogin('bob', '" + h + "')",
		"x = f('my hunter22')\npassword = 'hunter22'":            "x = f('my hunter22')\npassword = '" + h + "'", // Program processes it twice
	} {
		if got := redact.New(rules(t)).Text(text); got != want {
			t.Errorf("%s\nis   %s\nwant %s", text, got, want)
		}
	}
	for _, text := range []string{
		`password = input("Enter password: ")`, `token = config.get("token")`, `password = args["password"]`, `api_key = os.environ["OPENAI_API_KEY"]`,
		`password = d.pop("id")`, `token = 'while'`, `if token == 'return': x = 'name'`, `tokens = ['while', 'return']`, `token = "("`,
		`author = "Jane Roe"`, `parser.add_argument("--password", help="the words", dest="other")`, `print("password: %s" % password)`,
		`raise ValueError("no password")`, `h = {'Authorization': f'Bearer {t}', 'Proxy-Authorization': 'Basic ' + t}`, `auth = 'basic'`, `x = {'author': 'Jane', 'max_tokens': 100000}`, `def check_password(x): return 'word'`, `def next_token(x): return 'word'`,
		`class Password: name = 'word'`, `"""The password of a user, password=PASSWORD."""`, `url = f"https://{host}/x?token={token}"`,
		`x = 'https://example.org:80/a@b'`,
		`fields = ('password', 'username')`, `fields = ['password', 'username', 'Email2']`, `run(['--password', '--verbose'])`, `password = '%s:%s' % (a, b)`, `current_token = 'while'`,
		`first_pass = 'lexer'`, `d['name']['prod'] = 'other'`, `x = (user, password)`, `x = '--token-file names.txt'`, `lambda password: 'word'`, `match password:`, "x = 'ab\n", `f(')`, ``, `'`, `((((`, `}{][`,
	} {
		if got := redact.New(rules(t)).Text(text); got != text {
			t.Errorf("%s\nis %s", text, got)
		}
	}
}

// TestValue checks that a value is redacted by its name, by names inside it and by its
// form.
func TestValue(t *testing.T) {
	const h = "'<redacted>'"
	for _, c := range [][3]string{
		{"x", "{'password': 'hunter2', 'n': 1}", "{'password': " + h + ", 'n': 1}"},
		{"x", "User(name='bob', password='hunter2', age=3)", "User(name='bob', password=" + h + ", age=3)"},
		{"x", "<User name='bob' password='hunter2' town='York'>", "<User name='bob' password=" + h + " town='York'>"},
		{"x", "<User password='hunter2', town='York'>", "<User password=" + h + ", town='York'>"},
		{"credentials", "Credentials('bobby', key='hunter2')", "Credentials(" + h + ", key=" + h + ")"},
		{"x", "<Key sk-abcdefghijklmnop1234>", "<Key <redacted>>"},
		{"x", "ValueError('bad key sk-abcdefghijklmnop1234')", "ValueError(" + h + ")"},
		{"x", "'-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n'", h},
		{"x", "['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1', 'a']", "[" + h + ", 'a']"},
		{"headers", "{'Authorization': 'Bearer abcdef0123456789'}", "{'Authorization': " + h + "}"},
		{"secret", "b'hunter2'", "b" + h},
		{"secret", "<Sealed hunter2>", h},
		{"secret", "Sealed(hunter2)", "Sealed(" + h + ")"},
		{"secret", "Sealed(value=hunter2, n=1)", "Sealed(value=" + h + ", n=1)"},
		{"secret", "Sealed(None, True, x.y)", "Sealed(None, True, x.y)"},
		{"secret", "hunter-2", h},
		{"secret", "-12.5e3", "-12.5e3"},
		{"x", "<Cell password: 'hunter2'>", "<Cell password: " + h + ">"},
		{"x", "{'name': 'API_KEY', 'value': 'hunter2'}", "{'name': 'API_KEY', 'value': " + h + "}"},
		{"x", "Option(name='password', default='hunter2')", "Option(name='password', default=" + h + ")"},
		{"x", "{'name': 'colour', 'value': 'green'}", "{'name': 'colour', 'value': 'green'}"},
		{"x", "'Authorization: Bearer abcdef1'", h},
		{"argv", "['a.py', '--password', 'hunter2']", "['a.py', '--password', " + h + "]"},
		{"items", "dict_items([('password', 'Hunter2')])", "dict_items([('password', " + h + ")])"},
		{"secret", "'hunter2 and so on", h},
		{"secret", "<function get_secret>", "<function get_secret>"},
		{"secret", "<main.Secret object at 0x7f00>", "<main.Secret object at 0x7f00>"},
		{"secret", "None", "None"},
		{"secret", "12345678", "0"},
		{"secret", "", ""},
		{"token", "'while'", "'while'"},
		{"token", "Token(kind='name', text='while')", "Token(kind='name', text='while')"},
		{"x", "{'hunter2': 'a'}", "{'hunter2': 'a'}"},
		{"x", "'…'", "'…'"},
	} {
		if got := redact.New(rules(t)).Value(c[0], c[1]); got != c[2] {
			t.Errorf("%s = %s\nis   %s\nwant %s", c[0], c[1], got, c[2])
		}
	}
}

// TestKnown checks that a known secret is removed wherever it occurs.
func TestKnown(t *testing.T) {
	r := redact.New(rules(t))
	r.Value("password", "'hunter2'")
	r.Value("secret", "'swordfish'")
	for text, want := range map[string]string{
		"'hunter2'": "'<redacted>'", "'Basic hunter2!'": "'<redacted>'", "Error('hunter2')": "Error('<redacted>')", "<a hunter2>": "<a <redacted>>",
		"{'hunter2': 1}": "{'<redacted>': 1}", "'swordfish'": "'<redacted>'", "'two swordfishes'": "'two swordfishes'", "{'swordfish': 1}": "{'swordfish': 1}",
	} {
		if got := r.Value("x", text); got != want {
			t.Errorf("%s is %s", text, got)
		}
	}
	if got := r.Plain("a picture of 'hunter2' and sk-abcdefghijklmnop1234"); got != "a picture of '<redacted>' and <redacted>" {
		t.Error(got)
	}
	if _, values := r.Told(); values != 8 {
		t.Errorf("%d values were redacted", values)
	}
	var none *redact.Redactor
	if literals, values := none.Told(); none.Text("password = 'hunter2'") != "password = 'hunter2'" || none.Plain("x") != "x" || none.Value("secret", "'hunter2'") != "'hunter2'" || literals+values != 0 {
		t.Error("nil redacts")
	}
}

// TestProgram checks that the source keeps its lines, and that states have the redacted
// lines.
func TestProgram(t *testing.T) {
	source := `import os
PEM = '''
-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBg
-----END PRIVATE KEY-----
'''
def login(user, password):
    return password == "hunter2"

class Client:
    def __init__(self, url, api_key="k3y-of-mine"):
        self.api_key = api_key

login("bob", "hunter2"); Client("http://x", "k4y-of-mine"); print("it is hunter2")
after = "the end"
`
	lines := strings.Split(source, "\n")
	p := &dsl.Program{Files: []dsl.SourceFile{{Name: "a.py", Lines: lines}, {Name: "empty.py"}, {Name: "b.py", Lines: []string{"import a", "pw = 'hunter2'"}}}}
	r := redact.New(rules(t))
	sent := r.Program(p)
	text := strings.Join(sent.Files[0].Lines, "\n")
	for _, secret := range []string{"hunter2", "MIIE", "PRIVATE", "k3y", "k4y"} {
		if strings.Contains(text, secret) || strings.Contains(strings.Join(sent.Files[2].Lines, "\n"), secret) {
			t.Errorf("%s is in\n%s", secret, text)
		}
	}
	for i, f := range sent.Files {
		if f.Name != p.Files[i].Name || len(f.Lines) != len(p.Files[i].Lines) {
			t.Errorf("%s has %d lines of %d", f.Name, len(f.Lines), len(p.Files[i].Lines))
		}
	}
	for i, line := range sent.Files[0].Lines { // unredacted lines do not change
		if !strings.Contains(line, "<redacted>") && !strings.HasSuffix(line, "\\") && line != "'" && line != lines[i] {
			t.Errorf("line %d: %q was %q", i+1, line, lines[i])
		}
	}
	if literals, _ := r.Told(); literals != 7 {
		t.Errorf("%d literals\n%s", literals, text)
	}
	value := "'hunter2'"
	stop := &dsl.Stop{State: dsl.State{
		Event: dsl.Return, File: "a.py", Line: 8, Source: lines[7], Function: "login", Value: &value,
		Locals: []dsl.Local{{Name: "copy", Value: "'later-1'"}, {Name: "password", Value: "'later-1'"}, {Name: "user", Value: "'bob'"}},
	}}
	got := r.Stop(stop)
	if got.Source != sent.Files[0].Lines[7] || got.Locals[0].Value != "'<redacted>'" || got.Locals[1].Value != "'<redacted>'" || got.Locals[2].Value != "'bob'" || *got.Value != "'<redacted>'" {
		t.Errorf("%+v", got)
	}
	if stop.Locals[1].Value != "'later-1'" || *stop.Value != "'hunter2'" {
		t.Error("the state itself was changed")
	}
	given := "'from-afar'"
	if got := r.Stop(&dsl.Stop{State: dsl.State{Event: dsl.Return, File: "a.py", Line: 8, Function: "Vault.get_secret", Value: &given}}); *got.Value != "'<redacted>'" {
		t.Errorf("get_secret gives %s", *got.Value)
	}
	exception := "ValueError('later-1')"
	end := r.Reply(dsl.Reply{Outcome: dsl.Ended, Exit: &dsl.Exit{Code: 1, Exception: &exception}})
	if *end.Exit.Exception != "ValueError('<redacted>')" || exception != "ValueError('later-1')" {
		t.Error(*end.Exit.Exception)
	}
}

// FuzzText checks that the number of lines never changes.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"password = 'a'\n'''b\nc'''", "x = f'{password=}' \"sk-abcdefghijklmnop1234\"", "d['secret'] = (\n'abcd'\n'efgh')", "# token=abc123def\n\\", "{'a': [('b',", "f'''{x:\n}'''"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(text, "\r", "")
		r := redact.New(rules(t))
		once := r.Text(text)
		if strings.Count(once, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q became %q", text, once)
		}
	})
}

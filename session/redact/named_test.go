package redact_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/session/redact"
)

// TestNamedByASecret checks that a string is redacted if it gets a secret's name in any
// way, or is made of a secret, and that no other string of the line is.
func TestNamedByASecret(t *testing.T) {
	for name, source := range map[string]string{
		"nested unpacking":      `(user, (password, x)) = ("ann", ("hunter2", "other"))`,
		"unpacking in a list":   `[user, [password, x]] = ["ann", ["hunter2", "other"]]`,
		"starred unpacking":     `user, *passwords = "annie", "hunter2", "hunter2"`,
		"after a starred one":   `*users, password = "annie", "other", "hunter2"`,
		"unpacking a choice":    `user, password = ("ann", "hunter2") if x else ("bob", "hunter2")`,
		"a loop over pairs":     `for user, password in [("annie", "hunter2"), ("robert", "hunter2")]: pass`,
		"a loop over nested":    `for i, (user, password) in enumerate([("annie", "hunter2")]): pass`,
		"a comprehension":       `x = [u for u, password in (("annie", "hunter2"),)]`,
		"a loop over items":     `for user, password in {"annie": "hunter2"}.items(): pass`,
		"a loop over zip":       `for user, password in zip(["annie"], ["hunter2"]): pass`,
		"a secret's function":   "def access_token():\n    return \"hunter2\"",
		"get_token":             "def get_token(x):\n    return \"hunter2\"",
		"make_password":         "def make_password(x):\n    return x or \"hunter2\"",
		"a tuple is returned":   "def get_credentials():\n    return (\"hunter2\",)",
		"it is yielded":         "def passwords():\n    yield \"hunter2\"",
		"by a variable":         "def get_password():\n    t = \"hunter2\"\n    return t",
		"through two variables": "def f():\n    a = \"hunter2\"\n    b = a\n    password = b",
		"a lambda":              `get_password = lambda: "hunter2"`,
		"match":                 "match (\"annie\", \"hunter2\"):\n    case (user, password): pass",
		"match a class":         "match Creds(\"annie\", \"hunter2\"):\n    case Login(user, password): pass",
		"match with as":         "match \"hunter2\":\n    case str() as password: pass",
		"match a secret":        "match password:\n    case \"hunter2\": pass",
		"with":                  `with nullcontext("hunter2") as password: pass`,
		"with a tuple":          `with f("annie") as user, f("hunter2") as password: pass`,
		"a dataclass":           "@dataclass\nclass Creds:\n    user: str\n    password: str\nCreds(\"annie\", \"hunter2\")",
		"a typed named tuple":   "class Creds(NamedTuple):\n    user: str\n    password: str\nCreds(\"annie\", \"hunter2\")",
		"a named tuple":         "P = namedtuple(\"P\", \"user password\")\nP(\"annie\", \"hunter2\")",
		"a named tuple's list":  "P = collections.namedtuple(\"P\", [\"user\", \"password\"])\nP(\"annie\", \"hunter2\")",
		"typed fields":          "P = NamedTuple(\"P\", [(\"user\", str), (\"password\", str)])\nP(\"annie\", \"hunter2\")",
		"a class's __init__":    "class C:\n    def __init__(self, user, password): pass\nC(\"annie\", \"hunter2\")",
		"a method":              "class C:\n    def login(self, user, password): pass\nc.login(\"annie\", \"hunter2\")",
		"unpacked arguments":    "def f(user, password): pass\nf(*(\"annie\", \"hunter2\"))",
		"*args":                 "def f(user, *passwords): pass\nf(\"annie\", \"hunter2\", \"hunter2\")",
		"**kwargs":              "def f(user, **secrets): pass\nf(\"annie\", prod=\"hunter2\")",
		"**kwargs of a dict":    `f(**{"user": "annie", "password": "hunter2"})`,
		"partial":               "def f(user, password): pass\nfunctools.partial(f, \"annie\", \"hunter2\")",
		"partial by name":       `partial(f, user="annie", password="hunter2")`,
		"zip":                   `x = dict(zip(["user", "password"], ["annie", "hunter2"]))`,
		"zip of names":          "names = (\"user\", \"password\")\nvalues = (\"annie\", \"hunter2\")\nx = dict(zip(names, values))",
		"a slice":               `secret = "xxhunter2"[2:]`,
		"another case":          `secret = "hunter2".upper()`,
		"known in another case": "password = \"hunter2\"\nx = \"HUNTER2\"",
		"a part of a known one": "password = \"hunter2\"\nx = \"nter2\"",
		"a known one backwards": "password = \"hunter2\"\nx = \"2retnuh\"",
		"creds":                 `creds = "hunter2"`,
		"passw":                 `passw = "hunter2"`,
		"passwrd":               `user_passwrd = "hunter2"`,
		"key":                   `key = "a8f5f167f44f4964e6c998dee827110c"`,
		"a field key":           `x = Client(key="Zk3x9QmP7aT2wL5v")`,
		"a walrus":              `f(password := "hunter2")`,
		"an attribute unpacked": `self.user, self.password = "annie", "hunter2"`,
		"items unpacked":        `d["user"], d["password"] = "annie", "hunter2"`,
		"a conditional":         `password = "hunter2" if x else "hunter2"`,
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(redact.New(rules(t)).Program(program(source)).Files[0].Lines, "\n")
			for _, secret := range []string{"hunter2", "HUNTER2", "\"nter2", "2retnuh", "a8f5f167", "Zk3x9"} {
				if strings.Contains(got, secret) {
					t.Errorf("%s is left in\n%s", secret, got)
				}
			}
			for _, kept := range []string{"annie", "other", "robert"} {
				if strings.Count(got, kept) != strings.Count(source, kept) {
					t.Errorf("%s is taken out of\n%s", kept, source)
				}
			}
		})
	}
}

// TestNotNamedByASecret checks that ordinary words stay: of loops, of sorting, of parsers.
func TestNotNamedByASecret(t *testing.T) {
	for _, source := range []string{
		"for key, value in d.items():\n    print(key, \"the value\")",
		`for key, value in {"first_name": "Jane Roe", "item_00012": "x"}.items(): pass`,
		`for key in ("user_id_2", "created_at", "sha256sum", "address-line-1"): pass`,
		`sorted(d, key="last_name"); sorted(d, key=lambda x: "last_name")`,
		`key = "customer_2024_invoice_17"`, `sort_key = "created_at_2"`, `key = "Control-Shift-F12"`,
		`monkey = "a8f5f167f44f4964e6c998dee827110c"`, `keyboard = "a8f5f167f44f4964e6c998dee827110c"`, `keys = ["a8f5f167f44f4964"]`,
		`user, (name, town) = "bobby", ("Robert", "York2000")`,
		"def get_token(self):\n    return \"while\"", "def next_token():\n    return \"while1\"", "def check_password(x):\n    return \"no match 1\"",
		"def f(user, town): pass\nf(\"bobby1\", \"York2000\")", `with open("names1.txt") as names: pass`,
		`x = dict(zip(["name", "town"], ["Robert1", "York2000"]))`, "match x:\n    case (\"bobby1\", town): pass",
		"def f():\n    a = \"Robert1\"\n    password = a2", "credits = \"of a film1\"", "passwordless = \"login12\"",
		"password = \"hunter2\"\nx = \"hunt\"", "secret = \"swordfish\"\nx = \"word\"",
	} {
		want := strings.ReplaceAll(strings.ReplaceAll(source, `password = "hunter2"`, `password = "<redacted>"`), `secret = "swordfish"`, `secret = "<redacted>"`)
		if got := strings.Join(redact.New(rules(t)).Program(program(source)).Files[0].Lines, "\n"); got != want {
			t.Errorf("%s\nis\n%s", source, got)
		}
	}
}

// TestReturnedSecret checks that the value that a function with a secret's name returns or
// yields is redacted, and so are values made of a known secret.
func TestReturnedSecret(t *testing.T) {
	for _, c := range []struct{ function, value, want string }{
		{"access_token", "'hunter2'", "'<redacted>'"},
		{"get_token", "'hunter2'", "'<redacted>'"},
		{"Vault.get_access_token", "'swordfish'", "'<redacted>'"},
		{"make_password", "('annie', 'hunter2')", "('<redacted>', '<redacted>')"},
		{"get_token", "'while'", "'while'"},
		{"next_token", "'while1'", "'while1'"},
		{"check_password", "'hunter2'", "'hunter2'"},
		{"get_key", "'first_name_2'", "'first_name_2'"},
		{"get_key", "'Zk3x9QmP7aT2wL5v'", "'<redacted>'"},
	} {
		for _, kind := range []dsl.ReturnKind{dsl.Returned, dsl.Yielded} {
			got := redact.New(rules(t)).Stop(&dsl.Stop{State: dsl.State{Event: dsl.Return, Kind: kind, File: "a.py", Line: 1, Function: c.function, Value: &c.value}})
			if *got.Value != c.want {
				t.Errorf("%s gives %s, want %s", c.function, *got.Value, c.want)
			}
		}
	}
	r := redact.New(rules(t))
	r.Value("password", "'Hunter2-abc'")
	for value, want := range map[string]string{
		"'HUNTER2-ABC'": "'<redacted>'", "'nter2-abc'": "'<redacted>'", "['cba-2retnuH', 'x']": "['<redacted>', 'x']", "'abc'": "'abc'", "'hunter'": "'<redacted>'",
	} {
		if got := r.Value("x", value); got != want {
			t.Errorf("%s is %s", value, got)
		}
	}
	if got := redact.New(rules(t)).Value("creds", "Creds('annie', 'hunter2')"); strings.Contains(got, "hunter2") {
		t.Error(got)
	}
}

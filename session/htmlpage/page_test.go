package htmlpage

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace"
)

var (
	inPolicy = regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`)
	inStyle  = regexp.MustCompile(`(?s)<style>(.*)</style>`)
	inScript = regexp.MustCompile(`(?s)<script>(.*)</script>`)
	inData   = regexp.MustCompile(`<script type="text/plain" id="recording">([A-Za-z0-9+/=]*)</script>`)
)

// TestStructure checks that the page has the policy, that the policy allows its style and script only, and that
// all else comes from this package.
func TestStructure(t *testing.T) {
	rec := record(t, "x = '</script><script>alert(1)</script>'\nprint(x)\n")
	page := pageOf(t, rec, Options{Program: `</title><img src="x">'&.py`})
	policy, style, code := inPolicy.FindStringSubmatch(page), inStyle.FindStringSubmatch(page), inScript.FindStringSubmatch(page)
	if policy == nil || style == nil || code == nil {
		t.Fatal(page[:2000])
	}
	if want := "default-src 'none'; script-src '" + hash(code[1]) + "'; style-src '" + hash(style[1]) + "'; base-uri 'none'; form-action 'none'"; policy[1] != want {
		t.Errorf("the policy is\n%s\nwant\n%s", policy[1], want)
	}
	if !strings.Contains(page, "<title>&lt;/title&gt;&lt;img src=&#34;x&#34;&gt;&#39;&amp;.py · npdb</title>") {
		t.Error("the title is not escaped")
	}
	for _, part := range []string{style[1], code[1]} {
		if strings.Contains(part, "</") {
			t.Error("the style or the script may end early")
		}
	}
	for _, forbidden := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "http:", "https:", " onclick=", " style="} {
		if strings.Contains(page, forbidden) {
			t.Errorf("the page has %s", forbidden)
		}
	}
	if again := pageOf(t, rec, Options{Program: `</title><img src="x">'&.py`}); again != page {
		t.Error("the same recording gives another page")
	}
}

// dataOf unpacks the recording of a page.
func dataOf(t *testing.T, page string) (d data) {
	t.Helper()
	packed := inData.FindStringSubmatch(page)
	if packed == nil {
		t.Fatal("the page has no recording")
	}
	raw, err := base64.StdEncoding.DecodeString(packed[1])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCut checks which events of a long recording a page keeps, and that it says so.
func TestCut(t *testing.T) {
	rec := record(t, "for i in range(50):\n    print(i)\n")
	all := rec.Tree().Len()
	for _, c := range []struct {
		o           Options
		first, kept int
		shown       int
		says        string
	}{
		{Options{}, 0, all, 0, ""},
		{Options{Most: all}, 0, all, 0, ""},
		{Options{Most: 40, Last: true}, all - 40, 40, 0, fmt.Sprintf("This page has events %d to %d of %d. npdb open shows all of them.", all-40, all-1, all)},
		{Options{Most: 40, Shown: trace.Position{Event: 60}}, 31, 40, 29, fmt.Sprintf("This page has events 31 to 70 of %d. npdb open shows all of them.", all)},
		{Options{Most: 40, Shown: trace.Position{Event: 3}}, 0, 40, 3, fmt.Sprintf("This page has events 0 to 39 of %d. npdb open shows all of them.", all)},
		{Options{Most: 40, Shown: trace.Position{Event: all - 1, End: true}}, all - 40, 40, 39, fmt.Sprintf("This page has events %d to %d of %d. npdb open shows all of them.", all-40, all-1, all)},
	} {
		d := dataOf(t, pageOf(t, rec, c.o))
		if d.First != c.first || len(d.Kinds) != c.kept || d.All != all || d.Shown != c.shown || d.Cut != c.says {
			t.Errorf("%+v: %d events from %d of %d, at %d: %q", c.o, len(d.Kinds), d.First, d.All, d.Shown, d.Cut)
		}
		for _, o := range d.Output {
			if o.Event >= len(d.Kinds) {
				t.Errorf("%+v: output of event %d", c.o, o.Event)
			}
		}
	}
}

func expressions(texts []string) (all []*regexp.Regexp) {
	for _, text := range texts {
		all = append(all, regexp.MustCompile(text))
	}
	return all
}

// TestRedact checks that no secret is on the page, wherever it is in the recording.
func TestRedact(t *testing.T) {
	const secret = "hunter2-Zebra-77"
	rec := record(t, "early = 'hunter2-' + 'Zebra-77'\nclass User:\n    def __init__(self, password):\n        self.password = password\n"+
		"def login(password):\n    print('trying', password)\n    return {'password': password, 'n': 1}\n"+
		"long = ['x' * 150] * 40 + [early]\nuser = User(early)\ngiven = login(early)\nraise ValueError('no user with ' + early)\n")
	plain := fmt.Sprintf("%+v", dataOf(t, pageOf(t, rec, Options{})))
	if !strings.Contains(plain, secret) {
		t.Fatal("the test has no secret")
	}
	o := Options{
		Redact:    redact.New(redact.Rules{Names: expressions(redact.DefaultNames), Values: expressions(redact.DefaultValues)}),
		Bookmarks: []Bookmark{{Name: "a", Note: "the password is " + secret}},
	}
	if hidden := fmt.Sprintf("%+v", dataOf(t, pageOf(t, rec, o))); strings.Contains(hidden, secret) || strings.Contains(hidden, "Zebra") {
		at := strings.Index(hidden, "Zebra")
		t.Errorf("the secret is on the page: %s", hidden[max(at-200, 0):at+50])
	} else if !strings.Contains(hidden, redact.Placeholder) {
		t.Error("nothing is redacted")
	}
}

// TestTextsFit checks that a page whose texts are too many has fewer events, and says so.
func TestTextsFit(t *testing.T) {
	rec := record(t, "import random\nfor i in range(120):\n    x = '%x' % random.getrandbits(16000)\n")
	most := mostText
	defer func() { mostText = most }()
	mostText = 100_000
	d := dataOf(t, pageOf(t, rec, Options{Last: true}))
	size := 0
	for _, text := range d.Texts {
		size += len(fmt.Sprint(text))
	}
	if size > 110_000 || size < 20_000 || len(d.Kinds) < 10 || len(d.Kinds)+d.First != d.All || d.Cut == "" {
		t.Errorf("%d bytes of texts in %d events from %d: %q", size, len(d.Kinds), d.First, d.Cut)
	}
}

// TestParts checks how the script splits the text of a value.
func TestParts(t *testing.T) {
	ask := shown(t, collect(record(t, "x = 1\n"), Options{}))
	for text, want := range map[string]string{
		"[1, 'a, b', [2, 3]]":               `[{"key":"0","text":"1"},{"key":"1","text":"'a, b'"},{"key":"2","text":"[2, 3]"}]`,
		"(1,)":                              `[{"key":"0","text":"1"}]`,
		"{'a: b': {1: 2}, 3: 'x\\'}'}":      `[{"key":"'a: b'","text":"{1: 2}"},{"key":"3","text":"'x\\'}'"}]`,
		"{1, 2}":                            `[{"key":"","text":"1"},{"key":"","text":"2"}]`,
		"Node(name='a=b', links=[])":        `[{"key":"name","text":"'a=b'"},{"key":"links","text":"[]"}]`,
		"deque([1, 2], maxlen=3)":           `[{"key":"0","text":"[1, 2]"},{"key":"maxlen","text":"3"}]`,
		"Counter({'a': 2})":                 `[{"key":"'a'","text":"2"}]`,
		"Decimal('1.5')":                    `[]`,
		"[1, … +3 items not shown]":         `[{"key":"0","text":"1"},{"key":"","text":"… +3 items not shown"}]`,
		"[]":                                `[]`,
		"'[1, 2]'":                          `[]`,
		"<Thing (1, 2)>":                    `[]`,
		"[1, (2]":                           `[]`,
		`[b'\x00', "it's", 'say \"[\"']`:    `[{"key":"0","text":"b'\\x00'"},{"key":"1","text":"\"it's\""},{"key":"2","text":"'say \\\"[\\\"'"}]`,
		"[[1, 2… +33 chars not shown":       `[]`,
		"point.Point(x=1, y=(2, 3))":        `[{"key":"x","text":"1"},{"key":"y","text":"(2, 3)"}]`,
		"Ñandú(ℌ=1)":                        `[{"key":"ℌ","text":"1"}]`,
		"{'k': Node(next=Node(next=None))}": `[{"key":"'k'","text":"Node(next=Node(next=None))"}]`,
	} {
		if got := ask("parts", text); got != want {
			t.Errorf("%s has the parts %s, want %s", text, got, want)
		}
	}
	if got := ask("change", "{'a': 1, 'b': 3, 'c': 4}", "{'a': 1, 'b': 2}"); got != `{"key":"'b'","text":"3","was":"2","more":1}` {
		t.Errorf("the change is %s", got)
	}
}

// TestSearch checks what the search finds, and where.
func TestSearch(t *testing.T) {
	ask := shown(t, collect(record(t, "def f(box):\n    box.append('needle')\n    return len(box)\n\nbox = []\nn = f(box)\nprint('a Needle')\n"), Options{}))
	got := fmt.Sprint(ask("find", "NEEDLE"))
	want := `{"source":[{"file":0,"line":2,"text":"box.append('needle')"},{"file":0,"line":7,"text":"print('a Needle')"}],` +
		`"values":[{"event":5,"name":"box","text":"['needle']"}],` +
		`"output":[{"event":7,"text":"a Needle","pieces":[{"text":"a Needle","error":false,"event":7}]}],"more":false}`
	if got != want {
		t.Errorf("found %s\nwant %s", got, want)
	}
	if got := fmt.Sprint(ask("find", "n =")); !strings.Contains(got, `{"event":7,"name":"n","text":"1"}`) {
		t.Errorf("found %s", got)
	}
}

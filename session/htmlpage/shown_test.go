//go:build unix

package htmlpage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/examples"
	"github.com/npdb/npdb/trace"
)

// sizes are windows that the page is looked at in.
var sizes = []struct {
	width, height int
	dark          bool
}{{400, 800, false}, {400, 800, true}, {1000, 700, true}, {1600, 900, false}, {1600, 900, true}}

func bank(t *testing.T) *trace.Recording {
	t.Helper()
	path, err := examples.Write(t.TempDir(), "bank.py")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return record(t, string(text))
}

// where returns the event that the page shows, or "end".
func (b *browser) where() string {
	b.t.Helper()
	return fmt.Sprint(b.eval("document.page.at.end ? 'end' : document.page.at.event"))
}

// TestInBrowser shows pages in a real browser.
func TestInBrowser(t *testing.T) {
	c := openChromium(t)
	for name, test := range map[string]func(t *testing.T, b *browser){
		"keys": testKeys, "mouse": testMouse, "sizes": testSizes, "hostile": testHostile, "large": testLarge, "given": testGiven,
	} {
		t.Run(name, func(t *testing.T) { test(t, c.window(t)) })
	}
}

// testKeys presses the keys of all moves at each event, and looks where they lead.
func testKeys(t *testing.T, b *browser) {
	rec := bank(t)
	b.size(1000, 700, false)
	b.show(pageOf(t, rec, Options{Program: "bank.py"}))
	tree := rec.Tree()
	for i := 0; i < tree.Len(); i += 9 {
		for _, m := range moves {
			for back, key := range []string{m.name[:1], strings.ToUpper(m.name[:1])} {
				b.eval(fmt.Sprintf("document.page.go({ event: %d })", i))
				b.press(key)
				want, _, _ := strings.Cut(landing(tree, i, false, dsl.Action{Move: m.to[back]}), " ")
				if got := b.where(); got != want {
					t.Errorf("%s from %d leads to %s, want %s", key, i, got, want)
				}
			}
		}
	}
	b.press("Home", "j", "j", "b", "c")
	b.quiet()
}

// testMouse drags the timeline, and clicks on buttons, frames, lines of output and values.
func testMouse(t *testing.T, b *browser) {
	rec := bank(t)
	b.size(1600, 900, false)
	b.show(pageOf(t, rec, Options{
		Program: "bank.py", Bookmarks: []Bookmark{{Event: 107, Name: "broken", Note: "money from nowhere"}, {End: true, Name: "last"}},
	}))
	n := rec.Tree().Len()
	b.mouse("mousePressed", "#timeline", 0.001, .5)
	for x := 0.1; x < 1; x += 0.2 {
		b.mouse("mouseMoved", "#timeline", x, .5)
		b.settle()
		if got, want := b.where(), fmt.Sprint(int(x*float64(n))); got != want {
			t.Errorf("a drag to %v is at %s, want %s", x, got, want)
		}
	}
	b.mouse("mouseReleased", "#timeline", .9, .5)
	b.settle()
	b.press("z")
	if got := b.where(); got != "0" {
		t.Errorf("back after a drag leads to %s", got)
	}
	b.click("#marks .entry")
	if got := b.where(); got != "107" || b.eval("document.getElementById('where').textContent") != "transfer:43" {
		t.Errorf("the bookmark leads to %s", got)
	}
	b.press("S", "S", "s", "s")
	if got := b.eval("document.querySelector('#locals .changed .value').textContent"); got != "{'ann': 175, 'bob': 100, 'cy': 335, 'dee': 50}was {'ann': 175, 'bob': 100, 'cy': 215, 'dee': 50}" && got != "…['cy'] 335was 215" {
		t.Errorf("the change is shown as %v", got)
	}
	b.click("#locals .row[role=button]")
	if got := b.eval("[...document.querySelectorAll('#locals .row')].slice(0, 5).map((r) => r.textContent.trim()).join('|')"); !strings.Contains(fmt.Sprint(got), "'cy'335was 215") {
		t.Errorf("the expanded value is %v", got)
	}
	b.picture("changed")
	b.click("#stack .entry:nth-child(2)")
	if got := b.eval("document.getElementById('owner').textContent"); got != "main" {
		t.Errorf("the selected frame is that of %v", got)
	}
	b.press("End")
	b.click("#output .out:nth-child(3)")
	if got := b.eval("rec = document.page.rec, rec.data.files[0].lines[rec.line[document.page.at.event] - 1].trim()"); got != `print(f"{owner:>8} {balance:5}")` {
		t.Errorf("a line of output leads to %v", got)
	}
	b.press("/")
	b.press("3", "3", "5")
	if got := fmt.Sprint(b.eval("document.querySelector('#find .entry').textContent")); !strings.Contains(got, "335") {
		t.Errorf("the search finds %v", got)
	}
	b.picture("search")
	b.press("Enter")
	if got := b.eval("document.getElementById('find').hidden"); got != true {
		t.Error("the search stays open")
	}
	b.press("?")
	b.picture("help")
	b.press("Escape")
	b.quiet()
}

// testSizes checks at each size that nothing is wider than the window and that all is there.
func testSizes(t *testing.T, b *browser) {
	rec := bank(t)
	b.show(pageOf(t, rec, Options{Program: "bank.py", Shown: trace.Position{Event: 107}, Breakpoints: []dsl.Location{{Line: 48}}}))
	for _, s := range sizes {
		b.size(s.width, s.height, s.dark)
		b.press("s")
		name := fmt.Sprintf("%d-%v", s.width, s.dark)
		b.picture(name)
		if got := b.eval("document.documentElement.scrollWidth"); got != float64(s.width) {
			t.Errorf("%s: the page is %v wide", name, got)
		}
		for _, part := range []string{"#where", "#number", ".line.now", "#locals .row", "#timeline canvas", "#moves button:last-child"} {
			got := b.eval("((r) => r.width > 0 && r.left >= 0 && r.top >= 0 && r.top < innerHeight && r.bottom <= innerHeight)(document.querySelector('" + part + "').getBoundingClientRect())")
			if got != true {
				t.Errorf("%s: %s is not in the window", name, part)
			}
		}
		ground := fmt.Sprint(b.eval("getComputedStyle(document.body).backgroundColor"))
		var red int
		if _, err := fmt.Sscanf(ground, "rgb(%d,", &red); err != nil || red < 128 != s.dark {
			t.Errorf("%s: the background is %s", name, ground)
		}
	}
	b.quiet()
}

// testHostile shows a program whose texts are HTML, scripts and characters that hide or turn text.
func testHostile(t *testing.T, b *browser) {
	const program = `
import sys
class Bad:
    def __repr__(self):
        return self.text
    def __init__(self, text):
        self.text = text
def ñandú(ℌtml):
    raise ValueError(ℌtml)
evil = '</script><script>window.hacked=1</script>'
img = '<img src=x onerror="window.hacked=2">'
turned = 'a\u202eb\u2066c\u2028d\x1b[31m\x00\ud800\ufeff'
box = {img: [evil], '<b>': (evil, img)}
bad = Bad('<svg onload=hacked=3>` + "\u202e" + `</style></title>')  # </script> <!-- <img src=x onerror=hacked=4>
print(evil, img, '\u202eabc\x1b[31mred\x1b]0;title\x07')
sys.stdout.flush()
sys.stdout.buffer.write(b'\xff\xfe<img src=x onerror=hacked=5>\n')
try:
    ñandú(img + turned)
except ValueError as e:
    print(repr(e).encode('ascii', 'backslashreplace'), file=sys.stderr)
`
	rec := record(t, program)
	name := `<img src=x onerror=hacked=6></title></script>.py`
	page := pageOf(t, rec, Options{Program: name, Bookmarks: []Bookmark{{Event: 3, Name: name, Note: name + "\u202e"}}})
	b.size(1000, 700, true)
	b.show(page)
	for range rec.Tree().Len() + 1 {
		b.press("s")
		b.eval("document.querySelectorAll('#locals .row[role=button]').forEach((r) => r.click())")
		hidden := b.eval(`/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]/.exec(document.body.innerText + document.title + [...document.querySelectorAll('[title]')].map((e) => e.title))?.[0] ?? ''`)
		if hidden != "" {
			t.Fatalf("%q is on the page", hidden)
		}
	}
	b.press("/")
	b.press("i", "m", "g")
	b.press("Escape", "?")
	b.picture("hostile")
	if got := b.eval("window.hacked"); got != nil {
		t.Errorf("the program's text ran: %v", got)
	}
	if got := b.eval("[document.querySelectorAll('img, svg, b[onclick], iframe').length, document.scripts.length].join()"); got != "0,2" {
		t.Errorf("images and scripts: %v", got)
	}
	if got := fmt.Sprint(b.eval("document.body.innerText")); !strings.Contains(got, "<img src=x onerror=hacked=6></title></script>.py") {
		t.Errorf("the name is not shown as it is:\n%s", got)
	}
	b.quiet()
	b.eval("document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hacked = 7' })), document.body.setAttribute('onclick', 'window.hacked = 8'), document.body.click()")
	if got := b.eval("[String(window.hacked), violations.length > 1].join()"); got != "undefined,true" {
		t.Errorf("the policy lets scripts run: %v", got)
	}
}

// testLarge shows a page of the most events, and tells how large it is and how long a
// browser reads it.
func testLarge(t *testing.T, b *browser) {
	b.size(1600, 900, true)
	rec := record(t, "def work(i, seen):\n    x = i * i\n    seen[i % 50] = x\n    return str(x)\n\nseen = {}\nfor i in range(20000):\n    last = work(i, seen)\n")
	page := pageOf(t, rec, Options{Program: "loop.py", Shown: trace.Position{Event: 60000}})
	b.show(page)
	if got := fmt.Sprint(b.eval("document.getElementById('cut').textContent")); !strings.Contains(got, "of ") || b.eval("document.page.rec.length") != float64(MostEvents) {
		t.Errorf("the page says of what is cut: %s", got)
	}
	t.Logf("%d bytes, %.0f ms to read, %.1f ms for a move", len(page),
		b.eval("((t) => { new document.page.rec.constructor(document.page.rec.data); return performance.now() - t; })(performance.now())"),
		b.eval("((t) => { for (let k = 0; k < 50; k++) document.page.move('next', true); return (performance.now() - t) / 50; })(performance.now())"))
	b.picture("large")
	b.press("N", "R", "C", "C")
	if got := b.where() + " " + fmt.Sprint(b.eval("document.getElementById('message').textContent")); got != "0 this page has no further events in this direction" {
		t.Errorf("continue backwards leads to %s", got)
	}
	b.quiet()
}

// testGiven walks through the pages that NPDB_PAGES names, files of export --html, and checks that they
// say nothing.
func testGiven(t *testing.T, b *browser) {
	pages := filepath.SplitList(os.Getenv("NPDB_PAGES"))
	if len(pages) == 0 {
		t.Skip("NPDB_PAGES names no pages")
	}
	b.size(1600, 900, true)
	for _, path := range pages {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b.show(string(raw))
		name := strings.TrimSuffix(filepath.Base(path), ".html")
		b.picture(name)
		b.press("S", "N", "R", "s", "n", "z", "r", "u", "Home", "End")
		t.Logf("%s: %d bytes, %v events", name, len(raw), b.eval("document.page.rec.length"))
		b.quiet()
	}
}

package suggest

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"nord", "monokai", "github-dark", "Default", "goto"}
	for word, want := range map[string]string{
		"nrod":       "nord",
		"Nord":       "nord",
		"monokay":    "monokai",
		"githubdark": "github-dark",
		"default":    "Default",
		"nodr":       "nord",
		"both":       "", // two letters of four
		"mord":       "nord",
		"xyzzy":      "",
		"":           "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got, want := Quote("nrod", known), `"nrod": did you mean "nord"?`; got != want {
		t.Errorf("Quote: %s, want %s", got, want)
	}
	if got, want := Quote("xyzzy", known), `"xyzzy"`; got != want {
		t.Errorf("Quote: %s, want %s", got, want)
	}
	if got, want := Ask("no theme nrod", "nrod", known), "no theme nrod: did you mean nord?"; got != want {
		t.Errorf("Ask: %s, want %s", got, want)
	}
	if got := Ask("no theme xyzzy", "xyzzy", known); got != "" {
		t.Errorf("Ask: %s", got)
	}
}

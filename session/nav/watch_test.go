package nav

import (
	"testing"

	"github.com/npdb/npdb/trace/statetree"
)

func TestNearException(t *testing.T) {
	files := []statetree.File{{Source: []byte("class ValuError(Exception):\n    pass\n")}}
	for name, want := range map[string]string{
		"ValueError": "", "BaseException": "", "ValuError": "", "ValeuError": "ValueError", "keyerror": "KeyError",
		"json.JSONDecodeError": "", "Quite": "",
	} {
		if got := NearException(files, name); got != want {
			t.Errorf("%s is near to %q, want %q", name, got, want)
		}
	}
}

package tui

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	oracle "github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
)

const settleSource = `def settle(amount, fee):
    rest = amount - fee
    fee = 0
    return rest


print(settle(100, 10))
`

// TestInferOnScreen checks that at the edge of a hole one key shows what a model infers came before, and
// that the next forward move returns to the recording.
func TestInferOnScreen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prog.py")
	if err := os.WriteFile(path, []byte(settleSource), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := cpythonOf(t, path)
	model := oracle.New(oracle.Config{Python: cfg.Options.Python, Timeout: time.Minute})
	t.Cleanup(func() {
		if err := model.Close(); err != nil {
			t.Error(err)
		}
	})
	cfg.Mode, cfg.Neural = session.Real, &nav.Neural{Predictor: model}
	d := drive(t, 160, 40, cfg)
	d.write(":b 4")
	d.press("enter", ">")
	if d.here() != 4 {
		t.Fatalf("> leads to line %d", d.here())
	}
	d.press("S")
	d.shows("I asks the model what came before")
	d.press("I")
	d.shows("inferred")
	if d.here() != 3 {
		t.Errorf("I leads to line %d", d.here())
	}
	d.press("z")
	if d.here() != 4 {
		t.Errorf("z leads to line %d", d.here())
	}
	d.press("Z", "s")
	d.shows("from here on the states are recorded")
	d.press("s")
	d.showsNot("inferred 1")
	d.press("ctrl+r", "y")
	d.press("c")
	d.shows("prediction matches")
}

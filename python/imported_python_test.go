package python

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// importedScript prints, for each module.name on standard input, the text of its value, "" if states
// leave it out, and null if there is none.
const importedScript = `
import importlib, json, sys, types
told = {}
for name in sys.stdin.read().split():
    module, _, attribute = name.rpartition(".")
    try:
        value = getattr(importlib.import_module(module), attribute)
    except (AttributeError, ImportError):
        told[name] = None
        continue
    hidden = isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType))
    told[name] = "" if hidden else repr(value)
print(json.dumps(told))
`

// TestImportedNames compares the table of imported names with what the modules of each Python have.
func TestImportedNames(t *testing.T) {
	for _, p := range pythons.Between(t, 9, 14) {
		t.Run(p.String(), func(t *testing.T) {
			var names []string
			for name := range importedNames() {
				names = append(names, name)
			}
			cmd := exec.Command(p.Path, "-W", "ignore", "-c", importedScript)
			cmd.Stdin = strings.NewReader(strings.Join(names, "\n"))
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			told := map[string]*string{}
			if err := json.Unmarshal(out, &told); err != nil || len(told) < 400 {
				t.Fatalf("%v, %d names", err, len(told))
			}
			for name, want := range told {
				dot := strings.LastIndexByte(name, '.')
				got := importedAs(name[:dot], name[dot+1:], Version{3, p.Minor})
				known := got.hidden || got.text != ""
				switch {
				case want == nil:
					if known {
						t.Errorf("%s does not exist: %+v", name, got)
					}
				case got.hidden != (*want == ""):
					t.Errorf("%s is %q: %+v", name, *want, got)
				case strings.HasPrefix(name, "random."): // the recorder leaves out the address
				case got.text != *want:
					t.Errorf("%s is %q: %+v", name, *want, got)
				}
			}
		})
	}
}

package python

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
)

// importedScript is a Python program. For each module.name on standard input it prints the repr of
// the value, "" if states leave the value out, and null if the module does not have the name.
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

// TestImportedNames checks the table of imported names against the modules of each Python.
func TestImportedNames(t *testing.T) {
	for _, p := range pythons.Between(t, 9, 15) {
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
					if known && (!p.Wasm || name[:dot] != "time") { // WebAssembly lacks some of time
						t.Errorf("%s does not exist: %+v", name, got)
					}
				case got.hidden != (*want == ""):
					t.Errorf("%s is %q: %+v", name, *want, got)
				case strings.HasPrefix(name, "random."): // the recorder removes the address
				case got.text != *want:
					t.Errorf("%s is %q: %+v", name, *want, got)
				}
			}
		})
	}
}

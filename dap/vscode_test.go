package dap_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/npdb/npdb/dap"
)

// TestVSCode checks that the extension for VS Code has the attributes that a launch request has, and describes
// each in docs/editors.md.
func TestVSCode(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "editors", "vscode", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	type attribute struct {
		Type        any
		Description string
	}
	var extension struct {
		Main        string
		Contributes struct {
			Debuggers []struct {
				Type                    string
				ConfigurationAttributes map[string]struct{ Properties map[string]attribute }
			}
		}
	}
	if err := json.Unmarshal(text, &extension); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join("..", "editors", "vscode", extension.Main)); err != nil {
		t.Error(err)
	}
	debugger := extension.Contributes.Debuggers[0]
	given := debugger.ConfigurationAttributes["launch"].Properties
	page, err := os.ReadFile(filepath.Join("..", "docs", "editors.md"))
	if err != nil {
		t.Fatal(err)
	}
	types := map[reflect.Kind]string{reflect.String: "string", reflect.Slice: "array", reflect.Map: "object", reflect.Bool: "boolean"}
	var want []string
	for field := range reflect.TypeFor[dap.Launch]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		want = append(want, name)
		kind := field.Type.Kind()
		if kind == reflect.Pointer {
			kind = field.Type.Elem().Kind()
		}
		if given[name].Type != types[kind] || given[name].Description == "" {
			t.Errorf("%s is %+v in the extension, its field is a %s", name, given[name], kind)
		}
		if !strings.Contains(string(page), "| `"+name+"` |") {
			t.Errorf("docs/editors.md does not list %s", name)
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(given)); !slices.Equal(got, want) || debugger.Type != "npdb" {
		t.Errorf("the attributes are %v, want %v", got, want)
	}
}

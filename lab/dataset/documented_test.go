package dataset

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/lab/dataset/policy"
)

var update = flag.Bool("update", false, "write the settings of walks into the page")

const page = "../../docs/dataset.md"

// between returns the text on the page between two marks, and the text before and after.
func between(t *testing.T, begin string) (before, inside, after string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	inside, after, closed := strings.Cut(rest, "<!-- end -->")
	if !found || !closed {
		t.Fatalf("%s has no %q", page, begin)
	}
	return before + begin, inside, "<!-- end -->" + after
}

// TestDocumented checks that the page shows the current settings of walks.
func TestDocumented(t *testing.T) {
	before, text, after := between(t, "<!-- policy: made by go test ./lab/dataset -run TestDocumented -update -->\n")
	raw, err := json.Marshal(policy.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	var made strings.Builder
	made.WriteString("```json\n{\n")
	d := json.NewDecoder(bytes.NewReader(raw)) // a decoder, to keep the order of the names
	_, _ = d.Token()
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		spaced := strings.NewReplacer(",", ", ", ":", ": ").Replace(string(value))
		made.WriteString(`  "` + name.(string) + `": ` + spaced)
		if d.More() {
			made.WriteString(",")
		}
		made.WriteString("\n")
	}
	made.WriteString("}\n```\n")
	if *update {
		if err := os.WriteFile(page, []byte(before+made.String()+after), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if text != made.String() {
		t.Error("the page has other settings; go test ./lab/dataset -run TestDocumented -update writes them")
	}
}

// usage is the input of the page's example: tokens of up to three characters.
const usage = `
import sys
for row in rows(sys.argv[1]):
    text = row["text"]
    offsets = [(i, min(i + 3, len(text))) for i in range(0, len(text), 3)]
    ids = list(range(len(offsets)))
    got, weights = labels(row, ids, offsets, 2.0)
    where = [len(text[:start].encode()) for start, _ in offsets]
    for i, at in enumerate(where):
        inside = any(start <= at < end for start, end in row["predict"])
        new = any(start <= at < end for start, end in row["changed"])
        assert got[i] == (i if inside else -100), (row["id"], i)
        assert weights[i] == (2.0 if new else 1.0 if inside else 0.0), (row["id"], i)
    print(row["id"])
`

// TestExample checks that the page's example reads a dataset, masks the tokens that are not predicted,
// and weights those that changed.
func TestExample(t *testing.T) {
	python := pythons.Any(t)
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("no zstd in PATH, with which the example unpacks")
	}
	_, text, _ := between(t, "<!-- example: run by go test ./lab/dataset -->\n")
	code, found := strings.CutPrefix(text, "```python\n")
	code, closed := strings.CutSuffix(code, "```\n")
	if !found || !closed {
		t.Fatalf("the example is no Python: %q", text)
	}
	dir, s := t.TempDir(), fakeSettings(30, 30)
	makeFake(t, Config{Dir: dir, Settings: s})
	out, err := exec.Command(python, "-c", code+usage, filepath.Join(dir, s.shardName(Train, 0))).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var want []string
	for _, l := range lines(t, dir, Train) {
		want = append(want, l.ID)
	}
	if got := strings.Fields(string(out)); len(want) == 0 || strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestCard checks that the card names the files and the fields of a line, for Hugging
// Face's datasets.
func TestCard(t *testing.T) {
	for _, heldOut := range []float64{0, 0.5, 1} {
		s := fakeSettings(20, 10)
		s.HeldOut = heldOut
		dir := t.TempDir()
		makeFake(t, Config{Dir: dir, Settings: s})
		raw, err := os.ReadFile(filepath.Join(dir, cardFile))
		if err != nil {
			t.Fatal(err)
		}
		header, _, closed := strings.Cut(strings.TrimPrefix(string(raw), "---\n"), "\n---\n")
		var c struct {
			Configs []struct {
				DataFiles []struct{ Split, Path string } `yaml:"data_files"`
			}
			Info struct {
				Features []struct{ Name string }
			} `yaml:"dataset_info"`
		}
		if err := yaml.Unmarshal([]byte(header), &c); err != nil || !closed {
			t.Fatalf("%v\n%s", err, raw)
		}
		var splits, fields []string
		for _, f := range c.Configs[0].DataFiles {
			splits = append(splits, f.Split)
			if found, err := filepath.Glob(filepath.Join(dir, f.Path)); err != nil || len(found) == 0 {
				t.Errorf("%s: there is no %s", f.Split, f.Path)
			}
		}
		for _, f := range c.Info.Features {
			fields = append(fields, f.Name)
		}
		if got, want := strings.Join(splits, " "), map[float64]string{0: Train, 0.5: "train test", 1: Test}[heldOut]; got != want {
			t.Errorf("%v held out: the splits are %s, not %s", heldOut, got, want)
		}
		raw, err = json.Marshal(Line{})
		if err != nil {
			t.Fatal(err)
		}
		var line map[string]any
		if err := json.Unmarshal(raw, &line); err != nil || len(line) != len(fields) {
			t.Errorf("%v: %v", fields, err)
		}
		for _, name := range fields {
			if _, ok := line[name]; !ok {
				t.Errorf("a line has no %s", name)
			}
		}
	}
}

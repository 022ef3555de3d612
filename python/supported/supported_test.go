package supported_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/python/supported"
)

func TestNotice(t *testing.T) {
	for version, want := range map[string]string{
		"":          "",
		"unknown":   "",
		"2.7.18":    "",
		"3.9.18":    "",
		"3.14.6+":   "",
		"3.15.0rc1": "",
		"3.16.0a1":  "Python 3.16.0a1 is newer",
		"3.100.2":   "Python 3.100.2 is newer",
		"4.0.0":     "Python 4.0.0 is newer",
	} {
		switch said := supported.Notice(version); {
		case (said == "") != (want == ""), !strings.Contains(said, want):
			t.Errorf("%q: %q, want %q", version, said, want)
		case strings.Contains(said, "\n"):
			t.Errorf("%q: more than a line: %q", version, said)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		major, minor    int
		tooOld, unknown bool
	}{
		{2, 7, true, false},
		{3, supported.Oldest - 1, true, false},
		{3, supported.Oldest, false, false},
		{3, supported.Newest, false, false},
		{3, supported.Preview, false, false},
		{3, supported.Preview + 1, false, true},
		{4, 0, false, true},
	} {
		if o, u := supported.TooOld(tt.major, tt.minor), supported.Unknown(tt.major, tt.minor); o != tt.tooOld || u != tt.unknown {
			t.Errorf("%d.%d: too old %v, unknown %v", tt.major, tt.minor, o, u)
		}
	}
}

// TestDrift checks the places that cannot import this package: the documentation, the tracer, packages
// and scripts.
func TestDrift(t *testing.T) {
	oldest := fmt.Sprintf("Python 3.%d or later", supported.Oldest)
	preview := supported.PreviewBuild + " only " + supported.PreviewLimits
	if !strings.HasPrefix(supported.PreviewBuild, fmt.Sprintf("3.%d.", supported.Preview)) {
		t.Errorf("%s is not a build of 3.%d", supported.PreviewBuild, supported.Preview)
	}
	for _, tt := range []struct {
		file  string
		words []string
	}{
		{"README.md", []string{oldest, supported.Tested(), preview}},
		{"docs/doctor.md", []string{supported.Tested(), preview}},
		{"docs/limits.md", []string{supported.Tested(), preview}},
		{"docs/neural.md", []string{fmt.Sprintf("Python 3.%d to 3.%d", supported.Oldest, supported.Preview)}},
		{"docs/entry-points.md", []string{supported.Tested()}},
		{"docs/pytest.md", []string{supported.Needed()}},
		{"packaging/nfpm.yaml", []string{oldest}},
		{"packaging/npm/README.md", []string{oldest}},
		{"shim/npdb/pyproject.toml", []string{fmt.Sprintf(`requires-python = ">=3.%d"`, supported.Oldest)}},
		{"trace/tracer/loader.py", []string{fmt.Sprintf("sys.version_info < (3, %d)", supported.Oldest)}},
		{"lab/dataset/recorder/maker/frames.py", []string{fmt.Sprintf("(3, %d) <= VERSION <= (3, %d)", supported.Oldest, supported.Newest)}},
		{".github/workflows/test.yml", []string{fmt.Sprintf(`["3.%d", "3.%d"]`, supported.Oldest, supported.Newest)}},
		{".ci/pythons", []string{fmt.Sprintf("PYTHON_3_%d=", supported.Newest)}},
		{".ci/python315", []string{supported.PreviewBuild}},
	} {
		text, err := os.ReadFile(filepath.Join("../..", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		flat := strings.Join(strings.Fields(string(text)), " ")
		for _, words := range tt.words {
			if !strings.Contains(flat, words) {
				t.Errorf("%s does not say %q: see python/supported", tt.file, words)
			}
		}
	}
}

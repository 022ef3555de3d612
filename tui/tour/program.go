package tour

import (
	_ "embed" // the program is part of the binary
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Name is the file name of the program that the tour debugs.
const Name = "prices.py"

//go:embed prices.py
var source string

// Write writes the program into a folder and returns its path.
func Write(dir string) (path string, err error) {
	path = filepath.Join(dir, Name)
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		return "", fmt.Errorf("the tour's program cannot be written: %w", err)
	}
	return path, nil
}

// fails is the line that raises the exception, and mistake the line that causes it.
var fails, mistake = lineOf("return total / n"), lineOf("int(count or 0)")

// lineOf returns the number of the line that contains a text.
func lineOf(text string) int {
	before, _, found := strings.Cut(source, text)
	if !found {
		panic(fmt.Sprintf("%s has no line with %s", Name, text))
	}
	return 1 + strings.Count(before, "\n")
}

// Report returns the traceback of another failed run of the program at a path, as pytest -l prints it.
func Report(path string) string {
	function := source[strings.Index(source, "def mean_price"):strings.Index(source, "return total / n")]
	var b strings.Builder
	for line := range strings.Lines(function) {
		b.WriteString("    " + line)
	}
	return strings.TrimRight(b.String(), " ") + fmt.Sprintf(`>       return total / n
E       ZeroDivisionError: float division by zero

count      = 0
n          = 0
name       = 'mug'
price      = 7.25
rows       = [('cap', 4.5, 0), ('mug', 7.25, 0)]
total      = 0.0

%s:%d: ZeroDivisionError
`, path, fails)
}

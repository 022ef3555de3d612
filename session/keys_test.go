//go:build unix

package session_test

import (
	"strings"
	"testing"
)

// TestKeysThatAreObjects checks that a key that is not found is refused if other keys are objects,
// which may be equal to it, and that containers with a nan are refused where identity decides.
func TestKeysThatAreObjects(t *testing.T) {
	s := written(t, `import enum
class Color(str, enum.Enum):
    RED = 'red'
class Name(str):
    pass
colors = {Color.RED: 1, 'blue': 2}
names = {Name('red'): 1}
plain = {'blue': 2, 3: 4}
nan = float('nan')
one, other = [nan], [float('nan')]
n = 1
n = 2
`)
	run(s, "b 12", "c", "rn")
	const (
		keys = "some keys are objects, which may be equal to this one: only their own methods know"
		nan  = "nan: a container compares it by identity, which text does not tell"
	)
	for _, c := range [][2]string{
		{"p colors['red']", "*** colors['red']: " + keys},
		{"p 'red' in colors", "*** 'red' in colors: colors: "},
		{"p 'red' not in colors", "*** 'red' not in colors: colors: "},
		{"p colors.get('red')", "*** colors.get('red'): colors: "},
		{"p colors['blue']", "2"},
		{"p 'blue' in colors", "True (from what was recorded)"},
		{"p names['red']", "*** names['red']: " + keys},
		{"p 'red' in names", "*** 'red' in names: names: "},
		{"p 'red' in plain", "False (from "},
		{"p plain['red']", "*** KeyError: 'red' (from "},
		{"last colors['red']", "*** colors['red']: " + keys},
		{"last plain['red']", "*** plain['red'] has no value here"},
		{"p nan in one", "*** nan in one: " + nan},
		{"p one == other", "*** one == other: " + nan},
		{"p one == one", "True (from what was recorded)"},
		{"p nan == nan", "False (from "},
	} {
		if got := run(s, c[0]); !strings.HasPrefix(got, c[1]) {
			t.Errorf("%s is\n%swant\n%s", c[0], got, c[1])
		}
	}
}

//go:build unix

package session_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

const hidingSource = `from collections import namedtuple, Counter, deque
class Property:
    def __init__(self): self.__dict__['v'] = 1; self.z = 3
    @property
    def v(self): return 'property'
class Plain(Property):
    v = 'of the class'
class Reading:
    def __init__(self): self.v = 1
    def __getattribute__(self, name): return 'read'
class Data:
    def __get__(self, instance, owner): return 'got'
    def __set__(self, instance, value): pass
class Described:
    d = Data()
    def __init__(self): self.__dict__['d'] = 1
class NonData:
    def __get__(self, instance, owner): return 'got'
class Hidden:
    d = NonData()
    def __init__(self): self.__dict__['d'] = 1
class Slots:
    __slots__ = ('a', 'b')
class Method(Slots):
    def a(self): pass
class Pair(namedtuple('Pair', 'x y')):
    x = 7
class Nines(namedtuple('Nines', 'x y')):
    def __getitem__(self, i): return 9
class Rows(list): pass
class Fives(list):
    def __getitem__(self, i): return 5
class False_(list):
    def __bool__(self): return False
class Counter(Counter):
    def __getitem__(self, key): return 100
class deque(deque):
    def __len__(self): return 0
p, r, d, h, m, s = Property(), Reading(), Described(), Hidden(), Method(), Plain()
Slots.a.__set__(m, 4); m.b = 2
pair, nines, rows, fives, no = Pair(1, 2), Nines(1, 2), Rows([1, 2]), Fives([1, 2]), False_([1])
c, q, e = Counter('aab'), deque([1]), KeyError(1)
e.code = 3
here = 1
there = 2
`

// TestHiddenAttributes checks that before the live edge an attribute, an element or a length is either
// what the program would read or refused. It is never the stored value that a property or a method
// hides.
func TestHiddenAttributes(t *testing.T) {
	refused := []string{
		"p.v", "r.v", "d.d", "callable(m.a)", "pair.x", "nines[0]", "fives[0]", "len(q)", "c['a']",
		"1 if no else 2", "1 if q else 2",
	}
	answered := []string{
		"p.z", "s.v", "h.d", "m.b", "pair.y", "pair[0]", "nines.x", "rows[1]", "len(rows)",
		"e.args", "e.code", "1 if rows else 2",
	}
	for _, python := range pythons.All(t) {
		t.Run(python.String(), func(t *testing.T) {
			t.Parallel()
			d := debug(t, python, trace.Options{Script: write(t, t.TempDir(), "hiding.py", hidingSource)})
			d.say("b "+strconv.Itoa(strings.Count(hidingSource, "\n")-1), "c")
			live := map[string]string{}
			for _, expr := range append(refused, answered...) {
				live[expr] = d.say("p " + expr)
			}
			d.say("s", "rs")
			for _, expr := range refused {
				if got := d.say("p " + expr); !strings.HasPrefix(got, "*** ") {
					t.Errorf("p %s: %q is not refused; the program reads %q", expr, got, live[expr])
				}
			}
			for _, expr := range answered {
				if got, _, _ := strings.Cut(d.say("p "+expr), " ("); strings.TrimSpace(got) != strings.TrimSpace(live[expr]) {
					t.Errorf("p %s: %q, but the program reads %q", expr, got, live[expr])
				}
			}
			for _, say := range []string{"history p.v", "last p.v", "last fives[0]"} {
				if got := d.say(say); !strings.HasPrefix(got, "*** ") {
					t.Errorf("%s: %q is not refused", say, got)
				}
			}
		})
	}
}

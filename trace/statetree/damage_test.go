package statetree

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/npdb/npdb/dsl"
	"pgregory.net/rapid"
)

// treesToDamage are saved trees of all kinds of content: calls, generators and long recordings;
// objects with many versions; long texts; names of outer activations; holes and exceptions.
var treesToDamage = sync.OnceValue(func() []*saved {
	s := newSynth()
	s.run(6000)
	objects := objectTree()
	values := atoms(objects, 60)
	fail := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	fail(objects.PutWhole(0, formList, 60, values))
	fail(objects.PutWhole(1, formDict, 4, values[:8]))
	fail(objects.PutWhole(2, formObject, 2, []Value{values[0], ObjectValue(0), values[1], ObjectValue(1)}))
	objects.SetValue(0, ObjectValue(2))
	for k := range 200 {
		fail(objects.PutSplice(0, k%50, k%3, values[:k%3]))
		fail(objects.PutEntry(1, values[k%9], values[k%50]))
		fail(objects.PutText(2, fmt.Append(nil, "text ", k)))
		if k%20 == 0 {
			fail(objects.PutWhole(2, formObject, 2, []Value{values[0], ObjectValue(0), values[1], ObjectValue(1)}))
		}
		objects.Event(dsl.Line, 1, dsl.NoReturn, nil)
	}
	objects.Finish()
	names := New()
	names.AddFile(File{Name: "m.py", Source: []byte("x\ny\n")})
	names.AddCode(Code{Name: "<module>", Names: []string{"x", "y"}})
	names.AddCode(Code{Name: "f", Fast: true, Names: []string{"a"}})
	module := names.Enter(0)
	names.Set(0, []byte("0"), false)
	names.Event(dsl.Line, 1, dsl.NoReturn, nil)
	f := names.Enter(1)
	names.Globals(1, module, true)
	for k := range 120 {
		names.SetIn(module, k%2, []byte(strings.Repeat("long ", 100+k)), false)
		names.Set(0, []byte(strings.Repeat("long ", 80)+fmt.Sprint(k)), k%2 == 0)
		names.Said(names.Event(dsl.Exception, 1+k%3, dsl.NoReturn, []byte("E()")), []byte("m.E: no"))
		if k%40 == 0 {
			names.Hole([]uint32{module, f}, []int{1, 2})
		}
	}
	names.Finish()
	var all []*saved
	for _, tree := range []*Tree{s.tree, objects, names} {
		all = append(all, save(panics{}, tree))
	}
	return all
})

// panics fails where there is no test.
type panics struct{}

func (panics) Helper() {}

func (panics) Fatalf(format string, values ...any) { panic(fmt.Sprintf(format, values...)) }

// damagedCopy returns a copy of a saved tree with some changes of its pages or its root. next
// chooses a number below n.
func (s *saved) damagedCopy(next func(n int) int) *saved {
	pages := append(slices.Clone(s.pages), s.root)
	for range 1 + next(3) {
		k := next(len(pages))
		if next(8) == 0 {
			k = len(pages) - 1
		}
		page := slices.Clone(pages[k])
		at := next(len(page) + 1)
		switch next(12) {
		case 0:
			page = page[:at]
		case 1:
			page = pages[next(len(pages))]
		case 2:
			page = slices.Insert(page, at, byte(next(256)))
		case 3, 4:
			large := binary.AppendUvarint(nil, []uint64{1<<31 - 1, 1<<32 - 1, 1 << 35, 1 << 62, 1 << 63, 1<<64 - 1}[next(6)])
			page = append(page[:at], append(large, page[min(at+len(large)*next(2), len(page)):]...)...)
		default:
			for range 1 + next(4) {
				if at < len(page) {
					page[at] = []byte{byte(next(256)), page[at] + 1, page[at] - 1, page[at] ^ 0x80}[next(4)]
					at = next(len(page))
				}
			}
		}
		pages[k] = page
	}
	return &saved{root: pages[len(pages)-1], pages: pages[:len(pages)-1]}
}

// query loads a saved tree and runs all queries as of a few events. It returns the error of
// loading, or the damage that a query met.
func (s *saved) query(next func(n int) int) error {
	tree, err := Load(s.root, s.page, 1<<20)
	if err != nil {
		return err
	}
	var events []int
	if n := tree.Len(); n > 0 {
		events = []int{0, n - 1, next(n), next(n)}
	}
	answers(tree, events, func(string, any) {})
	return tree.Err()
}

// TestDamagedPages runs all queries of trees of which some pages were changed: they must not panic
// and must end.
func TestDamagedPages(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		tree := rapid.SampledFrom(treesToDamage()).Draw(t, "tree")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		err := tree.damagedCopy(random.IntN).query(random.IntN)
		if damage := (*Damage)(nil); errors.As(err, &damage) {
			found++
			if text := damage.Error(); !strings.HasPrefix(text, "the index of the recording is damaged: ") {
				t.Fatalf("the error is %q", text)
			}
		} else if err != nil && !strings.HasPrefix(err.Error(), "the index of the recording has version ") {
			t.Fatalf("the error is a %T: %v", err, err)
		}
	})
	if found == 0 {
		t.Error("no query met damage")
	}
}

// FuzzDamagedPages does the same for changes that the fuzzer chooses.
func FuzzDamagedPages(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(binary.LittleEndian.AppendUint64(nil, seed*0x9e3779b97f4a7c15))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		next := func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			k := int(choices[0])
			if choices = choices[1:]; n > 256 && len(choices) > 0 {
				k = k<<8 | int(choices[0])
				choices = choices[1:]
			}
			return k % n
		}
		all := treesToDamage()
		_ = all[next(len(all))].damagedCopy(next).query(next)
	})
}

package python

import (
	"fmt"
	"reflect"
	"testing"
)

const loopsSource = `import os
for a, (b, *c) in x: print(a)
while True:
    for d in [
        1,
    ]:
        self.total += d
        if (e := d) > 2:
            break
    else:
        g = 1

class K:
    for h in x:
        import re
        def f():
            k = 1
            return k

async def m(self):
    async for n in x:
        self.a.b, o[0] = n
        for p in n:
            pass
    return 1
`

// TestLoopAt checks which loop is around each line, and what it assigns.
func TestLoopAt(t *testing.T) {
	loops := ReadLoops([]byte(loopsSource))
	want := map[int]string{
		2: "for 2", 3: "while 3", 4: "for 4", 5: "for 4", 6: "for 4", 7: "for 4", 8: "for 4", 9: "for 4", 10: "while 3", 11: "while 3",
		14: "for 14", 15: "for 14", 16: "for 14", 21: "async for 21", 22: "async for 21", 23: "for 23", 24: "for 23",
	}
	for line := 1; line <= 25; line++ {
		got := ""
		if l, ok := loops.At(line); ok {
			got = fmt.Sprintf("%s %d", l.Kind, l.Line)
		}
		if got != want[line] {
			t.Errorf("line %d: loop %q, want %q", line, got, want[line])
		}
	}
	for _, w := range []Loop{
		{Kind: "for", Line: 2, Last: 2, Block: [2]int{2, 2}, First: [2]int{2, 2}, Names: []string{"a", "b", "c"}, Targets: []string{"a", "b", "c"}, Function: "<module>"},
		{Kind: "while", Line: 3, Last: 3, Block: [2]int{4, 11}, First: [2]int{4, 6}, Nested: [2]int{4, 11}, Names: []string{"d", "e", "g", "self.total"}, Function: "<module>"},
		{Kind: "for", Line: 4, Last: 6, Block: [2]int{7, 9}, First: [2]int{7, 7}, Names: []string{"d", "e", "g", "self.total"}, Targets: []string{"d"}, Function: "<module>"},
		{Kind: "for", Line: 14, Last: 14, Block: [2]int{15, 18}, First: [2]int{15, 15}, Names: []string{"h"}, Targets: []string{"h"}, Function: "K"},
		{Kind: "async for", Line: 21, Last: 21, Block: [2]int{22, 24}, First: [2]int{22, 22}, Names: []string{"n", "p", "self.a.b"}, Targets: []string{"n"}, Function: "m"},
	} {
		got, ok := loops.At(w.Line)
		got.Around = [2]int{}
		if !ok || !reflect.DeepEqual(got, w) {
			t.Errorf("line %d:\n got %+v\nwant %+v", w.Line, got, w)
		}
	}
	for line, want := range map[int][]int{7: {3, 4}, 11: {3}, 18: nil, 24: {21, 23}} {
		var got []int
		for _, l := range loops.Around(line) {
			got = append(got, l.Line)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("loops around line %d: %v, want %v", line, got, want)
		}
	}
	for line, want := range map[int][]int{1: {2, 3, 4}, 17: nil, 25: {21, 23}} {
		if got := loops.Lines(line); !reflect.DeepEqual(got, want) {
			t.Errorf("loops of the code around line %d: %v, want %v", line, got, want)
		}
	}
}

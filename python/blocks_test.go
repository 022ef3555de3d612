package python

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const blocksSource = `import os
CACHE = {}
def f(a,
      b=1):
    """Docstring."""
    x = (
        a
        + b
    )
    for i in range(
        x
    ):
        y = [j
             for j in x]; z = 1
        if y:
            continue
            z = 2
        elif z: return y; return z
        else:
            z = 3
        z = 4
    else:
        z = 5
    with open(x) as h, \
            open(y):
        z = 6
    z = 7
    while True:
        f(
            1)
    while True:
        f(1)
        f(2)
    while z: f(1)
    return z

@f
class K(
        object):
    size = 3
    async def m(self): return 1
    try:
        pass
    except ValueError:
        raise
    except (A,
            B) as e:
        h = 1
    else:
        h = 2
    finally:
        h = 3
    match h:
        case [1,
              2] if h:
            h = 5
        case _: pass
    h = (lambda: 1)
z = 9
`

// TestBlocks checks the blocks of each code of a source.
func TestBlocks(t *testing.T) {
	var got []string
	for _, c := range ReadBlocks([]byte(blocksSource)).Codes {
		line := fmt.Sprintf("%s %s %d-%d:", c.Name, c.QualName, c.Line, c.Last)
		for _, b := range c.Blocks {
			line += fmt.Sprintf(" %d-%d", b.First, b.Last)
		}
		got = append(got, line)
	}
	want := []string{
		"<module> <module> 1-59: 1-59",
		"f f 3-35: 5-9 10-12 13-15 16-16 17-17 18-18 20-20 21-21 23-23 24-25 26-26 27-27 28-28 29-30 31-31 32-33 34-34 35-35",
		"K K 37-58: 40-42 43-43 44-44 45-45 46-47 48-48 50-50 52-52 53-53 54-55 56-56 57-57 58-58",
		"m K.m 41-41: 41-41",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestBlockAt checks which block a line is in.
func TestBlockAt(t *testing.T) {
	b := ReadBlocks([]byte(blocksSource))
	for line, want := range map[int]string{
		-1: "", 0: "", 60: "", 1 << 40: "", // no lines of the source
		1: "<module> 0", 3: "<module> 0", 4: "<module> 0", 5: "f 0", 12: "f 1", 14: "f 2", 18: "f 5", 36: "",
		37: "<module> 0", 38: "<module> 0", 40: "K 0", 41: "K 0", 55: "K 9", 59: "<module> 0",
	} {
		got := ""
		if code, block, ok := b.At(line); ok {
			got = fmt.Sprintf("%s %d", code.Name, block)
		}
		if got != want {
			t.Errorf("line %d: block %q, want %q", line, got, want)
		}
	}
}

// TestStraight checks which line events continue a block.
func TestStraight(t *testing.T) {
	b := ReadBlocks([]byte(blocksSource))
	for _, test := range []struct {
		from, to int
		want     bool
	}{
		{1, 2, true},        // the next statement
		{1, 37, true},       // def and class do not end a block
		{3, 4, true},        // lines of one statement, in any order
		{4, 3, true},        //
		{7, 6, true},        // the first statement has no event on its first line
		{7, 10, false},      // the header of a loop
		{10, 11, true},      //
		{11, 10, true},      //
		{10, 13, false},     // a body
		{13, 14, true},      //
		{14, 14, true},      // a comprehension
		{14, 13, true},      //
		{14, 15, true},      // if ends a block
		{15, 13, false},     // back
		{15, 18, false},     // elif
		{18, 18, false},     // one line is in one block
		{20, 21, false},     // after a compound statement
		{26, 24, false},     // the exit of with
		{24, 27, false},     //
		{28, 29, false},     //
		{29, 30, true},      // the only statement of an endless loop
		{30, 29, false},     //
		{29, 29, false},     //
		{32, 33, true},      // an endless loop with two
		{33, 32, false},     //
		{34, 34, false},     // a loop on one line
		{1, 40, false},      // the lines of another code
		{40, 41, true},      // a def
		{41, 42, true},      // a try
		{2, 2, false},       // back, by a jump
		{37, 59, true},      //
		{59, 60, false},     // no lines of the source
		{-1, 1, false},      //
		{19, 20, false},     // no line of a statement
		{36, 36, false},     //
		{1 << 40, 1, false}, //
	} {
		if got := b.Straight(test.from, test.to); got != test.want {
			t.Errorf("from %d to %d: %v", test.from, test.to, got)
		}
	}
}

// TestBlockParts checks the parts of the block of a line, and which lines begin a block.
func TestBlockParts(t *testing.T) {
	b := ReadBlocks([]byte(blocksSource))
	for line, want := range map[int]string{
		0: "[]", 36: "[]",
		2:  "[{1 1 0} {2 2 0} {3 4 1} {37 39 1} {59 59 0}]",
		59: "[{1 1 0} {2 2 0} {3 4 1} {37 39 1} {59 59 0}]",
		8:  "[{5 5 0} {6 9 1}]",
		15: "[{13 14 1} {15 15 0}]",
		30: "[{29 30 2}]",
		32: "[{32 32 0} {33 33 0}]",
	} {
		if got := fmt.Sprint(b.Parts(line)); got != want {
			t.Errorf("line %d: parts %s, want %s", line, got, want)
		}
	}
	for line, want := range map[int]bool{1: true, 2: false, 5: true, 6: false, 10: true, 11: true, 14: true, 15: false, 18: true, 21: true, 24: true, 36: true, 59: false} {
		if got := b.Begins(line); got != want {
			t.Errorf("line %d begins a block: %v", line, got)
		}
	}
}

// checkBlocks checks properties that the blocks of any source must have.
func checkBlocks(t *testing.T, source []byte) {
	t.Helper()
	b := ReadBlocks(source)
	last := len(b.lines) - 1
	for _, c := range b.Codes {
		if c.Name != "<module>" && (c.Line < 1 || c.Line > c.Last || c.Last > last) {
			t.Fatalf("%d lines, code %+.200v", last, c)
		}
		before := 0
		for _, block := range c.Blocks {
			if block.First < 1 || block.First > block.Last || block.Last > last || block.First < before {
				t.Fatalf("%d lines, block %+v after line %d of %s", last, block, before, c.Name)
			}
			before = block.First
		}
	}
	for line := 1; line <= last; line++ {
		code, block, ok := b.At(line)
		if ok && (code.Blocks[block].First > line || code.Blocks[block].Last < line) {
			t.Fatalf("line %d is in the block %+v", line, code.Blocks[block])
		}
		if b.Straight(line, line+1) && b.Straight(line+1, line) && b.lines[line] != b.lines[line+1] {
			t.Fatalf("lines %d and %d are straight in both directions", line, line+1)
		}
	}
}

// TestBlocksOfFiles checks properties of the blocks of the example programs and of broken sources.
func TestBlocksOfFiles(t *testing.T) {
	for _, pattern := range []string{"testdata/outline/*.py", "../examples/*.py", "../trace/testdata/programs/*.py"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(filepath.Base(file), func(t *testing.T) {
				checkBlocks(t, source)
				b := ReadBlocks(source)
				for _, line := range Read(source).Outline().Executable {
					if _, _, ok := b.At(line); !ok {
						t.Errorf("line %d has events and no block", line)
					}
				}
			})
		}
	}
	for _, test := range brokenSources {
		checkBlocks(t, []byte(test.source))
	}
	checkBlocks(t, nil)
}

func FuzzBlocks(f *testing.F) {
	f.Add([]byte(blocksSource))
	for _, test := range brokenSources {
		f.Add([]byte(test.source))
	}
	f.Fuzz(func(t *testing.T, source []byte) { checkBlocks(t, source) })
}

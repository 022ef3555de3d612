package traceback

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// prefixed returns a function that puts a prefix before each line. prefix gets the line's index.
func prefixed(prefix func(i int) string) func(string) string {
	return func(text string) string {
		var b strings.Builder
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			b.WriteString(prefix(i) + line + "\n")
		}
		return b.String()
	}
}

func always(prefix string) func(string) string { return prefixed(func(int) string { return prefix }) }

// variants change a text as people and tools change tracebacks before somebody pastes them.
var variants = map[string]func(string) string{
	"as it is":        func(s string) string { return s },
	"CRLF":            func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"CR":              func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
	"no last newline": func(s string) string { return strings.TrimSuffix(s, "\n") },
	"byte order mark": func(s string) string { return "\ufeff" + s },
	"indented":        always("    "),
	"indented by tab": always("\t"),
	"quoted":          always("> "),
	"quoted twice":    always("> > "),
	"fence":           func(s string) string { return "It fails:\n\n```pytb\n" + s + "```\n\nWhy?\n" },
	"fence in list":   func(s string) string { return "1. Run it\n\n" + always("   ")("```\n"+s+"```\n") + "2. See\n" },
	"basicConfig":     always("ERROR:root:"),
	"docker compose":  always("web_1  | "),
	"docker compose with time": prefixed(func(i int) string {
		return fmt.Sprintf("web-1  | 2026-11-28T03:19:%02d.%dZ ", i%60, 123456789+i*7919)
	}),
	"journalctl": prefixed(func(i int) string { return fmt.Sprintf("Nov %2d 03:19:%02d host python3[%d]: ", 9+i/2, i%60, 998+i/30) }),
	"kernel":     prefixed(func(i int) string { return fmt.Sprintf("[%5d.%06d] ", 97+i, i*31) }),
	"GitHub":     prefixed(func(i int) string { return fmt.Sprintf("2026-11-28T03:19:01.%07dZ ", 1234567+i) }),
	"logging":    prefixed(func(i int) string { return fmt.Sprintf("2026-11-28 03:19:01,%03d ERROR [worker-3] shop.web: ", i%1000) }),
	"systemd":    always("<3>"),
	"blanks at line ends": func(s string) string {
		return strings.ReplaceAll(s, "\n", "   \n")
	},
	"coloured": func(s string) string {
		return regexp.MustCompile(`(?m)^(\s*)(\S+)`).ReplaceAllString(s, "$1\x1b[1;31m$2\x1b[0m\x1b[K")
	},
	"hyperlinks": func(s string) string {
		return regexp.MustCompile(`/tmp/shop/[a-z_]+\.py`).ReplaceAllString(s, "\x1b]8;;file://$0\x1b\\$0\x1b]8;;\x1b\\")
	},
	"text around": func(s string) string {
		return "$ python3 run.py\nready: 3 items\n" + s + "\nDone (1 error): exiting.\n"
	},
	"other containers": func(s string) string {
		return prefixed(func(i int) string {
			if i%2 == 1 {
				return "db_1   | LOG: checkpoint in progress, line 3\nweb_1  | "
			}
			return "web_1  | "
		})(s)
	},
	"after another": func(s string) string {
		return "Traceback (most recent call last):\n  File \"/srv/first.py\", line 1, in <module>\n    first()\nOSError: no\n\n" + s
	},
	"before a cut one": func(s string) string {
		return s + "\nTraceback (most recent call last):\n  File \"/srv/next.py\", line 1, in <module>\n    next()\n"
	},
}

// variedCases are the outputs with which each variant is tested: those that include the first and
// the last line of their form.
var variedCases = []string{
	"shop-3.9", "shop-3.14", "chained-3.12", "unraised-3.11", "group-3.14", "tasks-3.12", "deep-3.14", "broken-3.14", "imports_broken-3.13",
	"empty-3.13", "lines_long-3.13", "locals_shown-3.13", "futures-3.14", "pool-3.12", "command-3.12", "evaluated-3.13", "crash-3.14", "hang-3.11",
	"rich_shop-3.11", "rich_plain-3.11", "rich_broken-3.11", "rich-ascii-3.11", "cells-3.11", "cells-verbose-3.11", "cells-plain-3.11",
	"ipython-chained-3.11", "long-locals-3.11", "long-3.11", "long-chained-3.11", "long-syntax-3.11", "short-locals-3.11", "short-chained-3.11",
	"native-3.11", "unit-locals-3.12", "doctest-3.13", "loguru_shop-3.11", "logged-3.12",
}

func TestVariants(t *testing.T) {
	for _, file := range variedCases {
		text := readReal(t, file)
		want := ""
		for _, c := range realCases {
			if c.file == file {
				want = c.want
			}
		}
		for name, vary := range variants {
			trace, err := Parse(vary(text))
			if err != nil {
				t.Errorf("%s, %s: %v", file, name, err)
			} else if got := describe(trace); got != want {
				t.Errorf("%s, %s: got:\n%swant:\n%sof:\n%s", file, name, got, want, vary(text))
			}
		}
	}
}

// TestOnlyHeaderPrefixed checks that a traceback is parsed if a logger put its prefix before the
// first line only.
func TestOnlyHeaderPrefixed(t *testing.T) {
	for _, prefix := range []string{"ERROR:root:", "2026-11-28 03:19:01,123 ERROR shop: ", "[E 03:19 shop] ", " 10%|##    | 1/10 [00:00<00:01, 1.2it/s]"} {
		trace, err := Parse(prefix + readReal(t, "shop-3.12"))
		if err != nil || describe(trace) != divided+shop {
			t.Errorf("%q: %v, %v", prefix, trace, err)
		}
	}
}

// TestFlattened checks that a traceback is parsed if its lines have lost their indentation.
func TestFlattened(t *testing.T) {
	flatten := regexp.MustCompile(`(?m)^[ \t]+`)
	for _, file := range []string{"shop-3.9", "shop-3.14", "deep-3.14", "imports_broken-3.13", "command-3.12", "evaluated-3.13", "chained-3.12"} {
		for _, c := range realCases {
			if c.file != file {
				continue
			}
			for _, prefix := range []string{"", "> ", "    ", "12:00:01 "} {
				text := always(prefix)(flatten.ReplaceAllString(readReal(t, file), ""))
				if trace, err := Parse(text); err != nil || describe(trace) != c.want {
					t.Errorf("%s with %q: %v, %v", file, prefix, err, text)
				}
			}
		}
	}
}

// TestEscaped checks that a traceback is found inside a JSON log record and inside a Python repr.
func TestEscaped(t *testing.T) {
	text := readReal(t, "shop-3.12")
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range []string{
		`{"level": "error", "exc_info": ` + string(quoted) + `, "logger": "shop"}`,
		`event='failed' exception='` + strings.ReplaceAll(strings.ReplaceAll(text, "'", `\'`), "\n", `\n`) + `'`,
	} {
		trace, err := Parse("starting\n" + record + "\nnext\n")
		if err != nil || describe(trace) != divided+shop {
			t.Errorf("%s: %v, %v", record, trace, err)
		}
	}
}

// stack is one line of testdata/stacks.jsonl: the frames of a Python program, and the traceback
// that it printed.
type stack struct {
	Frames        [][]any
	Type, Message string
	Text          string
}

func readStacks(t testing.TB) []stack {
	t.Helper()
	file, err := os.Open("testdata/stacks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var stacks []stack
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var one stack
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		stacks = append(stacks, one)
	}
	if len(stacks) < 200 || lines.Err() != nil {
		t.Fatal(len(stacks), lines.Err())
	}
	return stacks
}

// check compares a trace with the stack.
func (s *stack) check(trace *Trace) error {
	if len(trace.Frames) != len(s.Frames) {
		return fmt.Errorf("%d frames of %d", len(trace.Frames), len(s.Frames))
	}
	for i, f := range trace.Frames {
		if got, want := fmt.Sprint([]any{f.File, float64(f.Line), f.Function, f.Source}), fmt.Sprint(s.Frames[i]); got != want {
			return fmt.Errorf("frame %d: got %s, want %s", i, got, want)
		}
	}
	message := trace.Message
	for _, line := range trace.Notes {
		message += "\n" + line
	}
	if trace.Type != s.Type || message != strings.TrimRight(s.Message, " ") {
		return fmt.Errorf("got %s: %q, want %s: %q", trace.Type, message, s.Type, s.Message)
	}
	return nil
}

// TestKnownStacks checks that the traceback that Python prints for a known stack is parsed to that
// stack, in each variant.
func TestKnownStacks(t *testing.T) {
	for i, s := range readStacks(t) {
		for name, vary := range variants {
			text := vary(s.Text)
			trace, err := Parse(text)
			if err == nil {
				err = s.check(trace)
			}
			if err != nil {
				t.Fatalf("stack %d, %s: %v\n%s", i, name, err, text)
			}
		}
	}
}

// TestKnownStacksCut cuts each text at each line, at the beginning or the end. It checks that the
// remaining frames are right, and that NoStart and NoEnd report what is missing.
func TestKnownStacksCut(t *testing.T) {
	for i, s := range readStacks(t)[:60] {
		lines := strings.SplitAfter(s.Text, "\n")
		for n := 1; n < len(lines)-1; n++ {
			if trace, err := Parse(strings.Join(lines[n:], "")); err == nil {
				checkTail(t, i, n, &s, trace)
			}
			if trace, err := Parse(strings.Join(lines[:n], "")); err == nil && trace.NoEnd {
				checkHead(t, i, n, &s, trace)
			}
		}
	}
}

func checkTail(t *testing.T, i, n int, s *stack, trace *Trace) {
	t.Helper()
	skipped := len(s.Frames) - len(trace.Frames)
	if skipped < 0 || !trace.NoStart {
		t.Fatalf("stack %d from line %d: %d frames of %d, NoStart %v", i, n, len(trace.Frames), len(s.Frames), trace.NoStart)
	}
	rest := *s
	rest.Frames = s.Frames[skipped:]
	if err := rest.check(trace); err != nil {
		t.Fatalf("stack %d from line %d: %v\n%s", i, n, err, s.Text)
	}
}

func checkHead(t *testing.T, i, n int, s *stack, trace *Trace) {
	t.Helper()
	for k, f := range trace.Frames {
		if f.File != s.Frames[k][0] || float64(f.Line) != s.Frames[k][1] || f.Function != s.Frames[k][2] {
			t.Fatalf("stack %d to line %d: frame %d is %v of\n%s", i, n, k, f, s.Text)
		}
	}
}

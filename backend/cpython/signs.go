package cpython

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/python"
)

// signs holds what a program's source reveals about whether the program is deterministic.
type signs struct {
	program *dsl.Program
	twins   int  // number of further runs that must agree with the first
	seeded  bool // the program seeds its random generator

	mu      sync.Mutex                 // questions about one program run concurrently
	varying map[string]*python.Varying // the names whose values vary between runs, by file
}

// Numbers of further runs that must agree with the first. twins is for programs of which two runs can
// agree by chance.
const (
	twin  = 1
	twins = 3
)

// steadyModules are the modules of the standard library that behave the same in each run.
var steadyModules = strings.Fields(`__future__ abc array ast base64 binascii bisect calendar cmath codecs collections
	colorsys contextlib contextvars copy copyreg csv dataclasses decimal difflib dis enum fnmatch fractions functools graphlib
	hashlib heapq hmac html io itertools json keyword math numbers opcode operator pprint re reprlib shlex
	statistics string struct symtable textwrap token tokenize types typing unicodedata warnings zlib`)

// chanceModules are modules with random values or a random order of events.
var chanceModules = strings.Fields(`random secrets uuid threading _thread multiprocessing concurrent queue`)

var (
	// tells matches names with which a program can behave differently in each run, without an import.
	tells = regexp.MustCompile(`\b(id|hash|object|open|__import__|exec|eval|globals|locals|vars|dir|__file__|__builtins__|__spec__|__loader__|__path__)\b`)
	// A program that matches both classes and sets may contain a set whose order depends on addresses of
	// objects.
	classes  = regexp.MustCompile(`(?m)^\s*class\s|\blambda\b|\bobject\b`)
	sets     = regexp.MustCompile(`\bset\s*\(|\bfrozenset\b|\.add\s*\(|\{[^{}:]*[^{}:\s][^{}:]*\}`)
	seeds    = regexp.MustCompile(`\bseed\s*\(|\bRandom\s*\(\s*[^)\s]`)
	address  = regexp.MustCompile(`\b0x[0-9a-fA-F]{6,}`)
	byChance = []string{"time.", "datetime.", "random.", "secrets.", "uuid.", "os.", "tempfile.", "socket.", "threading."}
)

// readSigns analyses the source of a program.
func readSigns(p *dsl.Program) *signs {
	s := &signs{program: p, varying: map[string]*python.Varying{}}
	own := map[string]bool{}
	for _, f := range p.Files {
		for _, part := range strings.Split(strings.TrimSuffix(f.Name, ".py"), "/") {
			own[part] = true
		}
	}
	for _, f := range p.Files {
		text := sourceText(f.Lines)
		for _, i := range python.Read([]byte(text)).Imports() {
			root, _, _ := strings.Cut(i.Module, ".")
			switch {
			case i.Level > 0, i.TypeChecking, own[root], slices.Contains(steadyModules, root):
			case slices.Contains(chanceModules, root):
				s.twins = twins
			default:
				s.twins = max(s.twins, twin)
			}
		}
		if tells.MatchString(text) {
			s.twins = max(s.twins, twin)
		}
		if classes.MatchString(text) && sets.MatchString(text) {
			s.twins = twins
		}
		s.seeded = s.seeded || seeds.MatchString(text)
	}
	return s
}

// needed returns the number of further runs that must agree with a reply before it is returned.
func (s *signs) needed(r dsl.Reply) int {
	if s.twins == 0 && r.Stop != nil {
		shows := func(l dsl.Local) bool { return address.MatchString(l.Value) }
		if slices.ContainsFunc(r.Stop.Locals, shows) || r.Stop.Value != nil && address.MatchString(*r.Stop.Value) {
			return twin
		}
	}
	return s.twins
}

// chance looks for a value in a state that comes from a random source or a clock, as two runs could
// agree on it by chance. It returns the value's name and the call from which it comes, or "".
func (s *signs) chance(r dsl.Reply) (name, call string) {
	if s.twins == 0 || r.Stop == nil {
		return "", ""
	}
	v := s.varyingIn(r.Stop.File)
	if v == nil {
		return "", ""
	}
	for _, l := range visible(r.Stop.Locals) {
		if call = v.Name(r.Stop.Line, l.Name); s.varies(call) {
			return l.Name, call
		}
	}
	if r.Stop.Value != nil && *r.Stop.Value != "None" {
		if call = v.Line(r.Stop.Line); s.varies(call) {
			return "the value", call
		}
	}
	return "", ""
}

// varyingIn returns the names of a file whose values vary between runs, or nil if the program does not
// contain the file.
func (s *signs) varyingIn(file string) *python.Varying {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.varying[file]
	if v == nil {
		i, ok := fileOf(s.program, file)
		if !ok {
			return nil
		}
		v = python.ReadVarying([]byte(sourceText(s.program.Files[i].Lines)))
		s.varying[file] = v
	}
	return v
}

func (s *signs) varies(call string) bool {
	if s.seeded && strings.HasPrefix(call, "random.") {
		return false // the seed may determine the value: several runs show whether it does
	}
	return slices.ContainsFunc(byChance, func(prefix string) bool { return strings.HasPrefix(call, prefix) })
}

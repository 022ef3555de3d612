package dsl

import (
	"fmt"
	"sort"
	"strings"
)

// Token is one of the special tokens that separate the parts of an nd/1 text.
type Token uint8

// The tokens of nd/1. The first eight are the Code World Model's own.
const (
	ContextStart Token = iota
	FrameSep
	CallSep
	LineSep
	ReturnSep
	ExceptionSep
	ActionSep
	ArgSep
	StackSep
	DebugSep
	FileSep
	EndSep
	StartSep
	UnknownSep
	CompactSep
	tokenCount
)

// The ids of the first eight tokens are those of the Code World Model's tokenizer, which is Llama
// 3's with some reserved tokens in use. nd/1's other tokens use the ids after them.
var tokenTable = [tokenCount]struct {
	role string
	id   int
}{
	ContextStart: {"trace_context_start", 128107},
	FrameSep:     {"frame_sep", 128100},
	CallSep:      {"call_sep", 128103},
	LineSep:      {"line_sep", 128104},
	ReturnSep:    {"return_sep", 128102},
	ExceptionSep: {"exception_sep", 128105},
	ActionSep:    {"action_sep", 128101},
	ArgSep:       {"arg_sep", 128106},
	StackSep:     {"stack_sep", 128108},
	DebugSep:     {"debug_sep", 128109},
	FileSep:      {"file_sep", 128110},
	EndSep:       {"end_sep", 128111},
	StartSep:     {"start_sep", 128112},
	UnknownSep:   {"unknown_sep", 128113},
	CompactSep:   {"compact_sep", 128114},
}

// Tokens lists all tokens.
func Tokens() []Token {
	all := make([]Token, tokenCount)
	for i := range all {
		all[i] = Token(i)
	}
	return all
}

// String returns the token's role, such as "frame_sep": the key of its name in a
// configuration.
func (t Token) String() string {
	if t >= tokenCount {
		return fmt.Sprintf("Token(%d)", uint8(t))
	}
	return tokenTable[t].role
}

// CWMID returns the token's id in the vocabulary of the Code World Model's tokenizer (Llama 3).
// nd/1's own tokens use ids that Llama 3 reserves.
func (t Token) CWMID() int { return tokenTable[t].id }

// Format is nd/1 with the token spellings of one model.
type Format struct{ names [tokenCount]string }

// ND1 is nd/1 with its own token names: "<|frame_sep|>" and so on.
var ND1 = func() *Format {
	f, err := NewFormat(nil)
	if err != nil {
		panic(err)
	}
	return f
}()

// NewFormat returns nd/1 with other token spellings. names maps a token's role ("debug_sep") to its
// spelling in the model's vocabulary ("<|reserved_special_token_101|>"); other roles keep nd/1's
// spelling. A spelling begins with "<|" and ends with "|>", so that content never contains it, and
// no spelling may be a prefix of another.
func NewFormat(names map[string]string) (*Format, error) {
	f := &Format{}
	known := map[string]Token{}
	for _, t := range Tokens() {
		f.names[t] = "<|" + t.String() + "|>"
		known[t.String()] = t
	}
	roles := make([]string, 0, len(names))
	for role := range names {
		roles = append(roles, role)
	}
	sort.Strings(roles)
	for _, role := range roles {
		t, ok := known[role]
		if !ok {
			return nil, fmt.Errorf("nd/1 has no token %q: its tokens are %v", role, Tokens())
		}
		name := names[role]
		if len(name) < 5 || !strings.HasPrefix(name, "<|") || !strings.HasSuffix(name, "|>") || strings.ContainsAny(name, "\r\n") {
			return nil, fmt.Errorf("%q cannot name the token %s: a token begins with <| and ends with |>, on one line", name, role)
		}
		f.names[t] = name
	}
	for a, name := range f.names {
		for b, other := range f.names {
			if a != b && strings.HasPrefix(other, name) {
				return nil, fmt.Errorf("the tokens %v and %v cannot be told apart: %q and %q", Token(a), Token(b), name, other)
			}
		}
	}
	return f, nil
}

// Name returns the token's spelling in the model's vocabulary.
func (f *Format) Name(t Token) string { return f.names[t] }

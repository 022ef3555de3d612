package highlight

import (
	"reflect"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// TestLexerIsChromas checks that the embedded lexer is the one of the chroma version in
// go.mod, as chroma's own package reads it.
func TestLexerIsChromas(t *testing.T) {
	own, theirs := lexer().(*chroma.RegexLexer), lexers.Get("python").(*chroma.RegexLexer)
	if !reflect.DeepEqual(own.Config(), theirs.Config()) || !reflect.DeepEqual(own.MustRules(), theirs.MustRules()) {
		t.Error("the lexer is not chroma's: copy its lexers/embedded/python.xml to tui/highlight/chroma")
	}
}

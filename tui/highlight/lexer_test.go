package highlight

import (
	"reflect"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// The lexer is that of the version of chroma that go.mod names, as its own package
// reads it.
func TestLexerIsChromas(t *testing.T) {
	own, theirs := lexer().(*chroma.RegexLexer), lexers.Get("python").(*chroma.RegexLexer)
	if !reflect.DeepEqual(own.Config(), theirs.Config()) || !reflect.DeepEqual(own.MustRules(), theirs.MustRules()) {
		t.Error("the lexer is not chroma's: copy its lexers/embedded/python.xml to tui/highlight/chroma")
	}
}

package themes

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/alecthomas/chroma/v2/styles"
)

// The styles are those of the version of chroma that go.mod names, as its own
// package reads them.
func TestChromaStylesAreItsOwn(t *testing.T) {
	own := chromaStyles()
	if got, want := slices.Sorted(maps.Keys(own)), slices.Sorted(maps.Keys(styles.Registry)); !slices.Equal(got, want) {
		t.Errorf("the styles are %v, chroma has %v: copy its styles/*.xml to themes/chroma", got, want)
	}
	for name, style := range styles.Registry {
		if !reflect.DeepEqual(own[name], style) {
			t.Errorf("%s is not chroma's: copy its styles/*.xml to themes/chroma", name)
		}
	}
}

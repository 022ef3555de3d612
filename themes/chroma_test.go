package themes

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/alecthomas/chroma/v2/styles"
)

// TestChromaStylesAreItsOwn checks that the style files equal those of the chroma version in
// go.mod.
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

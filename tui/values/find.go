package values

import (
	"slices"
	"sort"

	"github.com/npdb/npdb/tui/highlight"
)

// Path leads from a value to one inside it: the index of a child, of its child, and so on. An
// empty path is the value itself.
type Path []int

// maxDepth limits the depth that is parsed at once. Recordings are not deeper; a deeper text would
// be read as a whole at each depth.
const maxDepth = 100

// Find searches the value's text, keys included. It returns for each match the innermost child that
// contains it, in order, each once, and at most most. ignoreCase is that of highlight.Match.
func (n *Node) Find(needle string, ignoreCase bool, most int) []Path {
	var found []Path
	for _, r := range highlight.Match(n.Text, needle, ignoreCase) {
		if len(found) == most {
			break
		}
		path := n.at(r)
		if k := len(found); k == 0 || !slices.Equal(found[k-1], path) {
			found = append(found, path)
		}
	}
	return found
}

// at returns the innermost child that contains a part of the text.
func (n *Node) at(r highlight.Range) Path {
	var path Path
	for len(path) < maxDepth {
		i := sort.Search(n.Len(), func(i int) bool { return int(n.spans[i].end) >= r.End })
		if i == n.Len() || r.Start < int(n.spans[i].start) {
			break
		}
		path = append(path, i)
		value := int(n.spans[i].value)
		if r.Start < value {
			break // in the key
		}
		n, r = n.Child(i).Node, highlight.Range{Start: r.Start - value, End: r.End - value}
	}
	return path
}

// Follow returns the value at a path, and whether there is one.
func (n *Node) Follow(path Path) (*Node, bool) {
	for _, i := range path {
		if i < 0 || i >= n.Len() {
			return nil, false
		}
		n = n.Child(i).Node
	}
	return n, true
}

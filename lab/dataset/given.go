package dataset

import (
	"github.com/npdb/npdb/lab/programs"
)

// Programs are given programs without duplicates of text and call.
type Programs struct {
	list   *programs.List
	places []int // indexes into the list
	source Source
}

// OpenPrograms finds the programs at a path: see programs.Open. name is its name in
// Settings.
func OpenPrograms(path, name string) (*Programs, error) {
	list, err := programs.Open(path)
	if err != nil {
		return nil, err
	}
	g, seen := &Programs{list: list}, keys{}
	for i := range list.Len() {
		if seen.add(list.Key(i)) {
			g.places = append(g.places, i)
		}
	}
	g.source = Source{Kind: Given, Name: name, Programs: len(g.places), Alike: list.Len() - len(g.places), Digest: list.Digest()}
	return g, nil
}

// Source returns their description for Settings.
func (g *Programs) Source() Source { return g.source }

// Close closes the file of the programs.
func (g *Programs) Close() error { return g.list.Close() }

// program returns the program with a number; after the last one they start over.
func (g *Programs) program(number int) (programs.Program, error) {
	return g.list.Program(g.places[number%len(g.places)])
}

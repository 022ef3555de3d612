package dataset

import (
	"github.com/npdb/npdb/lab/programs"
)

// Programs are given programs, each text and call once.
type Programs struct {
	list   *programs.List
	places []int // in the list
	source Source
}

// OpenPrograms finds the programs at a path: see programs.Open. name is what it is called
// in Settings.
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

// Source returns what Settings say of them.
func (g *Programs) Source() Source { return g.source }

// Close closes the file that they are read from.
func (g *Programs) Close() error { return g.list.Close() }

// program returns the program of a number: after the last comes the first again.
func (g *Programs) program(number int) (programs.Program, error) {
	return g.list.Program(g.places[number%len(g.places)])
}

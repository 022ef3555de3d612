package dataset

import (
	"github.com/npdb/npdb/lab/programs"
)

// Programs holds the programs that a user has given, without duplicates: each pair of text and call
// occurs once.
type Programs struct {
	list   *programs.List
	places []int // indexes in list of the programs, without duplicates
	source Source
}

// OpenPrograms reads the programs at a path: a file or a folder, see programs.Open. name is
// the name of this source in Settings.
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

// Source returns the description of the programs for Settings.
func (g *Programs) Source() Source { return g.source }

// Close closes the file from which programs are read.
func (g *Programs) Close() error { return g.list.Close() }

// program returns the program for a number. After the last program, the numbers continue with the first
// one again.
func (g *Programs) program(number int) (programs.Program, error) {
	return g.list.Program(g.places[number%len(g.places)])
}

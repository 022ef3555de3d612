package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/npdb/npdb/internal/plainfile"
)

// Manifest says what a dataset holds.
type Manifest struct {
	Settings Settings         `json:"settings"`
	Shards   int              `json:"shards"` // that there are to be
	Made     int              `json:"made"`   // of them, those that are counted here
	Programs Counts           `json:"programs"`
	Repeated int              `json:"repeated"` // trajectories of given ones that are left out, as an earlier one has their text
	Splits   map[string]Split `json:"splits"`   // by Train and Test, those that have lines
	Failures map[string]int   `json:"failures"` // programs that have no trajectories, by reason
	Failed   []FailedProgram  `json:"failed"`   // of given ones, each once
	Files    []File           `json:"files"`
}

// Counts counts programs.
type Counts struct {
	Recorded   int `json:"recorded"`   // or tried: all
	Kept       int `json:"kept"`       // those that have trajectories
	HeldOut    int `json:"held_out"`   // of them, those to test with
	Duplicates int `json:"duplicates"` // those of which nothing is kept, as earlier ones have it
	Failed     int `json:"failed"`
}

// Split is what is to train or to test with.
type Split struct {
	Files int    `json:"files"`
	Size  int64  `json:"size"` // bytes, compressed
	Tally *Tally `json:"tally"`
}

// FailedProgram is a given program that has no trajectories.
type FailedProgram struct {
	Program string `json:"program"`
	Reason  string `json:"reason"`
}

const (
	manifestFile = "manifest.json"
	mostManifest = 1 << 30 // bytes
)

func newManifest(s *Settings) *Manifest {
	return &Manifest{Settings: *s, Shards: s.shards(), Splits: map[string]Split{}, Failures: map[string]int{}, Failed: []FailedProgram{}, Files: []File{}}
}

// add counts a shard; said has the given programs that are named as failed.
func (m *Manifest) add(p *part, said map[FailedProgram]bool) {
	m.Made++
	m.Programs.Recorded += p.Programs
	m.Programs.Kept += p.Kept
	m.Programs.Duplicates += p.Duplicates
	m.Programs.Failed += len(p.Failed)
	m.Repeated += p.Repeated
	for _, f := range p.Failed {
		m.Failures[f.Reason]++
		if one := (FailedProgram{f.Program, f.Reason}); f.Program != "" && !said[one] {
			said[one] = true
			m.Failed = append(m.Failed, one)
		}
	}
	for _, name := range Splits() {
		f, ok := p.Splits[name]
		if !ok {
			continue
		}
		if name == Test {
			m.Programs.HeldOut += f.Tally.Programs
		}
		s := m.Splits[name]
		if s.Tally == nil {
			s.Tally = newTally()
		}
		s.Files++
		s.Size += f.Size
		s.Tally.add(f.Tally)
		m.Splits[name] = s
		m.Files = append(m.Files, f.File)
	}
}

// Stat returns what a folder holds: its manifest, or what the shards that are there come to.
func Stat(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestFile)
	raw, err := plainfile.Read(path, mostManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return sum(dir)
	}
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// parseManifest reads a manifest.
func parseManifest(raw []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(raw, m); err != nil {
		return nil, err
	}
	for name, s := range m.Splits {
		if s.Tally == nil {
			return nil, fmt.Errorf("split %q has no counts", name)
		}
	}
	err := m.Settings.check()
	return m, err
}

// sum counts the shards that are there.
func sum(dir string) (*Manifest, error) {
	s, err := readSettings(dir)
	if err != nil {
		return nil, fmt.Errorf("%s is no dataset: %w", dir, err)
	}
	m, said := newManifest(s), map[FailedProgram]bool{}
	for k := range s.shards() {
		p, err := s.readPart(dir, k)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			m.add(p, said)
		}
	}
	return m, nil
}

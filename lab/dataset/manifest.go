package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/npdb/npdb/internal/plainfile"
)

// Manifest describes the content of a dataset.
type Manifest struct {
	Settings Settings `json:"settings"`
	Shards   int      `json:"shards"` // planned number of shards
	Made     int      `json:"made"`   // number of shards that exist and are counted here
	Programs Counts   `json:"programs"`
	// Repeated counts the trajectories of given programs that were dropped because an
	// earlier trajectory has the same text.
	Repeated int              `json:"repeated"`
	Splits   map[string]Split `json:"splits"`   // by name; a split without lines is missing
	Failures map[string]int   `json:"failures"` // number of programs without trajectories, by reason
	Failed   []FailedProgram  `json:"failed"`   // given programs without trajectories, each once
	Files    []File           `json:"files"`
}

// Counts counts the programs of a dataset by their outcome.
type Counts struct {
	Recorded   int `json:"recorded"`   // all programs that were tried
	Kept       int `json:"kept"`       // programs with trajectories
	HeldOut    int `json:"held_out"`   // kept programs in the test split
	Duplicates int `json:"duplicates"` // programs that were dropped as duplicates of earlier ones
	Failed     int `json:"failed"`
}

// Split describes the part of a dataset for training, or the one for testing.
type Split struct {
	Files int    `json:"files"`
	Size  int64  `json:"size"` // compressed size in bytes
	Tally *Tally `json:"tally"`
}

// FailedProgram is a given program without trajectories.
type FailedProgram struct {
	Program string `json:"program"`
	Reason  string `json:"reason"`
}

const (
	manifestFile = "manifest.json"
	mostManifest = 1 << 30 // maximum size of a manifest in bytes
)

func newManifest(s *Settings) *Manifest {
	return &Manifest{Settings: *s, Shards: s.shards(), Splits: map[string]Split{}, Failures: map[string]int{}, Failed: []FailedProgram{}, Files: []File{}}
}

// add adds a shard to the counts. said holds the failed programs that the manifest already lists.
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

// Stat describes the dataset in a folder: it returns the manifest or, if there is none yet,
// one that is computed from the existing shards.
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

// parseManifest decodes a manifest and checks its settings.
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

// sum computes a manifest from the shards that exist in a folder.
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

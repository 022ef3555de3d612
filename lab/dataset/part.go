package dataset

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/npdb/npdb/internal/plainfile"
)

// part describes the content of a shard. It is written after the shard's files, so a shard without a
// part is incomplete.
type part struct {
	Shard      int `json:"shard"`
	Programs   int `json:"programs"`   // number of Kept, Duplicates and Failed together
	Kept       int `json:"kept"`       // number of programs with trajectories
	Duplicates int `json:"duplicates"` // dropped duplicates of earlier programs
	// Repeated counts the trajectories of given programs that were dropped because an
	// earlier trajectory has the same text.
	Repeated int                    `json:"repeated"`
	Failed   []failed               `json:"failed"` // programs without trajectories, by number
	Splits   map[string]*splitShard `json:"splits"` // by name; a split without lines is missing
	// Keys lists the keys of kept programs if they are generated, or the keys of all trajectories of
	// given programs.
	Keys []numberKey `json:"keys"`
}

// splitShard describes the file with a shard's lines for one split.
type splitShard struct {
	File
	Tally *Tally `json:"tally"`
}

// File describes a file of a dataset.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"` // in bytes
	SHA256 string `json:"sha256"`
}

// failed is a program without trajectories.
type failed struct {
	Number  int    `json:"number"`
	Program string `json:"program"` // name of a given program; "" for a generated one
	Reason  string `json:"reason"`
}

// numberKey is the number of a program, with the key of the program or of one of its
// trajectories. Equal texts have equal keys.
type numberKey struct {
	Number int `json:"number"`
	Key    key `json:"key"`
}

// key is a hash computed by programs.Key. In JSON it has 16 hexadecimal digits.
type key uint64

// MarshalText implements encoding.TextMarshaler.
func (k key) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(k)), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *key) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 64)
	*k = key(n)
	return err
}

// The splits of a dataset: for training, and held out for testing.
const (
	Train = "train"
	Test  = "test"
)

// Splits returns the names of the splits, in order.
func Splits() []string { return []string{Train, Test} }

const (
	partsDir = "parts"
	mostPart = 1 << 30 // maximum size of a part in bytes
)

// shardName returns the name of a shard's file for a split. The name follows the pattern by
// which the library datasets of Hugging Face recognises splits.
func (s *Settings) shardName(split string, shard int) string {
	return fmt.Sprintf("%s-%05d-of-%05d.jsonl.zst", split, shard, s.shards())
}

func partName(shard int) string { return filepath.Join(partsDir, fmt.Sprintf("%05d.json", shard)) }

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// readPart reads the description of a shard. If the shard was not made, the error wraps
// fs.ErrNotExist.
func (s *Settings) readPart(dir string, shard int) (*part, error) {
	path := filepath.Join(dir, partName(shard))
	raw, err := plainfile.Read(path, mostPart)
	if err != nil {
		return nil, err
	}
	p, err := s.parsePart(raw, shard)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// parsePart decodes a shard's description. It returns an error if the numbers or names in it are
// impossible for this shard.
func (s *Settings) parsePart(raw []byte, shard int) (*part, error) {
	p := &part{}
	if err := json.Unmarshal(raw, p); err != nil {
		return nil, err
	}
	from, to := s.numbers(shard)
	inside := func(n, last int) bool { return n >= from && n < to && n > last }
	programs, last := 0, -1
	for _, f := range p.Failed {
		if !inside(f.Number, last) {
			return nil, fmt.Errorf("it says of program %d, which is not in its place, that it failed", f.Number)
		}
		last = f.Number
	}
	last = -1
	generated, keyed, lines := s.Source.Kind == Generated, 0, 0
	for _, k := range p.Keys {
		if again := !generated && k.Number == last; again {
			continue
		}
		if !inside(k.Number, last) {
			return nil, fmt.Errorf("it has a key of program %d, which is not in its place", k.Number)
		}
		last = k.Number
		keyed++
	}
	for split, f := range p.Splits {
		if f == nil || f.Tally == nil || f.Name != s.shardName(split, shard) || split != Train && split != Test || !digest.MatchString(f.SHA256) || f.Size < 1 {
			return nil, fmt.Errorf("it has no file of split %q", split)
		}
		programs += f.Tally.Programs
		lines += f.Tally.Lines
	}
	switch {
	case p.Shard != shard || p.Programs != to-from:
		return nil, fmt.Errorf("it is of shard %d with %d programs, and not of %d with %d", p.Shard, p.Programs, shard, to-from)
	case p.Kept < 0 || p.Duplicates < 0 || p.Kept+p.Duplicates+len(p.Failed) != p.Programs || programs != p.Kept || keyed != p.Kept:
		return nil, fmt.Errorf("its %d programs are not the %d kept, %d alike and %d that failed", p.Programs, p.Kept, p.Duplicates, len(p.Failed))
	case p.Repeated < 0 || generated && p.Repeated > 0 || !generated && len(p.Keys) != lines:
		return nil, fmt.Errorf("it has %d keys of %d trajectories, and %d that are left out", len(p.Keys), lines, p.Repeated)
	}
	return p, nil
}

// whole reports whether all files of the shard exist with the described sizes.
func (p *part) whole(dir string) bool {
	for _, f := range p.Splits {
		if !f.there(dir) {
			return false
		}
	}
	return true
}

// there reports whether the file exists in a folder with the described size.
func (f *File) there(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, f.Name))
	return err == nil && info.Mode().IsRegular() && info.Size() == f.Size
}

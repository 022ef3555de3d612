package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/lab/dataset/policy"
)

// Settings holds everything that determines the content of a dataset's folder.
type Settings struct {
	Format     int              `json:"format"` // version of the folder's layout: see Format
	Seed       uint64           `json:"seed"`
	Count      int              `json:"count"`     // number of programs
	PerShard   int              `json:"per_shard"` // number of programs in a shard
	Walks      int              `json:"walks"`     // number of walks through each program
	Dialects   []policy.Dialect `json:"dialects"`  // formats in which each walk is written
	HeldOut    float64          `json:"held_out"`  // share of programs in the test split
	Source     Source           `json:"source"`
	Difficulty [2]float64       `json:"difficulty"` // minimum and maximum, each from 0 to 1
	Curriculum bool             `json:"curriculum"` // the maximum rises with the program's number
	Events     int              `json:"events"`     // maximum number of events in a recording
	Timeout    float64          `json:"timeout"`    // maximum time of a program in seconds
	Memory     int64            `json:"memory"`     // maximum memory of a program in bytes
	Policy     policy.Settings  `json:"policy"`
	Npdb       string           `json:"npdb"`   // version of npdb
	Maker      string           `json:"maker"`  // digest of the code that generates and records programs
	Python     string           `json:"python"` // version of Python, such as 3.12.1
}

// Source describes where the programs of a dataset come from.
type Source struct {
	Kind     string `json:"kind"`     // Generated or Given
	Name     string `json:"name"`     // name of the given file or folder
	Programs int    `json:"programs"` // number of given programs, without duplicates
	Alike    int    `json:"alike"`    // number of duplicates among the given programs
	// Digest is a hash of the given programs. For the generator it is a hash of the file of
	// real functions.
	Digest string `json:"digest"`
}

// The values of Source.Kind.
const (
	Generated = "generated"
	Given     = "given"
)

// Format is the current version of the layout of a dataset's folder.
const Format = 1

const settingsFile = "settings.json"

// mostSettings is an upper limit for the size of a settings file, in bytes.
const mostSettings = 1 << 20

// shards returns the number of shards. The settings must be valid.
func (s *Settings) shards() int { return (s.Count-1)/s.PerShard + 1 }

// numbers returns the numbers of a shard's programs, from the first one up to, but not
// including, to.
func (s *Settings) numbers(shard int) (from, to int) {
	from = shard * s.PerShard
	return from, from + min(s.PerShard, s.Count-from)
}

// check returns an error for invalid settings.
func (s *Settings) check() error {
	switch {
	case s.Format != Format:
		return fmt.Errorf("its format is %d, and this npdb's %d", s.Format, Format)
	case s.Count < 1:
		return fmt.Errorf("a count of %d programs: it is 1 at least", s.Count)
	case s.Count > maxCount:
		return fmt.Errorf("a count of %d programs: it is %d at most", s.Count, maxCount)
	case s.PerShard < 1:
		return fmt.Errorf("%d programs in a shard: there is 1 at least", s.PerShard)
	case s.shards() > maxShards:
		return fmt.Errorf("%d shards are too many: with %d programs in each there are at most %d", s.shards(), (s.Count-1)/maxShards+1, maxShards)
	case s.Walks < 1:
		return fmt.Errorf("%d walks: a program has 1 at least", s.Walks)
	case len(s.Dialects) == 0:
		return errors.New("there is no dialect to write")
	case !(s.HeldOut >= 0 && s.HeldOut <= 1):
		return fmt.Errorf("a share of %v held out: it lies between 0 and 1", s.HeldOut)
	case !(s.Difficulty[0] >= 0 && s.Difficulty[0] <= s.Difficulty[1] && s.Difficulty[1] <= 1):
		return fmt.Errorf("a difficulty from %v to %v: both lie between 0 and 1, the lower one first", s.Difficulty[0], s.Difficulty[1])
	}
	for _, d := range s.Dialects {
		if d != policy.ND1 && d != policy.CWM {
			return fmt.Errorf("there is no dialect %s: there are %s and %s", d, policy.ND1, policy.CWM)
		}
	}
	return s.Policy.Validate()
}

// maxCount limits the number of programs. It is higher than anyone can record.
const maxCount = 1 << 40

// maxShards limits the number of shards, because their file names have five digits for it.
const maxShards = 100_000

// otherSettingsError reports that the dataset in a folder was created with other settings.
type otherSettingsError struct {
	Dir         string
	Differences []string // such as "seed is 1 there and 2 here"
}

func (e *otherSettingsError) Error() string {
	return fmt.Sprintf("%s was begun with other settings: %s. Name another folder, or the same settings", e.Dir, strings.Join(e.Differences, "; "))
}

// readSettings reads the settings of a dataset's folder. If there are none, the error wraps
// fs.ErrNotExist.
func readSettings(dir string) (*Settings, error) {
	path := filepath.Join(dir, settingsFile)
	raw, err := plainfile.Read(path, mostSettings)
	if err != nil {
		return nil, err
	}
	s, err := parseSettings(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func parseSettings(raw []byte) (*Settings, error) {
	s := &Settings{}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	err := s.check()
	return s, err
}

// begin creates a dataset's folder with these settings, or checks that an existing folder has the same
// settings.
func (s *Settings) begin(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, partsDir), 0o777); err != nil {
		return err
	}
	there, err := readSettings(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.empty(dir); err == nil {
			err = writeJSON(filepath.Join(dir, settingsFile), s)
		}
		if err == nil {
			there, err = readSettings(dir) // another machine may have written it at the same time
		}
	}
	if err != nil {
		return err
	}
	return s.same(dir, there)
}

// empty returns an error if the folder of a new dataset already contains other files.
func (s *Settings) empty(dir string) error {
	found, err := os.ReadDir(dir)
	for _, f := range found {
		if name := f.Name(); name != partsDir && !strings.HasPrefix(name, settingsFile) && !strings.HasPrefix(name, ".") {
			return fmt.Errorf("%s is no dataset and holds something, such as %s: name an empty folder, or a new one", dir, name)
		}
	}
	return err
}

// same returns an error if the settings of a folder differ from these.
func (s *Settings) same(dir string, there *Settings) error {
	mine, err := flat(s)
	if err != nil {
		return err
	}
	theirs, err := flat(there)
	if err != nil {
		return err
	}
	different := differences(mine, theirs)
	if len(different) == 0 {
		return nil
	}
	return &otherSettingsError{dir, different}
}

// differences describes the settings that differ. mine and theirs contain JSON values by
// name.
func differences(mine, theirs map[string]string) (all []string) {
	names := maps.Clone(mine)
	maps.Copy(names, theirs)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if mine[name] != theirs[name] {
			all = append(all, fmt.Sprintf("%s is %s there and %s here", name, cmp.Or(theirs[name], "not set"), cmp.Or(mine[name], "not set")))
		}
	}
	return all
}

// flat returns the settings as JSON values by name. A nested setting has a name such as
// policy.bytes.
func flat(s *Settings) (map[string]string, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	var put func(prefix string, raw json.RawMessage)
	put = func(prefix string, raw json.RawMessage) {
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) != nil || len(inner) == 0 { // null and {} count as values too
			out[prefix] = string(raw)
			return
		}
		for name, value := range inner {
			put(strings.TrimPrefix(prefix+"."+name, "."), value)
		}
	}
	put("", raw)
	return out, nil
}

// writeJSON writes a value as a file of indented JSON, atomically.
func writeJSON(path string, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	return plainfile.Replace(path, b.Bytes(), 0o644)
}

package dataset

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/internal/plainfile"
)

// MergeConfig describes how to merge the shards of several machines into one dataset.
type MergeConfig struct {
	Dir      string   // folder of the merged dataset; it may already contain shards
	From     []string // folders from which missing shards are copied; they are not changed
	Trust    bool     // do not read the shards in Dir to check them for damage
	Progress func(step MergeStep, shards, of int)
}

// MergeStep is one pass over all shards.
type MergeStep string

// The steps of Merge, in order.
const (
	Checking MergeStep = "checked" // each shard was found or copied, and checked
	Merging  MergeStep = "merged"  // duplicates of earlier shards' content were dropped
)

// missingError reports that no folder has some of the shards.
type missingError struct {
	Shards []int // numbers of the missing shards, ascending
	Of     int
}

func (e *missingError) Error() string {
	var ranges []string
	for i := 0; i < len(e.Shards); {
		j := i
		for j+1 < len(e.Shards) && e.Shards[j+1] == e.Shards[j]+1 {
			j++
		}
		text := strconv.Itoa(e.Shards[i])
		if j > i {
			text += "–" + strconv.Itoa(e.Shards[j])
		}
		ranges, i = append(ranges, text), j+1
	}
	return fmt.Sprintf("of %d shards %d are missing: %s. The command that began them goes on with them", e.Of, len(e.Shards), strings.Join(ranges, ", "))
}

// merger is the state of one call of Merge.
type merger struct {
	MergeConfig
	settings *Settings
	folder   folder
	seen     keys
}

// Merge builds one dataset from the shards of several machines, in separate folders or in one. It checks
// that no shard is missing or damaged, drops duplicates of trajectories in earlier shards, and writes
// the manifest and the card. A second Merge changes nothing.
func Merge(ctx context.Context, c MergeConfig) (*Manifest, error) {
	m := &merger{MergeConfig: c, folder: onDisk(c.Dir), seen: keys{}}
	if err := m.agree(); err != nil {
		return nil, err
	}
	var missing []int
	if err := m.each(ctx, Checking, func(k int) error {
		found, err := m.bring(k)
		if err == nil && !found {
			missing = append(missing, k)
		}
		return err
	}); err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return nil, &missingError{missing, m.settings.shards()}
	}
	// All shards exist, so no run is writing. Temporary files must be left over from a killed run.
	if err := sweep(c.Dir, func(int) bool { return true }); err != nil {
		return nil, err
	}
	manifest, said := newManifest(m.settings), map[FailedProgram]bool{}
	if err := m.each(ctx, Merging, func(k int) error {
		p, err := m.unique(k)
		if err == nil {
			manifest.add(p, said)
		}
		return err
	}); err != nil {
		return nil, err
	}
	if err := plainfile.Replace(filepath.Join(c.Dir, cardFile), card(manifest), 0o644); err != nil {
		return nil, err
	}
	return manifest, writeJSON(filepath.Join(c.Dir, manifestFile), manifest)
}

// each calls do for all shards in order, and reports the progress of the step.
func (m *merger) each(ctx context.Context, step MergeStep, do func(shard int) error) error {
	for k := range m.settings.shards() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := do(k); err != nil {
			return err
		}
		if m.Progress != nil {
			m.Progress(step, k+1, m.settings.shards())
		}
	}
	return nil
}

// agree reads the settings of all folders, which must be the same. If m.Dir is new, agree
// creates it with these settings.
func (m *merger) agree() error {
	for _, dir := range append(slices.Clone(m.From), m.Dir) {
		s, err := readSettings(dir)
		if dir == m.Dir && errors.Is(err, fs.ErrNotExist) && m.settings != nil {
			return m.settings.begin(dir)
		}
		if err != nil {
			return fmt.Errorf("%s is no dataset: %w", dir, err)
		}
		if m.settings == nil {
			m.settings = s
		}
		if err := m.settings.same(dir, s); err != nil {
			return err
		}
	}
	return nil
}

// unique removes from a shard what an earlier shard already contains: generated programs, or single
// trajectories of given programs. It returns the new description of the shard.
func (m *merger) unique(shard int) (*part, error) {
	p, err := m.settings.readPart(m.Dir, shard)
	if err != nil {
		return nil, err
	}
	w := newShard(m.folder, m.settings, shard)
	generated, last := m.settings.Source.Kind == Generated, -1
	again := map[numberKey]bool{}
	for _, k := range p.Keys {
		switch {
		case m.seen.add(uint64(k.Key)):
			w.part.Keys = append(w.part.Keys, k)
			if k.Number != last {
				w.part.Kept++
			}
			last = k.Number
		case generated:
			again[numberKey{Number: k.Number}] = true
		default:
			again[k] = true
		}
	}
	if len(again) == 0 {
		return p, nil
	}
	w.part.Duplicates, w.part.Failed = p.Duplicates+p.Kept-w.part.Kept, p.Failed
	if !generated {
		w.part.Repeated = p.Repeated + len(again)
	}
	for _, split := range Splits() {
		f, ok := p.Splits[split]
		if !ok {
			continue
		}
		if err := w.copy(m.Dir, split, f.Name, func(l *Line) bool {
			k := numberKey{Number: l.Source.Number}
			if !generated {
				k.Key = key(textKey(l.Text))
			}
			return again[k]
		}); err != nil {
			return nil, errors.Join(err, w.abandon())
		}
	}
	return w.commit()
}

// copy copies the lines of a file of the old shard, except those for which without returns true.
func (w *shardWriter) copy(dir, split, name string, without func(*Line) bool) error {
	last := -1
	return readLines(filepath.Join(dir, name), func(raw []byte, l *Line) error {
		if without(l) {
			return nil
		}
		f, err := w.writer(split)
		if err != nil {
			return err
		}
		if l.Source.Number != last {
			f.shard.Tally.program(l.Source.Family)
		}
		last = l.Source.Number
		f.shard.Tally.line(l)
		_, err = f.packed.Write(raw)
		return w.failing(name, err)
	})
}

// longestLine is an upper limit for the size of a line of a shard, in bytes.
const longestLine = 1 << 28

// readLines calls each for every line of a shard's file, as bytes and parsed.
func readLines(path string, each func(raw []byte, l *Line) error) error {
	file, err := Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, longestLine)
	for n := 1; lines.Scan(); n++ {
		l, err := ReadLine(lines.Bytes())
		if err == nil {
			err = each(append(lines.Bytes(), '\n'), l)
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("%s: %w", path, err)
	} else if err != nil {
		return err
	}
	return nil
}

package dataset

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/internal/plainfile"
)

// MergeConfig is how the shares of several machines become one dataset.
type MergeConfig struct {
	Dir      string   // of the whole dataset; it may hold shards already
	From     []string // folders that hold shards besides, which stay as they are
	Trust    bool     // the shards are not read once more to see whether they are damaged
	Progress func(shards, of int)
}

// missingError is a dataset that lacks shards.
type missingError struct {
	Shards []int // in their order
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

// merger makes one dataset.
type merger struct {
	MergeConfig
	settings *Settings
	folder   folder
	seen     keys
}

// Merge makes one dataset of what several machines have made, in folders of their own or
// in one: it sees that no shard is missing or damaged, leaves programs out that an earlier
// shard has, and writes the manifest and the card. What has been merged can be once more.
func Merge(ctx context.Context, c MergeConfig) (*Manifest, error) {
	m := &merger{MergeConfig: c, folder: onDisk(c.Dir), seen: keys{}}
	if err := m.agree(); err != nil {
		return nil, err
	}
	var missing []int
	for k := range m.settings.shards() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch err := m.bring(k); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, k)
		case err != nil:
			return nil, err
		}
		if c.Progress != nil {
			c.Progress(k+1, m.settings.shards())
		}
	}
	if len(missing) > 0 {
		return nil, &missingError{missing, m.settings.shards()}
	}
	manifest, said := newManifest(m.settings), map[FailedProgram]bool{}
	for k := range m.settings.shards() {
		p, err := m.unique(k)
		if err != nil {
			return nil, err
		}
		manifest.add(p, said)
	}
	if err := plainfile.Replace(filepath.Join(c.Dir, cardFile), card(manifest), 0o644); err != nil {
		return nil, err
	}
	return manifest, writeJSON(filepath.Join(c.Dir, manifestFile), manifest)
}

// agree finds the settings, which all folders have to share.
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

// bring sees that a shard is in the folder, and whole. Where it is nowhere the error is
// fs.ErrNotExist.
func (m *merger) bring(shard int) error {
	var found *part
	var at string
	for _, dir := range append([]string{m.Dir}, m.From...) {
		p, err := m.settings.readPart(dir, shard)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if found == nil {
			found, at = p, dir
			continue
		}
		if at == m.Dir { // it may have lost programs since
			continue
		}
		if a, b := found.digests(), p.digests(); !slices.Equal(a, b) {
			return fmt.Errorf("shard %d is in %s and in %s, and they differ: take one of them away", shard, at, dir)
		}
	}
	if found == nil {
		return fs.ErrNotExist
	}
	if !m.Trust || at != m.Dir {
		for _, f := range found.Splits {
			if err := f.intact(at); err != nil {
				return err
			}
		}
	}
	if at == m.Dir {
		return nil
	}
	for _, f := range found.Splits {
		if err := place(filepath.Join(at, f.Name), filepath.Join(m.Dir, f.Name)); err != nil {
			return err
		}
	}
	return place(filepath.Join(at, partName(shard)), filepath.Join(m.Dir, partName(shard)))
}

// digests are those of the part's files.
func (p *part) digests() []string {
	var all []string
	for _, split := range Splits() {
		if f, ok := p.Splits[split]; ok {
			all = append(all, split+f.SHA256)
		}
	}
	return all
}

// intact is an error for a file that is not what was written.
func (f *File) intact(dir string) error {
	path := filepath.Join(dir, f.Name)
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("a file of a shard is missing: %s", path)
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	if err == nil && (n != f.Size || hex.EncodeToString(sum.Sum(nil)) != f.SHA256) {
		err = fmt.Errorf("%s is damaged: remove it, and the command that made it makes it anew", path)
	}
	return err
}

// place puts a copy of a file in a place.
func place(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := plainfile.NewReplacement(to, 0o644)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Abandon())
	}
	return out.Commit()
}

// unique leaves the programs out of a shard that earlier shards have.
func (m *merger) unique(shard int) (*part, error) {
	p, err := m.settings.readPart(m.Dir, shard)
	if err != nil {
		return nil, err
	}
	w := newShard(m.folder, m.settings, shard)
	again := map[int]bool{}
	for _, k := range p.Keys {
		if m.seen.add(uint64(k.Key)) {
			w.part.Keys = append(w.part.Keys, k)
		} else {
			again[k.Number] = true
		}
	}
	if len(again) == 0 {
		return p, nil
	}
	w.part.Kept, w.part.Duplicates, w.part.Failed = p.Kept-len(again), p.Duplicates+len(again), p.Failed
	for split, f := range p.Splits {
		if err := w.copy(m.Dir, split, f.Name, again); err != nil {
			return nil, errors.Join(err, w.abandon())
		}
	}
	return w.commit()
}

// copy adds the lines of a file but those of some programs.
func (w *shardWriter) copy(dir, split, name string, without map[int]bool) error {
	return readLines(filepath.Join(dir, name), func(raw []byte, l *Line, first bool) error {
		if without[l.Source.Number] {
			return nil
		}
		f, err := w.writer(split)
		if err != nil {
			return err
		}
		if first {
			f.shard.Tally.program(l.Source.Family)
		}
		f.shard.Tally.line(l)
		_, err = f.packed.Write(raw)
		return w.failing(name, err)
	})
}

// longestLine is more bytes than a line of a shard has.
const longestLine = 1 << 28

// readLines reads the lines of a shard's file; first says that a line is the first of its
// program.
func readLines(path string, each func(raw []byte, l *Line, first bool) error) error {
	file, err := Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines, last := bufio.NewScanner(file), -1
	lines.Buffer(nil, longestLine)
	for n := 1; lines.Scan(); n++ {
		l, err := ReadLine(lines.Bytes())
		if err == nil {
			err = each(append(lines.Bytes(), '\n'), l, l.Source.Number != last)
			last = l.Source.Number
		}
		if err != nil {
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

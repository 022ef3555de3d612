package dataset

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/npdb/npdb/internal/plainfile"
)

// bring ensures that the merged dataset's folder, m.Dir, contains a complete copy of a shard. If it does
// not, bring copies the shard from another folder. found is false if no folder contains the shard.
func (m *merger) bring(shard int) (found bool, err error) {
	_, damage := m.look(m.Dir, shard, m.Trust)
	if damage == nil {
		return true, nil
	}
	p, at, err := m.elsewhere(shard)
	switch {
	case err != nil:
		return false, err
	case p != nil:
		return true, m.copyShard(p, at)
	}
	if errors.Is(damage, errNotMade) {
		return false, nil
	}
	return false, fmt.Errorf("%w. Merge it from a folder that has it whole; or remove %s, and the command that made it makes it anew",
		damage, filepath.Join(m.Dir, partName(shard)))
}

// errNotMade is the error of look if a folder contains no description of a shard, because the shard was
// not made there.
var errNotMade = errors.New("it has not been made")

// look reads a folder's description of a shard. Unless trust is set, it also checks the shard's files.
// The error is errNotMade, or describes what is wrong with the description or a file.
func (m *merger) look(dir string, shard int, trust bool) (*part, error) {
	p, err := m.settings.readPart(dir, shard)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNotMade
	}
	if err != nil || trust {
		return p, err
	}
	for _, split := range Splits() {
		if f, ok := p.Splits[split]; ok {
			if err := f.intact(dir); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

// elsewhere finds a folder in m.From from which a shard can be copied. found is nil if no folder
// contains the shard. It is an error if two folders contain different versions of it.
func (m *merger) elsewhere(shard int) (found *part, at string, err error) {
	var first *part
	var firstAt string
	var damage error
	for _, dir := range m.From {
		// After a complete copy was found, the files of other copies are not read.
		p, err := m.look(dir, shard, found != nil)
		if errors.Is(err, errNotMade) {
			continue
		}
		if p != nil && first == nil {
			first, firstAt = p, dir
		}
		if p != nil && !slices.Equal(first.digests(), p.digests()) {
			return nil, "", fmt.Errorf("shard %d is in %s and in %s, and they differ: take one of them away", shard, firstAt, dir)
		}
		switch {
		case err != nil:
			damage = cmp.Or(damage, fmt.Errorf("%w. Remove %s, and the command that made it makes it anew", err, filepath.Join(dir, partName(shard))))
		case found == nil:
			found, at = p, dir
		}
	}
	if found == nil {
		return nil, "", damage
	}
	return found, at, nil
}

// copyShard copies a shard from another folder. It removes the old description of the shard
// first and writes the new one last, so that a shard counts as missing if the copy is
// interrupted.
func (m *merger) copyShard(p *part, from string) error {
	if err := remove(filepath.Join(m.Dir, partName(p.Shard))); err != nil {
		return err
	}
	for _, split := range Splits() {
		name := m.settings.shardName(split, p.Shard)
		act := func() error { return place(filepath.Join(from, name), filepath.Join(m.Dir, name)) }
		if _, ok := p.Splits[split]; !ok {
			act = func() error { return remove(filepath.Join(m.Dir, name)) }
		}
		if err := act(); err != nil {
			return err
		}
	}
	return place(filepath.Join(from, partName(p.Shard)), filepath.Join(m.Dir, partName(p.Shard)))
}

// digests returns the SHA-256 digests of the shard's files, in the order of Splits.
func (p *part) digests() []string {
	var all []string
	for _, split := range Splits() {
		if f, ok := p.Splits[split]; ok {
			all = append(all, split+f.SHA256)
		}
	}
	return all
}

// intact returns an error if the file is missing, or if its size or digest is not the
// described one.
func (f *File) intact(dir string) error {
	path := filepath.Join(dir, f.Name)
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("a file of a shard is missing: %w", err)
	}
	if err != nil {
		return fmt.Errorf("a file of a shard cannot be read: %w", err)
	}
	defer file.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, file)
	if err != nil {
		return fmt.Errorf("a file of a shard cannot be read: %w", err)
	}
	if n != f.Size || hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		return fmt.Errorf("%s is damaged", path)
	}
	return nil
}

// place copies a file to a path atomically.
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

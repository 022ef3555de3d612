package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/npdb/npdb/internal/plainfile"
)

// made is the result of recording one program and generating walks through it.
type made struct {
	number int
	name   string   // name of a given program
	key    uint64   // hash of the program's text and call
	texts  []uint64 // for a given program: the hash of each line's text
	split  string
	lines  []byte // JSON Lines, as the shard will contain them
	tally  *Tally // counts of the lines
	failed string // reason why there are no lines; "" if there are some
}

// sink is a file that appears at its path only when it is committed.
type sink interface {
	io.Writer
	Commit() error
	Abandon() error
}

// folder is the folder to which files are written. Only tests replace create.
type folder struct {
	dir    string
	create func(path string) (sink, error)
}

func onDisk(dir string) folder {
	return folder{dir, func(path string) (sink, error) { return plainfile.NewReplacement(path, 0o644) }}
}

// fileWriter writes the lines of one split of a shard, compressed.
type fileWriter struct {
	sink   sink
	packed *zstd.Encoder
	sum    hash.Hash
	shard  splitShard
}

// Write writes compressed data to the file. It counts and hashes the bytes for the shard's
// description.
func (w *fileWriter) Write(raw []byte) (int, error) {
	n, err := w.sink.Write(raw)
	w.shard.Size += int64(n)
	w.sum.Write(raw[:n])
	return n, err
}

// shardWriter writes the files of a shard and collects the shard's description.
type shardWriter struct {
	folder   folder
	settings *Settings
	part     part
	writers  map[string]*fileWriter // open files, by split
}

// newShard starts a shard. The caller must commit or abandon it.
func newShard(f folder, s *Settings, shard int) *shardWriter {
	from, to := s.numbers(shard)
	p := part{Shard: shard, Programs: to - from, Failed: []failed{}, Keys: []numberKey{}, Splits: map[string]*splitShard{}}
	return &shardWriter{f, s, p, map[string]*fileWriter{}}
}

// add adds the result of a program, unless it is a duplicate of an earlier one. It returns the counts of
// the lines that were kept, or nil if there are none. seen holds the keys of earlier programs; add adds
// the new keys.
func (w *shardWriter) add(m *made, seen keys) (*Tally, error) {
	if m.failed != "" {
		w.part.Failed = append(w.part.Failed, failed{m.number, m.name, m.failed})
		return nil, nil
	}
	lines, tally := m.lines, m.tally
	if w.settings.Source.Kind == Generated {
		if !seen.add(m.key) {
			w.part.Duplicates++
			return nil, nil
		}
		w.part.Keys = append(w.part.Keys, numberKey{m.number, key(m.key)})
	} else {
		var err error
		if lines, tally, err = w.fresh(m, seen); err != nil {
			return nil, err
		}
		if tally == nil {
			w.part.Duplicates++
			return nil, nil
		}
	}
	w.part.Kept++
	f, err := w.writer(m.split)
	if err != nil {
		return nil, err
	}
	f.shard.Tally.add(tally)
	_, err = f.packed.Write(lines)
	return tally, w.failing(f.shard.Name, err)
}

// fresh returns the lines of a given program whose texts are new. The tally is nil if there are none.
func (w *shardWriter) fresh(m *made, seen keys) (lines []byte, tally *Tally, err error) {
	i := 0
	for raw := range bytes.Lines(m.lines) {
		one := m.texts[i]
		i++
		if !seen.add(one) {
			w.part.Repeated++
			continue
		}
		w.part.Keys = append(w.part.Keys, numberKey{m.number, key(one)})
		l, err := ReadLine(raw)
		if err != nil {
			return nil, nil, err
		}
		if tally == nil {
			tally = newTally()
			tally.program(l.Source.Family)
		}
		tally.line(l)
		lines = append(lines, raw...)
	}
	return lines, tally, nil
}

func (w *shardWriter) failing(name string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: another npdb dataset seems to be at work on the same shards", err)
	}
	return fmt.Errorf("%s cannot be written: %w", filepath.Join(w.folder.dir, name), err)
}

// writer returns the open file for a split. The first program of the split creates it.
func (w *shardWriter) writer(split string) (*fileWriter, error) {
	if f, ok := w.writers[split]; ok {
		return f, nil
	}
	name := w.settings.shardName(split, w.part.Shard)
	to, err := w.folder.create(filepath.Join(w.folder.dir, name))
	if err != nil {
		return nil, w.failing(name, err)
	}
	f := &fileWriter{sink: to, sum: sha256.New(), shard: splitShard{File{Name: name}, newTally()}}
	// With several goroutines, the compressed bytes would depend on the machine.
	if f.packed, err = zstd.NewWriter(f, zstd.WithEncoderConcurrency(1)); err != nil {
		return nil, errors.Join(err, to.Abandon())
	}
	w.writers[split] = f
	return f, nil
}

// commit moves the shard's files to their final paths, and then writes the shard's
// description. If it fails, none of these files remains.
func (w *shardWriter) commit() (*part, error) {
	for _, split := range Splits() {
		if f, ok := w.writers[split]; ok {
			if err := f.packed.Close(); err != nil {
				return nil, errors.Join(w.failing(f.shard.Name, err), w.abandon())
			}
		}
	}
	// First remove the description of the shard that this one replaces.
	if err := remove(filepath.Join(w.folder.dir, partName(w.part.Shard))); err != nil {
		return nil, errors.Join(err, w.abandon())
	}
	for _, split := range Splits() {
		name := w.settings.shardName(split, w.part.Shard)
		f, ok := w.writers[split]
		if !ok {
			if err := remove(filepath.Join(w.folder.dir, name)); err != nil {
				return nil, errors.Join(err, w.undo())
			}
			continue
		}
		delete(w.writers, split)
		if err := f.sink.Commit(); err != nil {
			return nil, errors.Join(w.failing(name, err), w.undo())
		}
		f.shard.SHA256 = hex.EncodeToString(f.sum.Sum(nil))
		w.part.Splits[split] = &f.shard
	}
	if err := w.writePart(); err != nil {
		return nil, errors.Join(w.failing(partName(w.part.Shard), err), w.undo())
	}
	return &w.part, nil
}

func (w *shardWriter) writePart() error {
	raw, err := json.Marshal(&w.part)
	if err != nil {
		return err
	}
	to, err := w.folder.create(filepath.Join(w.folder.dir, partName(w.part.Shard)))
	if err != nil {
		return err
	}
	if _, err = to.Write(append(raw, '\n')); err != nil {
		return errors.Join(err, to.Abandon())
	}
	return to.Commit()
}

// undo removes the files that commit has already moved, and those that are still open.
func (w *shardWriter) undo() error {
	all := []error{w.abandon()}
	for _, f := range w.part.Splits {
		all = append(all, remove(filepath.Join(w.folder.dir, f.Name)))
	}
	return errors.Join(all...)
}

// abandon discards the open files.
func (w *shardWriter) abandon() error {
	var all []error
	for split, f := range w.writers {
		delete(w.writers, split)
		f.packed.Reset(nil) // ends its goroutines without writing more
		all = append(all, f.sink.Abandon())
	}
	return errors.Join(all...)
}

// remove removes a file, if it exists.
func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// Config says how to make a dataset.
type Config struct {
	Dir      string
	Settings Settings
	Share    int // this machine's share of the shards, from 0 to Of-1
	Of       int // number of machines; 0 means one
	Parallel int // number of concurrent programs
	Workers  Workers
	Progress func(Progress) // called after each program, unless nil
}

// Progress describes how far a run has come.
type Progress struct {
	Programs int // programs in finished shards and in the current one
	Of       int // programs in this machine's share
	Made     int // made by this run
	Lines    int // trajectories made and kept by this run
	Bytes    int64
	Failed   int
}

// run is a dataset being made.
type run struct {
	Config
	folder folder
	begin  func(context.Context) (worker, error)

	there    []int        // finished shards of this share that come after the current one
	missing  []int        // shards to make
	seen     keys         // keys of programs before the current one
	shard    *shardWriter // nil between shards
	progress Progress
}

// Run makes the missing shards of a share. Without other machines it then does what Merge
// does, and returns the manifest; with other machines it returns none. When ctx ends,
// complete shards stay, and the same Config continues from there.
func Run(ctx context.Context, c Config) (*Manifest, error) {
	r := &run{Config: c, folder: onDisk(c.Dir), begin: c.maker}
	return r.run(ctx)
}

func (r *run) run(ctx context.Context) (*Manifest, error) {
	r.Of, r.Parallel = max(r.Of, 1), max(r.Parallel, 1)
	if r.Share < 0 || r.Share >= r.Of {
		return nil, fmt.Errorf("there is no share %d of %d: they are counted from 0", r.Share, r.Of)
	}
	if err := r.Settings.check(); err != nil {
		return nil, err
	}
	if err := r.Settings.begin(r.Dir); err != nil {
		return nil, err
	}
	if err := r.survey(); err != nil {
		return nil, err
	}
	err := ordered(ctx, r.numbers(), r.Parallel, r.begin, r.commit)
	if r.shard != nil {
		err = errors.Join(err, r.shard.abandon())
	}
	if ctx.Err() != nil {
		return nil, ctx.Err() // takes precedence over other errors
	}
	if err != nil || r.Of > 1 {
		return nil, err
	}
	return Merge(ctx, MergeConfig{Dir: r.Dir, Trust: true})
}

// shards yields the shards of the share.
func (r *run) shards() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k := r.Share; k < r.Settings.shards(); k += r.Of {
			if !yield(k) {
				return
			}
		}
	}
}

// survey finds the finished shards, and removes temporary files of a killed run.
func (r *run) survey() error {
	r.seen = keys{}
	for k := range r.shards() {
		from, to := r.Settings.numbers(k)
		r.progress.Of += to - from
		p, err := r.Settings.readPart(r.Dir, k)
		switch {
		case err == nil && p.whole(r.Dir):
			r.there = append(r.there, k)
			r.progress.Programs += p.Programs
		case err == nil || errors.Is(err, fs.ErrNotExist):
			r.missing = append(r.missing, k)
		default:
			return fmt.Errorf("%w. Without that file its shard is made anew", err)
		}
	}
	return sweep(r.Dir, func(shard int) bool {
		_, mine := slices.BinarySearch(r.missing, shard)
		return mine
	})
}

// unplaced matches the names of temporary files; the number is the shard's, if there is
// one. Other names need a long number, because a short one may be the user's own file,
// such as README.md.1.
var unplaced = regexp.MustCompile(`^(?:(?:train|test)-(\d+)-of-\d+\.jsonl\.zst\.\d+|(\d+)\.json\.\d+|(?:settings\.json|manifest\.json|README\.md)\.\d{5,})$`)

// noShard represents the files that belong to no shard.
const noShard = -1

// sweep removes temporary files of a killed run, for some shards and for noShard.
func sweep(dir string, mine func(shard int) bool) error {
	for _, dir := range []string{dir, filepath.Join(dir, partsDir)} {
		found, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, f := range found {
			m := unplaced.FindStringSubmatch(f.Name())
			if m == nil {
				continue
			}
			shard := noShard
			if digits := m[1] + m[2]; digits != "" {
				if shard, err = strconv.Atoi(digits); err != nil {
					continue
				}
			}
			if !mine(shard) {
				continue
			}
			if err := remove(filepath.Join(dir, f.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers yields the numbers of the programs to make.
func (r *run) numbers() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, k := range r.missing {
			from, to := r.Settings.numbers(k)
			for n := from; n < to; n++ {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// commit adds the result of the next program.
func (r *run) commit(m *made) error {
	k := m.number / r.Settings.PerShard
	from, to := r.Settings.numbers(k)
	if m.number == from {
		if err := r.pass(k); err != nil {
			return err
		}
		r.shard = newShard(r.folder, &r.Settings, k)
	}
	kept, err := r.shard.add(m, r.seen)
	if err != nil {
		return err
	}
	if m.number == to-1 {
		done := r.shard
		r.shard = nil
		if _, err := done.commit(); err != nil {
			return err
		}
	}
	r.progress.Programs++
	r.progress.Made++
	if m.failed != "" {
		r.progress.Failed++
	} else if kept != nil {
		r.progress.Lines += kept.Lines
		r.progress.Bytes += kept.Bytes
	}
	if r.Progress != nil {
		r.Progress(r.progress)
	}
	return nil
}

// pass adds the keys of the finished shards before a shard, so that duplicates in it are
// dropped at once, not only by Merge.
func (r *run) pass(shard int) error {
	for ; len(r.there) > 0 && r.there[0] < shard; r.there = r.there[1:] {
		p, err := r.Settings.readPart(r.Dir, r.there[0])
		if err != nil {
			return err
		}
		r.seen.take(p)
	}
	return nil
}

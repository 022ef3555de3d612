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

// Config is how a dataset is made.
type Config struct {
	Dir      string
	Settings Settings
	Share    int // of the shards, this machine's, from 0 to before Of
	Of       int // machines; 0 is one
	Parallel int // programs under way at a time
	Workers  Workers
	Progress func(Progress) // nil, or called after each program
}

// Progress is how far it is.
type Progress struct {
	Programs int // whose shards are there, or that are in one being made
	Of       int // of this machine's share
	Made     int // by this run
	Lines    int // trajectories that this run has made and kept
	Bytes    int64
	Failed   int
}

// run is a dataset being made.
type run struct {
	Config
	folder folder
	begin  func(context.Context) (worker, error)

	there    []int        // shards of this share that need not be made, and come after the one in hand
	missing  []int        // those that are to be made
	seen     keys         // of programs that come before the one in hand
	shard    *shardWriter // nil between two
	progress Progress
}

// Run makes the shards that are missing of a share. Alone, it then does what Merge does,
// and returns the manifest; with other machines beside it there is none yet. When ctx
// ends the shards that are whole stay, and the same Config goes on from there.
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
		return nil, ctx.Err() // whatever else it led to
	}
	if err != nil || r.Of > 1 {
		return nil, err
	}
	return Merge(ctx, MergeConfig{Dir: r.Dir, Trust: true})
}

// shards returns those of the share.
func (r *run) shards() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k := r.Share; k < r.Settings.shards(); k += r.Of {
			if !yield(k) {
				return
			}
		}
	}
}

// survey finds which shards are there, and removes what a killed run has left of others.
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

// unplaced is the name of a file that was to take its place; its number is the shard's, if it
// is a shard's. Of the others a short number may be somebody's own, such as README.md.1.
var unplaced = regexp.MustCompile(`^(?:(?:train|test)-(\d+)-of-\d+\.jsonl\.zst\.\d+|(\d+)\.json\.\d+|(?:settings\.json|manifest\.json|README\.md)\.\d{5,})$`)

// noShard stands for the files that are no shard's.
const noShard = -1

// sweep removes the files that a killed run was writing: those of some shards, and of noShard.
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

// numbers returns those of the programs that are to be made.
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

// commit takes what became of the next program.
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

// pass takes the keys of the shards that are there and come before one: what is alike in
// later ones is left out at once, and not by Merge.
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

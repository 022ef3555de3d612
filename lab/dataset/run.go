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

// Config describes the dataset to create, and how.
type Config struct {
	Dir      string
	Settings Settings
	Share    int // this machine's share of the shards, from 0 to Of-1
	Of       int // number of machines that share the work; 0 means one
	Parallel int // number of programs that are recorded at the same time
	Workers  Workers
	Progress func(Progress) // called after each program; may be nil
}

// Progress reports how much of its work a run has done.
type Progress struct {
	Programs int // programs that are done, including those of shards that existed before the run
	Of       int // all programs in this machine's share
	Made     int // programs that this run has processed
	Lines    int // trajectories that this run has written
	Bytes    int64
	Failed   int
}

// run is the state of one call of Run.
type run struct {
	Config
	folder folder
	begin  func(context.Context) (worker, error)

	there    []int        // finished shards of this share that come after the current one
	missing  []int        // shards of this share that are still to be made
	seen     keys         // keys of the programs before the current one
	shard    *shardWriter // shard that is being written; nil between shards
	progress Progress
}

// Run creates the missing shards of this machine's share. If there is only one machine, it then merges
// the shards like Merge and returns the manifest; otherwise the manifest is nil. If ctx ends, complete
// shards are kept, and a later Run with the same Config continues.
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
		return nil, ctx.Err() // errors that follow from the end of ctx do not matter
	}
	if err != nil || r.Of > 1 {
		return nil, err
	}
	return Merge(ctx, MergeConfig{Dir: r.Dir, Trust: true})
}

// shards yields the numbers of the shards in this machine's share.
func (r *run) shards() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k := r.Share; k < r.Settings.shards(); k += r.Of {
			if !yield(k) {
				return
			}
		}
	}
}

// survey determines which shards of this machine's share are finished and which are missing. It removes
// the temporary files that a killed run left behind.
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

// unplaced matches the names of temporary files. If the file belongs to a shard, a group matches the
// shard's number. Other names must end with at least five digits: a file with fewer, such as
// README.md.1, may be the user's own.
var unplaced = regexp.MustCompile(`^(?:(?:train|test)-(\d+)-of-\d+\.jsonl\.zst\.\d+|(\d+)\.json\.\d+|(?:settings\.json|manifest\.json|README\.md)\.\d{5,})$`)

// noShard is the shard number that sweep uses for files that belong to no shard.
const noShard = -1

// sweep removes the temporary files that killed runs left in a dataset's folder, if mine returns true
// for the shard to which they belong. For files that belong to no shard it calls mine with noShard.
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

// numbers yields the numbers of the programs in all missing shards.
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

// commit adds the result of the next program to the current shard. The first program of a
// shard begins the shard, the last one completes it.
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

// pass adds the keys of the finished shards that come before the given one, so that their duplicates are
// dropped now, not only by Merge.
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

package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/npdb/npdb/lab/dataset/policy"
	"github.com/npdb/npdb/lab/dataset/recorder"
	"github.com/npdb/npdb/lab/programs"
)

// Workers holds the programs to record, and the configuration of the processes that record them.
type Workers struct {
	Recorder recorder.Config
	Programs *Programs // given programs; nil if programs are generated
	// Started may contain a running worker that was started with the configuration Recorder.
	// It is used before any other worker is started. Started is nil if there is none.
	Started chan *recorder.Worker
}

// recorder returns the worker in Started if there is one; otherwise it starts a worker.
func (w *Workers) recorder(ctx context.Context) (*recorder.Worker, error) {
	select {
	case started := <-w.Started:
		return started, nil
	default:
		return recorder.Start(ctx, w.Recorder)
	}
}

// Close closes the worker in Started if no run has used it, and the file of the given
// programs.
func (w *Workers) Close() error {
	var err error
	select {
	case started := <-w.Started:
		err = started.Close()
	default:
	}
	if w.Programs != nil {
		err = errors.Join(err, w.Programs.Close())
	}
	return err
}

// maker records programs, generates walks through the recordings, and writes the trajectories.
type maker struct {
	programs *Programs // nil if programs are generated
	settings *Settings
	recorder records
	broken   int // number of consecutive programs for which the recorder's process died
}

// records is the part of recorder.Worker that maker uses. Tests replace it.
type records interface {
	Record(ctx context.Context, j recorder.Job) (*recorder.Recording, error)
	Close() error
}

// mostBroken is the number of consecutive programs with a failing recorder after which the run ends with
// an error. So many failures are caused by the machine, not by the programs.
const mostBroken = 5

// Reasons why a program has no trajectories, in addition to recorder.Reasons.
const (
	brokeDown = "the recorder broke down"
	noUTF8    = "no UTF-8"
	noWalk    = "no walk to tell"
	unwritten = "a walk cannot be written"
)

func (c *Config) maker(ctx context.Context) (worker, error) {
	m := &maker{programs: c.Workers.Programs, settings: &c.Settings}
	w, err := c.Workers.recorder(ctx)
	if err != nil {
		return nil, err
	}
	m.recorder = w
	return m, nil
}

func (m *maker) close() error { return m.recorder.Close() }

// make records a program and generates walks through the recording. If the program itself is the reason
// why there are no trajectories, the field failed of the result says why. An error ends the whole run.
func (m *maker) make(ctx context.Context, number int) (*made, error) {
	rng := generator(m.settings.Seed, number)
	out := &made{number: number, tally: newTally()}
	job := recorder.Job{Seed: strconv.FormatUint(m.settings.Seed, 10), Number: number, Events: m.settings.Events}
	if m.programs == nil {
		job.Difficulty = m.settings.difficulty(rng, number)
	} else {
		p, err := m.programs.program(number)
		if err != nil {
			return nil, err
		}
		out.name = p.Name
		if !utf8.ValidString(p.Source) {
			out.failed = noUTF8
			return out, nil
		}
		job.Program = &recorder.Program{Name: p.Name, Source: ended(p.Source), Entry: p.Call()}
	}
	r, err := m.record(ctx, job)
	if err == nil {
		err = m.walk(ctx, out, rng, r)
	}
	if failure := (*recorder.Failure)(nil); errors.As(err, &failure) {
		out.failed = failure.Reason
		return out, nil
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("program %d: %w", number, err)
	}
	return out, err
}

// walk generates walks through a recording and adds their trajectories to out.
func (m *maker) walk(ctx context.Context, out *made, rng *rand.Rand, r *recorder.Recording) error {
	s := m.settings
	own := s.Policy.ForProgram(rng)
	out.key, out.split = programs.Key(r.Program.Source, r.Program.Entry), s.split(r.Program.Source)
	var edited *recorder.Recording
	edit := own.Edit(rng, r)
	if edit != nil {
		var err error
		again := r.Program
		edited, err = m.record(ctx, recorder.Job{Program: &again, Edit: edit, Events: s.Events})
		if failure := (*recorder.Failure)(nil); errors.As(err, &failure) {
			edit, edited = nil, nil // the run with the edit failed, but other walks are still possible
		} else if err != nil {
			return err
		}
	}
	said := map[string]bool{}
	for walk := range s.Walks {
		plan := policy.Draw(rng, own, r)
		state := rng.Uint64() // the same random state for all dialects, so that they describe the same walk
		for _, d := range s.Dialects {
			write := func() (*policy.Trajectory, error) {
				rng := rand.New(rand.NewPCG(state, 0))
				if d == policy.CWM { // this dialect cannot express edits
					return policy.Write(rng, own, r, nil, nil, plan, d)
				}
				return policy.Write(rng, own, r, edited, edit, plan, d)
			}
			t, err := write()
			if err != nil && edit != nil { // the run with the edit already differs before the edit
				edit, edited = nil, nil
				t, err = write()
			}
			if err != nil {
				return &recorder.Failure{Reason: unwritten}
			}
			if t == nil || said[t.Text] {
				continue
			}
			said[t.Text] = true
			l := &Line{
				ID: fmt.Sprintf("%d-%d-%d-%s", s.Seed, out.number, walk, d), Dialect: string(d),
				Text: t.Text, Predict: some(t.Predict), Changed: some(t.Changed), Actions: some(t.Actions), Horizons: some(t.Horizons),
				Source: Origin{Program: out.name, Entry: r.Program.Entry, Family: r.Program.Family, Number: out.number, Walk: walk},
			}
			raw, err := l.write()
			if err != nil {
				return err
			}
			out.lines = append(out.lines, raw...)
			out.tally.line(l)
			if m.programs != nil {
				out.texts = append(out.texts, textKey(t.Text))
			}
		}
	}
	if len(out.lines) == 0 {
		return &recorder.Failure{Reason: noWalk}
	}
	out.tally.program(r.Program.Family)
	return nil
}

// record records a program. If the recorder's process dies, record tries once more, because
// an earlier program may have caused it.
func (m *maker) record(ctx context.Context, job recorder.Job) (*recorder.Recording, error) {
	for try := 1; ; try++ {
		r, err := m.recorder.Record(ctx, job)
		died := (*recorder.DiedError)(nil)
		if !errors.As(err, &died) {
			m.broken = 0
			return r, err
		}
		if try == 2 {
			if m.broken++; m.broken == mostBroken {
				return nil, err
			}
			return nil, &recorder.Failure{Reason: brokeDown}
		}
	}
}

// ended returns the source with a line end after its last line.
func ended(source string) string {
	if strings.HasSuffix(source, "\n") {
		return source
	}
	return source + "\n"
}

// some returns the list, or an empty list for nil, which JSON would write as null.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// generator returns the random generator for the program with this number.
func generator(seed uint64, number int) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%d", seed, number))
	return rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])))
}

// difficulty returns a random difficulty for a generated program, uniformly between the minimum and the
// maximum. With Curriculum, the maximum rises with the program's number, from 0.3 of the range to the
// whole range.
func (s *Settings) difficulty(rng *rand.Rand, number int) float64 {
	least, most := s.Difficulty[0], s.Difficulty[1]
	if s.Curriculum {
		most = least + (most-least)*(0.3+0.7*float64(number)/float64(s.Count))
	}
	return least + (most-least)*rng.Float64()
}

// split returns the split to which a program belongs. It depends only on the program's text, so that the
// same program is never in both splits.
func (s *Settings) split(source string) string {
	sum := sha256.Sum256([]byte("held out\x00" + strings.TrimRight(source, "\r\n")))
	if float64(binary.BigEndian.Uint64(sum[:])) < s.HeldOut*math.Exp2(64) {
		return Test
	}
	return Train
}

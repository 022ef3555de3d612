package lab

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/lab/dataset"
	"github.com/npdb/npdb/lab/dataset/policy"
	"github.com/npdb/npdb/lab/dataset/recorder"
)

// policyFlags holds the settings of the walks through recorded programs: the file of --policy, and the
// flags that override single settings.
type policyFlags struct {
	from string
	set  policy.Settings
}

// policyNames maps the settings of walks that have flags to their fields. Each is a
// probability or a size.
var policyNames = map[string]func(from, to *policy.Settings){
	"window":    func(from, to *policy.Settings) { to.Bytes = from.Bytes },
	"inverse":   func(from, to *policy.Settings) { to.Inverse = from.Inverse },
	"compacted": func(from, to *policy.Settings) { to.Compacted = from.Compacted },
	"edits":     func(from, to *policy.Settings) { to.Edits = from.Edits },
	"questions": func(from, to *policy.Settings) { to.Question = from.Question },
	"hit":       func(from, to *policy.Settings) { to.Hit = from.Hit },
}

// The values of --policy that are not a file.
const (
	policyDefault = "default"
	policyPaper   = "paper"
)

func (f *policyFlags) define(fs *pflag.FlagSet) {
	d := policy.Defaults()
	fs.StringVar(&f.from, "policy", policyDefault, "how walks are drawn: default, paper, or a `file` of JSON with what differs from default")
	fs.IntVar(&f.set.Bytes, "window", d.Bytes, "the most `bytes` of a text")
	fs.Float64Var(&f.set.Inverse, "inverse", d.Inverse, "the `share` of walks that turn back into the past")
	fs.Float64Var(&f.set.Compacted, "compacted", d.Compacted, "the `share` of texts that begin in the middle of a run")
	fs.Float64Var(&f.set.Edits, "edits", d.Edits, "the `share` of programs in which a value is changed")
	fs.Float64Var(&f.set.Question, "questions", d.Question, "the `share` of texts that ask what a call comes to")
	fs.Float64Var(&f.set.Hit, "hit", d.Hit, "the `share` of breakpoints on lines that are still to come")
}

// settings returns the settings of the walks: those of --policy, overridden by the flags
// on the command line.
func (f *policyFlags) settings(fs *pflag.FlagSet) (*policy.Settings, error) {
	s := policy.Defaults()
	switch f.from {
	case policyDefault:
	case policyPaper:
		s = policy.Paper()
	default:
		raw, err := plainfile.Read(f.from, 1<<20)
		if err != nil {
			return nil, fmt.Errorf("--policy: %w", err)
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(s); err != nil {
			return nil, fmt.Errorf("--policy %s: %w", f.from, err)
		}
	}
	for name, take := range policyNames {
		if fs.Changed(name) {
			take(&f.set, s)
		}
	}
	err := s.Validate()
	return s, err
}

// config returns the configuration that the flags describe. The caller must close its Workers.
func (f *datasetFlags) config(ctx context.Context, fs *pflag.FlagSet, python string) (c dataset.Config, err error) {
	c = dataset.Config{Dir: f.out, Parallel: f.parallel}
	s := &c.Settings
	*s = dataset.Settings{
		Format: dataset.Format, Seed: f.seed, Count: f.count, PerShard: f.perShard, Walks: f.walks, HeldOut: f.heldOut,
		Curriculum: f.curriculum, Npdb: cli.Version(), Source: dataset.Source{Kind: dataset.Generated},
		Events: f.events, Timeout: f.timeout.Seconds(), Memory: f.memory,
	}
	if c.Share, c.Of, err = parseShare(f.share); err != nil {
		return c, err
	}
	if s.Dialects, err = parseDialects(f.dialect); err != nil {
		return c, err
	}
	if s.Difficulty, err = parseDifficulty(f.difficulty); err != nil {
		return c, err
	}
	walks, err := f.policy.settings(fs)
	if err != nil {
		return c, err
	}
	s.Policy = *walks
	if f.dialect == string(policy.CWM) { // the dialect cannot express these moves, so none are generated
		s.Policy.Inverse, s.Policy.Compacted, s.Policy.Edits, s.Policy.Breakpoint = 0, 0, 0, 0
	}
	containing, ok := containings[f.contain]
	if !ok {
		return c, unknownContaining(f.contain)
	}
	if f.timeout < time.Second || f.events < 1 || f.memory < leastMemory {
		return c, fmt.Errorf("--timeout must be at least 1s, --events 1, --memory %s", humanize.IBytes(leastMemory))
	}
	c.Workers.Recorder = recorder.Config{Python: python, Real: f.real, Contain: containing, Limits: recorder.Limits{
		Events: f.events, CPU: f.timeout, Wall: wallPerCPU * f.timeout, Memory: f.memory,
	}}
	if err := f.source(&c, fs); err != nil {
		return c, err
	}
	// Find the interpreter, and check that it can do the work, before the work begins.
	w, err := startRecorder(ctx, &c.Workers.Recorder, s.Source.Kind == dataset.Generated)
	if err != nil {
		return c, errors.Join(err, c.Workers.Close())
	}
	if warning := w.Warning(); warning != "" {
		fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(warning))
	}
	about := w.About()
	s.Python, s.Maker = about.Python, about.Maker
	c.Workers.Started = make(chan *recorder.Worker, 1)
	c.Workers.Started <- w
	return c, nil
}

// containings maps the values of --contain to constants.
var containings = map[string]recorder.Containing{"auto": recorder.ContainAuto, "bubblewrap": recorder.ContainBubblewrap, "limits": recorder.ContainLimits}

func defineContain(fs *pflag.FlagSet, word *string) {
	fs.StringVar(word, "contain", "auto", "how programs are contained, by the `word`: bubblewrap, limits, or auto, the stronger of them that works")
}

func unknownContaining(word string) error {
	return fmt.Errorf("--contain %s: choose auto, bubblewrap or limits", word)
}

const (
	// leastMemory is the memory that the interpreter itself needs.
	leastMemory = 64 << 20
	// wallPerCPU is the ratio of a program's wall-clock limit to its CPU limit. It is above 1
	// because other programs run at the same time.
	wallPerCPU = 5
)

// source sets where the dataset's programs come from: the generator, or the files of --programs.
func (f *datasetFlags) source(c *dataset.Config, fs *pflag.FlagSet) (err error) {
	s := &c.Settings
	if f.programs == "" {
		if f.count == 0 {
			return errors.New("--count N is missing: how many programs to generate; or --programs names some")
		}
		if f.real != "" {
			raw, err := plainfile.Read(f.real, mostReal)
			if err != nil {
				return fmt.Errorf("--real: %w", err)
			}
			sum := sha256.Sum256(raw)
			s.Source.Name, s.Source.Digest = filepath.Base(f.real), hex.EncodeToString(sum[:])
		}
		return nil
	}
	for _, name := range []string{"real", "difficulty", "curriculum"} {
		if fs.Changed(name) {
			return fmt.Errorf("--%s is for generated programs, and --programs names given ones", name)
		}
	}
	if c.Workers.Programs, err = dataset.OpenPrograms(f.programs, filepath.Base(f.programs)); err != nil {
		return err
	}
	s.Source = c.Workers.Programs.Source()
	if s.Count == 0 {
		s.Count = s.Source.Programs
	}
	return nil
}

// mostReal limits the size of the file of --real, in bytes.
const mostReal = 1 << 30

// parseShare parses the value i/n of --shard.
func parseShare(text string) (i, n int, err error) {
	first, second, ok := strings.Cut(text, "/")
	i, err = strconv.Atoi(first)
	if ok && err == nil {
		n, err = strconv.Atoi(second)
	}
	if !ok || err != nil || n < 1 || i < 0 || i >= n {
		return 0, 0, fmt.Errorf("--shard %s: write i/n, with i from 0 to n-1 on n machines", text)
	}
	return i, n, nil
}

// parseDifficulty parses the value lo-hi of --difficulty.
func parseDifficulty(text string) (d [2]float64, err error) {
	low, high, ok := strings.Cut(text, "-")
	d[0], err = strconv.ParseFloat(low, 64)
	if ok && err == nil {
		d[1], err = strconv.ParseFloat(high, 64)
	}
	if !ok || err != nil || !(d[0] >= 0 && d[0] <= d[1] && d[1] <= 1) {
		return d, fmt.Errorf("--difficulty %s: write lo-hi, such as 0-0.5, both between 0 and 1", text)
	}
	return d, nil
}

// parseDialects parses the value of --dialect.
func parseDialects(text string) ([]policy.Dialect, error) {
	switch d := policy.Dialect(text); {
	case d == policy.ND1 || d == policy.CWM:
		return []policy.Dialect{d}, nil
	case text == "both":
		return []policy.Dialect{policy.ND1, policy.CWM}, nil
	}
	return nil, fmt.Errorf("--dialect %s: choose %s, %s or both", text, policy.ND1, policy.CWM)
}

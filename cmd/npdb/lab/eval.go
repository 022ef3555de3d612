package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/cmd/npdb/models"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/lab/eval"
	"github.com/npdb/npdb/lab/eval/report"
	"github.com/npdb/npdb/session/frontend"
	"github.com/npdb/npdb/session/journal"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/trace/contain"
)

// evalFlags holds the flags of npdb eval.
type evalFlags struct {
	limit       int
	half        string
	json        bool
	html, cache string
	weights     string
	compute     string
	moves       []string
	config      eval.Config
}

const evalAbout = `npdb eval measures a neural debugger: the model of the configured server, or the one
that npdb carries. It prints tables; --json prints one object for npdb eval diff and
other programs, --html writes a page with plots.

What is true is found by running the programs, contained as npdb serve does. Answers are
kept in npdb's state folder, so that the same command continues where it stopped;
--cache names another file, --cache "" keeps none. docs/eval.md says what is counted.`

// measurer measures a model on the programs of a source. There is one for each task of package eval.
type measurer func(context.Context, eval.Config, *eval.Source) (*eval.Result, error)

// NewEval returns the command npdb eval.
func NewEval(stop *cli.Stopper) *cobra.Command {
	cmd := &cobra.Command{Use: "eval", Short: "Measure how good a model is", Long: evalAbout, Args: cobra.NoArgs}
	cmd.AddCommand(newStatesCommand(stop), newCruxEvalCommand(stop), newInverseCommand(stop), newEvalErrorsCommand(), newEvalDiffCommand(), newEvalCardCommand())
	return cmd
}

func newStatesCommand(stop *cli.Stopper) *cobra.Command {
	f := &evalFlags{}
	cmd := f.command(stop, eval.TaskStates, "Ask for next states", `npdb eval states records programs and asks for the
state that every move leads to, from the first places of each and, backwards, from the
last: how many are right by action, field, horizon, type and number of locals, and how
far the model walks by itself before its first fault.

FILE is a Python file, a folder of them, JSON Lines with code (and input), or
trajectories: of npdb dataset, or what a session has exported.`, eval.MeasureStates)
	fs := cmd.Flags()
	fs.IntVar(&f.config.States, "states", 10, "how many `places` of a program are asked about")
	fs.StringSliceVar(&f.moves, "moves", nil, "the `moves` to ask for, such as step_into,inv_step_into; all of them otherwise")
	fs.IntVar(&f.config.Rollout, "rollout", 64, "the most `steps` of a free rollout")
	return cmd
}

func newCruxEvalCommand(stop *cli.Stopper) *cobra.Command {
	f := &evalFlags{}
	cmd := f.command(stop, eval.TaskCruxEval, "Have outputs and inputs of functions predicted", `npdb eval cruxeval has the outputs of
functions predicted from their calls, and their inputs from their returns, by the moves of
a debugger. An input is right if the function returns the output for it when it is
executed.

FILE is JSON Lines with code, input, output and id, as CruxEval's.`, eval.MeasureCruxEval)
	fs := cmd.Flags()
	fs.StringVar(&f.config.Strategy, "strategy", eval.Strategies[0], "the `way` to an output: "+strings.Join(eval.Strategies, ", "))
	fs.StringVar(&f.config.Only, "only", "", "`output` or input; both otherwise")
	fs.BoolVar(&f.config.Locals, "locals", false, "show the return's locals where an input is asked for, which often still hold it")
	fs.IntVar(&f.config.Steps, "steps", 256, "the most `moves` to one output")
	fs.StringVar(&f.config.Verify, "verify", eval.VerifyOff, "search for inputs beside the model, each verified by the `text` or by a contained run; off searches for none")
	fs.IntVar(&f.config.Runs, "runs", 0, "how many `inputs` one search verifies, in place of limits of time: the result then does not depend on the speed of the machine")
	f.defineSamples(fs)
	return cmd
}

func newInverseCommand(stop *cli.Stopper) *cobra.Command {
	f := &evalFlags{}
	cmd := f.command(stop, eval.TaskInverse, "Draw pasts of states and verify them", `npdb eval inverse draws candidates for what
came before a state (--samples of them, with --temperature), and merges, orders and verifies
them as the debugger does: how many lead to the state, how many different ones do, and how
well the shown probabilities and verdicts agree with what a run shows. Many pasts lead to
one state, so that the one that was says too little.

FILE is JSON Lines with code and input.`, eval.MeasureInverse)
	cmd.Flags().IntVar(&f.config.States, "states", 10, "how many `states` of a call are asked about")
	cmd.Flags().StringVar(&f.config.Verify, "verify", eval.VerifyRun, "verify the candidates by the program's text and by contained `run`s; text runs none of them")
	f.defineSamples(cmd.Flags())
	return cmd
}

// command returns the command of a task, with the flags that all tasks have.
func (f *evalFlags) command(stop *cli.Stopper, task, short, long string, measure measurer) *cobra.Command {
	cmd := &cobra.Command{
		Use: task + " FILE", Short: short, Long: cli.Fill(long), Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, stop, args[0], measure) },
	}
	fs := cmd.Flags()
	fs.IntVarP(&f.config.Parallel, "parallel", "j", 0, "how many `requests` are under way at a time (default 8 to a server, 1 to npdb's own model)")
	fs.IntVar(&f.limit, "limit", 0, "only the first `programs`; 0 is all")
	fs.StringVar(&f.half, "half", "", "only the `half` of the programs, even or odd, whose names have a SHA-256 that begins with such a byte: to measure what was tuned on the other half")
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	fs.StringVar(&f.html, "html", "", "write a page with plots to a `file`")
	fs.StringVar(&f.cache, "cache", "", "the `file` that answers are kept in (default in npdb's state folder)")
	fs.StringSliceVar(&f.config.Baselines, "baselines", eval.BaselineNames(), "what to measure besides, of the `names` still, last, oracle")
	fs.StringVar(&f.weights, "weights", "", "a `file` of lab/train/export.py, in place of the model that npdb carries")
	fs.StringVar(&f.compute, "compute", "off", "`on` measures beside the model also the model as a session asks it: only for what the text does not decide; check compares its states with what the text decides")
	config.AddFlags(fs, "python", "python_version", config.KeyBaseURL, config.KeyName, config.KeyKeyFile, "model.dialect", "model.send", "model.offline", "model.temperature", "model.seed", "model.max_tokens", "model.timeout")
	return cmd
}

func (f *evalFlags) defineSamples(fs *pflag.FlagSet) {
	fs.IntVar(&f.config.Samples, "samples", 1, "how many `answers` are drawn to each question")
}

// run measures the model and reports the results, partial ones if it is interrupted.
func (f *evalFlags) run(cmd *cobra.Command, stop *cli.Stopper, path string, measure measurer) (err error) {
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	cli.Warn(c)
	source, err := eval.Load(path)
	if err != nil {
		return err
	}
	if err := source.Half(f.half); err != nil {
		return err
	}
	source.First(f.limit)
	if err := f.parseMoves(); err != nil {
		return err
	}
	f.config.Python = models.PythonVersion(c.Config)
	switch f.compute {
	case "on":
		f.config.Baselines = append([]string{eval.Computing}, f.config.Baselines...)
	case "check":
		f.config.Baselines = append([]string{eval.Checking}, f.config.Baselines...)
	case "off":
	default:
		return fmt.Errorf("--compute is on, check or off, not %q", f.compute)
	}
	if f.weights != "" && cmd.Flags().Changed("base-url") {
		return errors.New("--weights names a model file, and --base-url a model on a server: give only one of them")
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	if err := f.model(ctx, c, path, source, cli.NewStdin(os.Stdin, stop.Interrupts)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.config.Predictor.Close()) }()
	contained, err := contain.New(ctx, c.Python, contain.Auto, contain.Limits{})
	if err != nil {
		return err
	}
	defer contained.Close()
	if warning := contained.Warning(); warning != "" {
		fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(warning))
	}
	f.config.Contained = contained
	f.config.Oracle = cpython.New(cpython.Config{Python: contained.Python(), Prepare: contained.Prepare, Timeout: oracleTime})
	defer func() { err = errors.Join(err, f.config.Oracle.Close()) }()
	if err := f.openCache(cmd.Flags().Changed("cache")); err != nil {
		return err
	}
	if cache := f.config.Cache; cache != nil {
		defer func() { err = errors.Join(err, cache.Close()) }()
	}
	bar := cli.NewProgressBar(os.Stderr)
	f.config.Progress = func(p eval.Progress) {
		bar.Show(p.Programs, p.Of, p.Programs, "programs", humanize.Comma(int64(p.Asked))+" answers", humanize.Comma(int64(p.Kept))+" of them kept")
	}
	stop.Watch(cli.Cancelling(cancel))
	begun := time.Now()
	result, failure := measure(ctx, f.config, source)
	bar.Clear()
	if result == nil {
		return failure
	}
	set := &result.Settings
	set.Source, set.Limit, set.Half, set.Seed = filepath.Base(path), f.limit, f.half, f.config.Seed
	set.Python, set.Npdb, set.Date = models.PythonVersion(c.Config).String(), cli.Version(), begun.UTC().Format(time.RFC3339)
	if failure != nil {
		said := fmt.Sprintf("interrupted after %d of %d; the same command continues from there", result.N, source.Len())
		if errors.Is(failure, context.Canceled) {
			failure = errors.New(said)
		} else {
			failure = fmt.Errorf("%s: %w", said, failure)
		}
	}
	return errors.Join(f.report(cmd.OutOrStdout(), result), failure)
}

func (f *evalFlags) parseMoves() error {
	for _, name := range f.moves {
		a, err := dsl.ParseAction(name)
		if err != nil || a.Move.TakesLines() && len(a.Lines) > 0 {
			return fmt.Errorf("--moves %s: there is no such move", name)
		}
		f.config.Moves = append(f.config.Moves, a.Move)
	}
	return nil
}

// oracleTime limits how long CPython may take for one question. Other questions run at the same
// time.
const oracleTime = 30 * time.Second

// model stores the measured model in f.config, with the identity under which its answers are cached.
func (f *evalFlags) model(ctx context.Context, loaded *config.Loaded, path string, source *eval.Source, lines frontend.Lines) error {
	c := loaded.Config
	c.Model.OwnWord = false // otherwise a question would depend on earlier answers
	c.Model.Stops = 1       // the states after the requested one would not be used
	sampling := c.Model
	sampling.BaseURL, sampling.Name, sampling.Key, sampling.KeyFile, sampling.Headers = "", "", "", "", nil
	sampling.Timeout, sampling.IdleTimeout, sampling.Retries = 0, 0, 0
	text, err := json.Marshal(sampling)
	if err != nil {
		return err
	}
	f.config.Sampling = string(text)
	f.config.Temperature, f.config.Seed = c.Model.Temperature, c.Model.Seed
	if f.weights != "" {
		raw, err := plainfile.Read(f.weights, mostWeights)
		if err != nil {
			return err
		}
		p, err := embedded.New(raw, models.EmbeddedConfig(c))
		if err != nil {
			return err
		}
		f.own(p)
		return nil
	}
	n, err := models.New(c)
	if err != nil {
		return err
	}
	if own, ok := n.Predictor.(*embedded.Predictor); ok {
		f.own(own)
		return nil
	}
	if n.Predictor.Model().Away {
		if err := askEvalConsent(ctx, loaded, n, path, lines); err != nil {
			return errors.Join(err, n.Predictor.Close())
		}
	}
	f.config.Predictor, f.config.Format = n.Predictor, n.Format
	if f.config.Parallel <= 0 {
		f.config.Parallel = 8
	}
	if server, ok := n.Predictor.(interface{ Ready(context.Context) error }); ok {
		if err := server.Ready(ctx); err != nil {
			return errors.Join(err, n.Predictor.Close())
		}
	}
	m := n.Predictor.Model()
	f.config.Identity = m.Place + " " + m.Name
	if m.Away {
		fmt.Fprintln(os.Stderr, "npdb: programs and their values are sent to "+cli.EscapeLines(m.Place))
	}
	if n.Redact == nil {
		return nil
	}
	rules, err := c.Redaction()
	if err == nil {
		err = f.redact(source, rules)
	}
	if err != nil {
		return errors.Join(err, n.Predictor.Close())
	}
	return nil
}

// redact removes secrets from the programs, and reports how many.
func (*evalFlags) redact(source *eval.Source, rules redact.Rules) error {
	found, err := redactSource(source, rules)
	if err == nil && found > 0 {
		fmt.Fprintf(os.Stderr, "npdb: %s redacted in the programs, which are run so\n", cli.Count(found, "text"))
	}
	return err
}

// mostWeights limits the size of a model file, in bytes.
const mostWeights = 8 << 30

// own stores a model that runs in this process in f.config.
func (f *evalFlags) own(p *embedded.Predictor) {
	f.config.Predictor, f.config.Digest = p, p.Digest()
	f.config.Identity = "npdb " + p.Model().Name + " " + f.config.Digest
	if f.config.Parallel <= 0 {
		f.config.Parallel = 1
	}
}

// openCache opens the file of saved answers: the one of --cache if named is true, else the default one
// in the state folder.
func (f *evalFlags) openCache(named bool) error {
	path := f.cache
	if !named {
		if dir := journal.StateDir(); dir != "" {
			path = filepath.Join(dir, "eval.jsonl")
		}
	}
	if path == "" {
		return nil
	}
	cache, err := eval.OpenCache(path)
	if err != nil {
		return err
	}
	if n := cache.Damaged(); n > 0 {
		fmt.Fprintf(os.Stderr, "npdb: %s of the kept answers cannot be read and are asked again\n", cli.Count(n, "line"))
	}
	f.config.Cache = cache
	return nil
}

func (f *evalFlags) report(w io.Writer, r *eval.Result) error {
	var page error
	if f.html != "" {
		page = writePage(f.html, r)
	}
	if f.json {
		return errors.Join(r.Write(w), page)
	}
	m := r.Model
	if r.Place != "" {
		m += " at " + r.Place
	}
	fmt.Fprintf(w, "npdb eval %s: %s, %s of %s\n\n", r.Task, cli.EscapeLines(m), cli.Count(r.N, "program"), cli.EscapeLines(r.Settings.Source))
	err := report.Text(w, report.Tables(r), cli.PageOn(w).Colors())
	if n := len(r.Skipped); n > 0 {
		fmt.Fprintf(w, "\n%s left out, the first of them %s: %s\n", cli.Count(n, "program"), cli.EscapeLines(r.Skipped[0].Program), cli.EscapeLines(r.Skipped[0].Why))
	}
	return errors.Join(err, page)
}

func writePage(path string, r *eval.Result) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(report.HTML(file, r), file.Close())
}

func newEvalDiffCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "diff A B", Short: "Compare two results", Args: cobra.ExactArgs(2),
		Long: cli.Fill(`npdb eval diff compares what npdb eval --json has written for two models, or for one in two
ways, question by question: by how much B is better than A, and between which bounds that
lies (a paired bootstrap over programs, of a fixed seed).`),
		RunE: func(cmd *cobra.Command, args []string) error {
			var sides [2]*eval.Result
			for i, path := range args {
				var err error
				if sides[i], err = readResult(path); err != nil {
					return err
				}
			}
			d, err := eval.Compare(sides[0], sides[1])
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if asJSON {
				e := json.NewEncoder(w)
				e.SetEscapeHTML(false)
				return e.Encode(d)
			}
			if d.Warning != "" {
				fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(d.Warning))
			}
			return report.Text(w, []report.Table{report.Differences(d)}, cli.PageOn(w).Colors())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// mostResult limits the size of a result file, in bytes.
const mostResult = 1 << 30

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/cpython"
	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/serve"
	"github.com/npdb/npdb/trace/contain"
)

// serveFlags contains the values of npdb serve's command line.
type serveFlags struct {
	models      []string
	listen      string
	allowRemote bool
	keyFile     string
	contain     string
	limits      contain.Limits
	server      serve.Config
	verbose     bool
}

// Names of the models of npdb serve that run programs in CPython.
const (
	modelOracle = "oracle"
	modelDrift  = "drift"
)

// levels maps the words of --contain to their values.
var levels = map[string]contain.Level{"auto": contain.Auto, "bubblewrap": contain.Bubblewrap, "user": contain.OwnUser, "limits": contain.LimitsOnly}

func newServeCommand(stop *cli.Stopper) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve CPython as if it were a model, or npdb's own model",
		Long: `npdb serve is an OpenAI-compatible server whose models are CPython. "oracle" runs the
program that a prompt shows, replays its actions and answers the last one; "drift"
believes the states that the prompt shows, also where they are wrong. --model npdb-30m
serves the small model that npdb carries, which runs no program and needs no Python. It
answers texts of nd/1 (/v1/completions) and conversations (/v1/chat/completions). When it is ready
it prints one line, which ends with its address. Ctrl-C ends it; requests under way are
given five seconds.

CPython runs the programs it is sent: contained as well as can be here, and for this machine
only unless told otherwise. With --misbehave it does wrong on purpose, each kind with a
probability of its own: --misbehave locals=0.1,cut=0.05. Of replies: event, line,
function, locals, value, outcome, unknown, garbage, endless; of requests: error, html,
truncated, cut, mid-stream.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, stop) },
	}
	f.define(cmd.Flags())
	return cmd
}

func (f *serveFlags) define(fs *pflag.FlagSet) {
	fs.SortFlags = false
	fs.StringSliceVar(&f.models, "model", []string{modelOracle, modelDrift}, "`models` to serve; the first answers where a request names none")
	fs.StringVar(&f.listen, "listen", "127.0.0.1:8000", "`address` to listen on; port 0 takes a free one")
	fs.BoolVar(&f.allowRemote, "allow-remote", false, "listen also where other machines can reach it")
	fs.StringSliceVar(&f.server.Hosts, "allow-host", nil, "`names` that clients call the server by, besides localhost and addresses; such as a proxy's")
	fs.StringSliceVar(&f.server.Origins, "allow-origin", nil, "`origins` of web pages that may ask, such as https://app.example")
	fs.StringVar(&f.keyFile, "key-file", "", "`file` with the key that clients have to give")
	config.AddFlags(fs, "python")
	fs.IntVar(&f.server.Window, "window", 0, "`tokens` that a prompt and its reply may have (default 1048576)")
	fs.IntVar(&f.server.AtOnce, "at-once", 0, "`questions` that are answered at the same time (default 4)")
	fs.DurationVar(&f.server.Timeout, "timeout", 30*time.Second, "`time` for one question")
	fs.BoolVar(&f.verbose, "verbose", false, "log requests to standard error")

	l := &f.limits
	fs.StringVar(&f.contain, "contain", "auto", "the `level` bubblewrap, user or limits, which does not start where it is not had; auto is the best one there is")
	fs.DurationVar(&l.CPU, "max-cpu", 0, "processor `time` of each process of a program (default 10s)")
	fs.Var((*config.ByteSize)(&l.Memory), "max-memory", "`memory` of each process (default 1GiB)")
	fs.Var((*config.ByteSize)(&l.Total), "max-total", "`memory` of a program's processes together, where the server has a control group (default 2GiB)")
	fs.IntVar(&l.Processes, "max-processes", 0, "`processes` and threads of a program (default 32)")
	fs.IntVar(&l.Files, "max-files", 0, "open `files` of each process (default 128)")
	fs.Var((*config.ByteSize)(&l.FileSize), "max-file-size", "`size` of each file that is written (default 16MiB)")
	fs.Var((*config.ByteSize)(&l.Scratch), "max-scratch", "`size` of a program's scratch folder (default 64MiB)")
	fs.Var((*config.ByteSize)(&l.Output), "max-output", "`size` of a program's output that is kept (default 1MiB)")
	fs.IntVar(&l.Events, "max-events", 0, "`events` that are recorded (default 1000000)")
	fs.Var((*config.ByteSize)(&l.RecordBytes), "max-record", "`memory` for what is recorded (default 512MiB)")

	m := &f.server.Misbehavior
	fs.Var((*misbehaviorFlag)(m), "misbehave", "what to do wrong, as `kind=p`,kind=p…; repeatable")
	fs.Uint64Var(&m.Seed, "seed", 0, "`number` that makes misbehaviour repeatable")
	fs.IntSliceVar(&m.Statuses, "status", nil, "HTTP `statuses` of error (default 500,503,429)")
	fs.DurationVar(&m.RetryAfter, "retry-after", 0, "`time` to ask for with an error")
	fs.DurationVar(&m.Latency, "latency", 0, "`time` before each answer")
	fs.DurationVar(&m.Jitter, "jitter", 0, "up to so much `time` more, by chance")
	fs.DurationVar(&m.TokenLatency, "token-latency", 0, "`time` before each token")
}

// run serves until a signal ends it.
func (f *serveFlags) run(cmd *cobra.Command, stop *cli.Stopper) (err error) {
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	level, ok := levels[f.contain]
	if !ok {
		return fmt.Errorf("--contain %s: choose auto, bubblewrap, user or limits", f.contain)
	}
	if f.keyFile != "" {
		if f.server.Key, err = config.ReadKeyFile(f.keyFile); err != nil {
			return fmt.Errorf("--key-file: %w", err)
		}
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	f.server.Version = cli.Version()
	if f.server.Format, err = dsl.NewFormat(c.Model.Tokens); err != nil {
		return err
	}
	if f.verbose {
		f.server.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	s := &serving{stop: cancel}
	defer func() { err = errors.Join(err, s.close()) }()
	own, err := f.ownModel()
	if err != nil {
		return err
	}
	contained, err := f.contained(ctx, c.Python, level)
	if err != nil {
		return err
	}
	var warnings []string
	if contained != nil {
		defer contained.Close()
		warnings = append(warnings, contained.Warning())
	}
	for _, name := range f.models {
		model := serve.Model{Name: name}
		if slices.Contains(cpythons, name) {
			model.Predictor = cpython.New(cpython.Config{
				Python: contained.Python(), Timeout: f.server.Timeout,
				Drift: name == modelDrift, Prepare: contained.Prepare,
			})
		} else {
			model.Predictor, model.Guesses = own, true
		}
		s.models = append(s.models, model.Predictor)
		f.server.Models = append(f.server.Models, model)
	}
	f.server.Hosts = append(f.server.Hosts, f.names()...)
	server, err := serve.New(f.server)
	if err != nil {
		return err
	}
	l, exposed, err := serve.Listen(ctx, f.listen, f.allowRemote)
	if err != nil {
		return err
	}
	for _, warning := range append(warnings, exposed) {
		if warning != "" {
			fmt.Fprintln(os.Stderr, "npdb: "+cli.EscapeLines(warning))
		}
	}
	stop.Watch(s)
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "npdb serves %s at http://%s/v1\n", strings.Join(f.models, ", "), l.Addr()); err != nil {
		return errors.Join(err, l.Close())
	}
	return server.Serve(ctx, l)
}

// cpythons lists the names of the models that run programs in CPython.
var cpythons = []string{modelOracle, modelDrift}

// ownModel makes the model in the binary if it is to be served, otherwise nil. It returns
// an error for an unknown name.
func (f *serveFlags) ownModel() (*embedded.Predictor, error) {
	names := slices.DeleteFunc(slices.Clone(f.models), func(name string) bool { return slices.Contains(cpythons, name) })
	if len(names) == 0 {
		return nil, nil
	}
	known := modelOracle + " or " + modelDrift
	own, err := embedded.Shipped(embedded.Config{})
	switch {
	case errors.Is(err, embedded.ErrNoModel):
		return nil, fmt.Errorf("--model %s: there is no such model; it is %s, and this build of npdb carries no other", names[0], known)
	case err != nil:
		return nil, err
	}
	for _, name := range names {
		if carried := own.Model().Name; name != carried {
			return nil, errors.Join(fmt.Errorf("--model %s: there is no such model; it is %s, or %s, which npdb carries", name, known, carried), own.Close())
		}
	}
	return own, nil
}

// contained prepares the containment of programs, or returns nil if no served model runs
// programs.
func (f *serveFlags) contained(ctx context.Context, python string, level contain.Level) (*contain.Containment, error) {
	if !slices.ContainsFunc(f.models, func(name string) bool { return slices.Contains(cpythons, name) }) {
		return nil, nil
	}
	c, err := contain.New(ctx, python, level, f.limits)
	if err != nil {
		return nil, err
	}
	if _, why := c.ControlGroup(); why != nil && f.server.Log != nil {
		f.server.Log.Info("programs' memory is not limited together", "why", why)
	}
	return c, nil
}

// names returns the host names by which clients may address the server: that of the
// listening address, and for other machines the name of this machine.
func (f *serveFlags) names() (names []string) {
	if host, _, err := net.SplitHostPort(f.listen); err == nil && host != "" && net.ParseIP(host) == nil && !strings.Contains(host, "%") {
		names = append(names, host)
	}
	if host, err := os.Hostname(); err == nil && host != "" && f.allowRemote {
		names = append(names, host)
	}
	return names
}

// serving handles signals while npdb serves. The first signal lets current requests finish, the
// second one ends them.
type serving struct {
	stop     context.CancelFunc
	stopping atomic.Bool
	models   []backend.Predictor
}

// Busy implements cli.Running.
func (s *serving) Busy() (busy, again bool) { return true, s.stopping.Load() }

// Interrupt implements cli.Running.
func (s *serving) Interrupt() {
	if s.stopping.Swap(true) {
		_ = s.close() // run closes it again, and returns the error
		return
	}
	s.stop()
}

// Kill implements cli.Running.
func (s *serving) Kill() { s.Interrupt() }

// Runs implements cli.Running. It returns false, because the programs are not the user's own.
func (s *serving) Runs() bool { return false }

// close ends the running programs and thereby the requests that wait for them.
func (s *serving) close() error {
	var all error
	for _, p := range s.models {
		all = errors.Join(all, p.Close())
	}
	return all
}

// misbehaviorFlag is the flag --misbehave: probabilities by kind.
type misbehaviorFlag serve.Misbehavior

func (m *misbehaviorFlag) Type() string { return "kind=probability" }

// Set adds the probabilities in text to those of earlier flags.
func (m *misbehaviorFlag) Set(text string) error {
	kinds := m.kinds()
	for part := range strings.SplitSeq(text, ",") {
		name, number, _ := strings.Cut(strings.TrimSpace(part), "=")
		field, known := kinds[name]
		p, err := strconv.ParseFloat(number, 64)
		switch {
		case !known:
			return fmt.Errorf("unknown misbehaviour %q; npdb serve --help lists them", name)
		case err != nil || !(p >= 0 && p <= 1):
			return fmt.Errorf("%s=%s: give a probability from 0 to 1", name, number)
		}
		field.SetFloat(p)
	}
	return nil
}

// String returns "", because there is no default.
func (m *misbehaviorFlag) String() string { return "" }

// kinds returns the fields that are probabilities, by their names on the command line.
func (m *misbehaviorFlag) kinds() map[string]reflect.Value {
	v := reflect.ValueOf(m).Elem()
	kinds := map[string]reflect.Value{}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Type.Kind() == reflect.Float64 {
			kinds[kebab(f.Name)] = v.Field(i)
		}
	}
	return kinds
}

// kebab converts MidStream to mid-stream, and HTML to html.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' && name[i-1] >= 'a' {
			b.WriteByte('-')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace"
)

// pacing shows the program's output and the progress of moves that take long.
type pacing struct {
	cfg        *Config
	program    *program
	draft      *draft
	journaling *journaling

	pacer   pacer // measures the current command
	advised bool  // the user was told how to speed up a slow program
}

// Pace is the progress of a command that runs the program.
type Pace struct {
	Events   int // number of events recorded so far
	Function string
	File     string // as shown to the user; "" if there is no event yet
	Line     int
	Rate     float64 // events per second, measured recently
	// Unrecorded reports that recording is off: Events and the location are from before.
	Unrecorded bool
	Advice     string // how to go faster, once in a session, else ""
}

const (
	// paceAfter is the time after which a command's progress is shown.
	paceAfter = 500 * time.Millisecond
	// adviseAfter is the time after which npdb suggests to run without recording.
	adviseAfter = 10 * time.Second
	// rateOver is the minimum time over which a rate is measured.
	rateOver = time.Second
)

// pacer measures the progress of a command at each tick.
type pacer struct {
	began     time.Time
	from, mid sample // two earlier samples; the rate is measured since from
}

type sample struct {
	at     time.Time
	events int
}

// pace passes the progress of the running command to the front end, once it has run for a while.
func (pc *pacing) pace(now time.Time) {
	if pc.cfg.Pace == nil || pc.program.rec == nil {
		return
	}
	at, p := pc.program.rec.Progress(), &pc.pacer
	this := sample{now, at.Events}
	if p.began.IsZero() {
		*p = pacer{now, this, this}
		return
	}
	if now.Sub(p.mid.at) >= rateOver {
		p.from, p.mid = p.mid, this
	}
	ran := now.Sub(p.began)
	if ran < paceAfter {
		return
	}
	pace := &Pace{Events: at.Events, Function: at.Function, File: at.File, Line: at.Line, Unrecorded: at.Unrecorded}
	if over := now.Sub(p.from.at); over > 0 {
		pace.Rate = float64(at.Events-p.from.events) / over.Seconds()
	}
	if ran >= adviseAfter && !pc.advised && !at.Unrecorded && pace.Rate > 0 { // a program that waits is not slowed down
		pace.Advice = pc.advice(pace, ran)
		pc.advised = pace.Advice != ""
	}
	pc.cfg.Pace(pace)
}

// advice returns how long the program takes and how to speed it up. It returns "" in side-by-side
// mode, where everything must be recorded.
func (pc *pacing) advice(p *Pace, ran time.Duration) string {
	if pc.program.Mode() != Real {
		return ""
	}
	why := fmt.Sprintf("Recording takes long: %s in %d seconds", plural(p.Events, "event", "events"), int(ran.Seconds()))
	if times := int(pythonRate / max(p.Rate, 1)); 2 <= times && times <= 1000 {
		why += fmt.Sprintf(", up to %d times as long as plain Python", times)
	}
	how := pc.draft.key("fc") + " (fast-continue) goes"
	if pc.cfg.Key == nil {
		how = "stop it, and " + how
	}
	return why + ". To hurry, " + how + " on to the next breakpoint unrecorded; npdb --from LOCATION begins to record there."
}

// pythonRate is roughly how many short lines plain Python runs in a second.
const pythonRate = 20e6

// rest ends the measurement of a command and removes a pending tick.
func (pc *pacing) rest() {
	pc.pacer = pacer{}
	select {
	case <-pc.cfg.Ticks:
	default:
	}
}

// Words formats the progress in one line of at most the given number of columns; width measures a
// text. stop says how to stop the program, "" if that is shown elsewhere. If there is too little
// room, the rate is left out first, then the function.
func (p *Pace) Words(columns int, width func(string) int, stop string) string {
	events, rate := plural(p.Events, "event", "events"), ""
	if p.Rate >= 1 {
		rate = thousands(int(p.Rate)) + " a second"
	}
	line, place := "", ""
	if p.File != "" {
		line = fmt.Sprintf("%s:%d", p.File, p.Line)
		place = p.Function + " " + line
	}
	if p.Unrecorded {
		events, rate, place, line = "runs unrecorded", "", "", ""
	}
	words := ""
	for _, parts := range [][]string{
		{events, rate, place, stop}, {events, place, stop}, {events, line, stop}, {events, stop}, {events},
	} {
		words = ""
		for _, part := range parts {
			if part != "" {
				words += " · " + escape.Line(part)
			}
		}
		words = strings.TrimPrefix(words, " · ")
		if width(words) <= columns {
			return words
		}
	}
	return words
}

// running makes a move that runs the program, by calling f. At each tick, another goroutine shows
// the program's output and the progress. While f runs, nothing else uses the session.
func (pc *pacing) running(ctx context.Context, f func(context.Context) (trace.Landing, error)) (trace.Landing, error) {
	ctx, done := pc.program.interruptible(ctx)
	defer done()
	defer pc.streaming()()
	return f(ctx)
}

// streaming shows the program's output and progress at each tick, until done is called.
func (pc *pacing) streaming() (done func()) {
	if pc.cfg.Stream == nil || pc.journaling.replaying != nil {
		return func() {}
	}
	end, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		var held heldUp
		for {
			select {
			case <-end:
				return
			case now := <-pc.cfg.Ticks:
				pc.stream(held.notice(pc.program, now))
				pc.pace(now)
			}
		}
	}()
	return func() {
		close(end)
		<-over
	}
}

// stream passes the program's new output and urgent notices to the front end, and removes them from the
// answer. held is an urgent notice of the session, or "".
func (pc *pacing) stream(held string) {
	wrote, announced := pc.draft.drain(), ""
	if pc.program.rec != nil {
		announced = pc.program.rec.Announced()
	}
	for _, urgent := range []string{announced, held} {
		if urgent != "" {
			pc.draft.notice("%s", urgent)
			wrote = true
		}
	}
	if !wrote {
		return // npdb's other messages can wait
	}
	a := &Answer{Chunks: pc.draft.answer.Chunks}
	pc.draft.answer.Chunks = nil
	pc.cfg.Stream(a)
}

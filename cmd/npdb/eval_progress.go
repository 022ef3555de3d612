package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/colorprofile"
	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"github.com/npdb/npdb/eval"
)

// evaluating is what signals act on while npdb measures.
type evaluating struct{ cancel context.CancelFunc }

// Busy implements running.
func (e *evaluating) Busy() (busy, again bool) { return true, false }

// Interrupt implements running.
func (e *evaluating) Interrupt() { e.cancel() }

// Kill implements running.
func (e *evaluating) Kill() { e.cancel() }

// Runs implements running: the programs are not the user's own.
func (e *evaluating) Runs() bool { return false }

// evalBar is a line on a terminal that says how far a measurement has come.
type evalBar struct {
	to    io.Writer // nil where it is no terminal
	bar   progress.Model
	shown time.Time
	began time.Time
}

func newEvalBar(to *os.File) *evalBar {
	b := &evalBar{began: time.Now()}
	if term.IsTerminal(int(to.Fd())) && os.Getenv("TERM") != "dumb" {
		b.to = colorprofile.NewWriter(to, os.Environ())
		b.bar = progress.New(progress.WithWidth(30))
	}
	return b
}

// show draws the line, a few times a second.
func (b *evalBar) show(p eval.Progress) {
	if b.to == nil || time.Since(b.shown) < time.Second/5 && p.Programs < p.Of {
		return
	}
	b.shown = time.Now()
	left := ""
	if p.Programs > 0 && p.Programs < p.Of {
		each := time.Since(b.began) / time.Duration(p.Programs)
		left = ", " + (each * time.Duration(p.Of-p.Programs)).Round(time.Second).String() + " left"
	}
	fmt.Fprintf(b.to, "\r\x1b[K%s %d/%d programs, %s answers, %s of them kept%s", b.bar.ViewAs(float64(p.Programs)/float64(max(p.Of, 1))),
		p.Programs, p.Of, humanize.Comma(int64(p.Asked)), humanize.Comma(int64(p.Kept)), left)
}

func (b *evalBar) clear() {
	if b.to != nil {
		fmt.Fprint(b.to, "\r\x1b[K")
	}
}

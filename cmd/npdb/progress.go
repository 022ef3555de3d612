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
)

// cancelling is what signals act on while npdb works through programs by itself.
type cancelling struct{ cancel context.CancelFunc }

// Busy implements running.
func (e *cancelling) Busy() (busy, again bool) { return true, false }

// Interrupt implements running.
func (e *cancelling) Interrupt() { e.cancel() }

// Kill implements running.
func (e *cancelling) Kill() { e.cancel() }

// Runs implements running: the programs are not the user's own.
func (e *cancelling) Runs() bool { return false }

// progressBar is a line on a terminal that says how far npdb has come.
type progressBar struct {
	to    io.Writer // nil where it is no terminal
	bar   progress.Model
	shown time.Time
	began time.Time
}

func newProgressBar(to *os.File) *progressBar {
	b := &progressBar{began: time.Now()}
	if term.IsTerminal(int(to.Fd())) && os.Getenv("TERM") != "dumb" {
		b.to = colorprofile.NewWriter(to, os.Environ())
		b.bar = progress.New(progress.WithWidth(30))
	}
	return b
}

// show draws the line, a few times a second: done programs of so many, those made in this
// run, from which the time left follows, and what else there is to say.
func (b *progressBar) show(done, of, made int, what, more string) {
	if b.to == nil || time.Since(b.shown) < time.Second/5 && done < of {
		return
	}
	b.shown = time.Now()
	left := ""
	if made > 0 && done < of {
		each := time.Since(b.began) / time.Duration(made)
		left = ", " + (each * time.Duration(of-done)).Round(time.Second).String() + " left"
	}
	fmt.Fprintf(b.to, "\r\x1b[K%s %s/%s %s%s%s", b.bar.ViewAs(float64(done)/float64(max(of, 1))),
		humanize.Comma(int64(done)), humanize.Comma(int64(of)), what, more, left)
}

func (b *progressBar) clear() {
	if b.to != nil {
		fmt.Fprint(b.to, "\r\x1b[K")
	}
}

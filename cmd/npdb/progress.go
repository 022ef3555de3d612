package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
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
	to      io.Writer  // nil where it is no terminal
	columns func() int // that the terminal has now
	shown   time.Time
	began   time.Time
}

func newProgressBar(to *os.File) *progressBar {
	b := &progressBar{began: time.Now(), columns: func() int { return pageOn(to).columns }}
	if term.IsTerminal(int(to.Fd())) && os.Getenv("TERM") != "dumb" {
		b.to = colorprofile.NewWriter(to, os.Environ())
	}
	return b
}

// show draws the line, a few times a second: done programs of so many, those made in this
// run, from which the time left follows, and what else there is to say, the most needed
// first.
func (b *progressBar) show(done, of, made int, what string, more ...string) {
	if b.to == nil || time.Since(b.shown) < time.Second/5 && done < of {
		return
	}
	b.shown = time.Now()
	said := humanize.Comma(int64(done)) + "/" + humanize.Comma(int64(of)) + " " + what
	left := ""
	if made > 0 && done < of {
		each := time.Since(b.began) / time.Duration(made)
		left = ", " + (each * time.Duration(of-done)).Round(time.Second).String() + " left"
	}
	columns := b.columns()
	if columns <= 0 { // it does not say
		columns = usualColumns
	}
	fmt.Fprint(b.to, "\r\x1b[K"+fit(columns-1, float64(done)/float64(max(of, 1)), said, more, left))
}

const (
	usualColumns = 80
	widestBar    = 30
	leastBar     = 10 // of which five are its percentage
)

// fit is a line of so many columns at most, for one that is wider cannot be drawn over. The
// bar is the first to give way, then what is said besides, from its end.
func fit(columns int, share float64, said string, more []string, left string) string {
	text := func() string { return strings.Join(append([]string{said}, more...), ", ") + left }
	for len(more) > 0 && ansi.StringWidth(text()) > columns {
		more = more[:len(more)-1]
	}
	line := text()
	if room := columns - ansi.StringWidth(line) - 1; room >= leastBar {
		bar := progress.New(progress.WithWidth(min(room, widestBar)))
		line = bar.ViewAs(share) + " " + line
	}
	return ansi.Truncate(line, max(columns, 0), "")
}

func (b *progressBar) clear() {
	if b.to != nil {
		fmt.Fprint(b.to, "\r\x1b[K")
	}
}

package cli

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

// Cancelling implements Running for work that npdb does itself and that a signal cancels, such as
// recording many programs for a dataset.
type Cancelling context.CancelFunc

// Busy implements Running.
func (Cancelling) Busy() (busy, again bool) { return true, false }

// Interrupt implements Running.
func (c Cancelling) Interrupt() { c() }

// Kill implements Running.
func (c Cancelling) Kill() { c() }

// Runs implements Running. It returns false: npdb's own work runs, not a single program of the
// user's.
func (Cancelling) Runs() bool { return false }

// ProgressBar draws one line with the progress on a terminal.
type ProgressBar struct {
	to      io.Writer  // nil if the output is not a terminal
	columns func() int // current width of the terminal
	shown   time.Time
	Began   time.Time
}

// NewProgressBar returns a bar that draws on a terminal and nowhere else.
func NewProgressBar(to *os.File) *ProgressBar {
	b := &ProgressBar{Began: time.Now(), columns: func() int { return PageOn(to).Columns }}
	if term.IsTerminal(int(to.Fd())) && os.Getenv("TERM") != "dumb" {
		b.to = colorprofile.NewWriter(to, os.Environ())
	}
	return b
}

// Show draws the line, at most five times a second: how many of the items are done, with their name
// what, and then the texts of more, as many as fit. It estimates the remaining time from made, the
// number of items that this run has done.
func (b *ProgressBar) Show(done, of, made int, what string, more ...string) {
	if b.to == nil || time.Since(b.shown) < time.Second/5 && done < of {
		return
	}
	b.shown = time.Now()
	said := humanize.Comma(int64(done)) + "/" + humanize.Comma(int64(of)) + " " + what
	left := ""
	if made > 0 && done < of {
		each := time.Since(b.Began) / time.Duration(made)
		left = ", " + (each * time.Duration(of-done)).Round(time.Second).String() + " left"
	}
	columns := b.columns()
	if columns <= 0 { // the terminal does not report its width
		columns = usualColumns
	}
	fmt.Fprint(b.to, "\r\x1b[K"+fit(columns-1, float64(done)/float64(max(of, 1)), said, more, left))
}

const (
	usualColumns = 80
	widestBar    = 30
	leastBar     = 10 // five columns of it show the percentage
)

// fit returns a line of at most the given columns, because a wrapped line could not be
// drawn over. It first shortens the bar, then drops the additional texts, from the end.
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

// Clear removes the line.
func (b *ProgressBar) Clear() {
	if b.to != nil {
		fmt.Fprint(b.to, "\r\x1b[K")
	}
}

package export

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/npdb/npdb/session/compare"
)

// mostRows limits the rows of a report's table.
const mostRows = 200

// Report is the content of the Markdown report of a session. Its texts may contain anything:
// Markdown quotes them, and Escape makes them safe for a terminal.
type Report struct {
	Program string
	Model   string // "" if no model was asked
	Referee string // where the true states come from, CPython or another model; "" in neural mode
	When    time.Time
	Moves   int      // predicted ones
	Score   []string // accuracy, as lines of plain text
	First   string   // location of the first divergence, "" if there is none
	Rows    []Row
	// Pictures hold the states around the first divergences.
	Pictures []Picture
	Marks    []Marked
	Logs     []Logged
	// Escape removes terminal control sequences and invisible characters from a text.
	Escape func(string) string
}

// Row is a mispredicted move.
type Row struct {
	Move     int // counted from 1
	Action   string
	Place    string // where the move really led: "prog.py:14"
	Failure  string // why the model made no prediction, "" if it made one
	Verdicts compare.Verdicts
}

// Picture is a state drawn as text.
type Picture struct{ Title, Text string }

// Markdown writes the report.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	title := "# " + r.code(r.Program)
	if r.Model != "" {
		title += ", predicted by " + r.code(r.Model)
	}
	line("%s\n", title)
	if r.Referee != "" {
		line("- beside: %s", r.code(r.Referee))
	}
	line("- written: %s", r.When.Format("2006-01-02 15:04 MST"))
	if r.Model != "" {
		line("- moves: %d", r.Moves)
	}
	r.findings(line)
	if r.Referee != "" {
		first := "none"
		if r.First != "" {
			first = r.code(r.First)
		}
		line("- first divergence: %s", first)
	}
	if len(r.Score) > 0 {
		line("\n## Score\n\n%s", r.indented(strings.Join(r.Score, "\n")))
	}
	if len(r.Rows) > 0 {
		r.table(line)
	}
	for _, p := range r.Pictures {
		line("\n## %s\n\n%s", r.plain(p.Title), r.indented(p.Text))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes one row for each mispredicted field, and one for each move without a prediction.
func (r *Report) table(line func(string, ...any)) {
	line("\n## Divergences\n")
	line("| move | action | at | field | predicted | real |")
	line("|---|---|---|---|---|---|")
	written, left := 0, 0
	for _, row := range r.Rows {
		start := fmt.Sprintf("| %d | %s | %s |", row.Move, r.code(row.Action), r.code(row.Place))
		if row.Failure != "" {
			if written++; written > mostRows {
				left++
				continue
			}
			line("%s %s | no prediction: %s | |", start, compare.Outcome, r.code(row.Failure))
			continue
		}
		for _, v := range row.Verdicts {
			if !v.Kind.Wrong() {
				continue
			}
			if written++; written > mostRows {
				left++
				continue
			}
			predicted, real := Sides(v)
			field := v.Field.String()
			if v.Name != "" {
				field = r.code(v.Name)
			}
			own := ""
			if v.Own != "" {
				own = " from " + r.code(v.Own)
			}
			line("%s %s | %s | %s%s |", start, field, r.code(predicted), r.code(real), own)
		}
	}
	if left > 0 {
		line("\n%d more rows are left out.", left)
	}
}

// Sides returns the predicted and the real value of a field. Of long values it returns the parts
// around their first difference. If a side has no value, the text says so.
func Sides(v compare.Verdict) (predicted, real string) {
	predicted, real = v.Excerpts()
	switch {
	case v.Kind == compare.Missing && v.Field != compare.Outcome:
		predicted = "(missing)"
	case v.Kind == compare.Extra:
		real = "(not there)"
	}
	return predicted, real
}

// code formats a text as a Markdown code span on one line, which also fits in a table cell.
func (r *Report) code(text string) string {
	if text == "" {
		return ""
	}
	text = strings.NewReplacer("\n", "⏎", "\t", " ", "|", `\|`).Replace(r.Escape(text))
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// plain escapes all Markdown characters in a text.
func (r *Report) plain(text string) string {
	var b strings.Builder
	for _, c := range strings.ReplaceAll(r.Escape(text), "\n", " ") {
		if strings.ContainsRune("\\`*_{}[]<>()#+-.!|~&", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// indented formats a text as a code block.
func (r *Report) indented(text string) string {
	lines := strings.Split(strings.TrimRight(r.Escape(text), "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight("    "+l, " ")
	}
	return strings.Join(lines, "\n")
}

func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != c {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

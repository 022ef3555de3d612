package score

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	humanize "github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/npdb/npdb/backend"
)

// Tokens sums the tokens that a server reported. Told is the sum, Untold the number of answers
// without a report.
type Tokens struct {
	Told   int `json:"told"`
	Untold int `json:"untold,omitempty"`
}

func (t *Tokens) add(n int) {
	if n < 0 {
		t.Untold++
	} else {
		t.Told += n
	}
}

func (t *Tokens) merge(o Tokens) { t.Told, t.Untold = t.Told+o.Told, t.Untold+o.Untold }

// in formats the number of tokens. answers is the number of all answers.
func (t Tokens) in(answers int, what string) string {
	switch {
	case t.Untold == answers:
		return what + ": not told"
	case t.Untold > 0:
		return fmt.Sprintf("%s %s, not told of %s", humanize.Comma(int64(t.Told)), what, english.Plural(t.Untold, "answer", ""))
	}
	return humanize.Comma(int64(t.Told)) + " " + what
}

// Bill sums what answers cost, including invalid and broken-off ones. Cached is a part of Prompt.
// Cost is by currency, as far as prices are known.
type Bill struct {
	Answers    int                `json:"answers"`
	Prompt     Tokens             `json:"prompt"`
	Cached     Tokens             `json:"cached"`
	Completion Tokens             `json:"completion"`
	Cost       map[string]float64 `json:"cost,omitempty"`
	Uncosted   int                `json:"uncosted,omitempty"` // answers without reported tokens
}

// Add adds the tokens and the cost of an answer.
func (b *Bill) Add(u backend.Usage, p Prices) {
	b.Answers++
	b.Prompt.add(u.Prompt)
	b.Cached.add(u.Cached)
	b.Completion.add(u.Completion)
	switch cost, priced, told := p.of(u); {
	case priced && told:
		b.pay(p.Currency, cost)
	case priced:
		b.Uncosted++
	}
}

func (b *Bill) pay(currency string, cost float64) {
	if b.Cost == nil {
		b.Cost = map[string]float64{}
	}
	b.Cost[currency] += cost
}

// Merge adds another bill.
func (b *Bill) Merge(o *Bill) {
	b.Answers, b.Uncosted = b.Answers+o.Answers, b.Uncosted+o.Uncosted
	b.Prompt.merge(o.Prompt)
	b.Cached.merge(o.Cached)
	b.Completion.merge(o.Completion)
	for currency, cost := range o.Cost {
		b.pay(currency, cost)
	}
}

// tokens formats the numbers of tokens.
func (b *Bill) tokens() string {
	if b.Prompt.Untold == b.Answers && b.Completion.Untold == b.Answers {
		return "tokens not told"
	}
	cached := b.Cached.in(b.Answers, "from the cache")
	if b.Cached.Untold == 0 && b.Prompt.Untold == 0 && b.Prompt.Told > 0 {
		// Rounded down, so that 100% means all.
		cached = fmt.Sprintf("%d%% of them from the cache", 100*b.Cached.Told/b.Prompt.Told)
	}
	return strings.Join([]string{b.Prompt.in(b.Answers, "tokens read"), cached, b.Completion.in(b.Answers, "written")}, ", ")
}

// Money formats the cost, "" if no prices are known.
func (b *Bill) Money() string {
	var sums []string
	for _, currency := range slices.Sorted(maps.Keys(b.Cost)) {
		sums = append(sums, fmt.Sprintf("%.*f %s", decimals(b.Cost[currency]), b.Cost[currency], currency))
	}
	return strings.Join(sums, " + ")
}

// decimals returns how many decimals a sum needs: more if it is small.
func decimals(sum float64) int {
	switch {
	case sum == 0 || sum >= 1:
		return 2
	case sum >= 0.01:
		return 4
	}
	return 6
}

// Prices are the prices of a million tokens: of the prompt, of the prompt's tokens that the server
// had cached, and of the completion. If Cached is nil, cached tokens cost as much as others.
type Prices struct {
	Prompt, Cached, Completion *float64
	Currency                   string
}

// of returns the cost of an answer. priced is false if prices are missing, told is false if the
// tokens were not reported. Tokens not reported as cached cost the full price.
func (p Prices) of(u backend.Usage) (cost float64, priced, told bool) {
	if p.Prompt == nil || p.Completion == nil {
		return 0, false, false
	}
	if u.Prompt < 0 || u.Completion < 0 {
		return 0, true, false
	}
	cached := min(max(u.Cached, 0), u.Prompt)
	reading := *p.Prompt
	if p.Cached != nil {
		reading = *p.Cached
	}
	return (float64(u.Prompt-cached)**p.Prompt + float64(cached)*reading + float64(u.Completion)**p.Completion) / 1e6, true, true
}

// Prefetch counts questions that were put to the model before the user made the move.
type Prefetch struct {
	Asked     int  `json:"asked"`
	Used      int  `json:"used"`
	Lost      int  `json:"lost"`   // cancelled or failed; their tokens are unknown
	Discarded Bill `json:"unused"` // the cost of answers that no move has used
}

// Invalid counts answers that were not a valid state.
type Invalid struct {
	Answers   int `json:"answers"`
	Outside   int `json:"outside"`   // of these: states on a line that the program does not have
	Corrected int `json:"corrected"` // questions that got a valid answer when repeated
	Left      int `json:"left"`      // questions that got no valid answer
}

// Add counts the discarded replies to one question. answered reports whether a valid answer
// followed.
func (v *Invalid) Add(replies []backend.Discarded, answered bool) {
	invalid := false
	for _, r := range replies {
		if r.Invalid {
			invalid = true
			v.Answers++
		}
		if r.Outside {
			v.Outside++
		}
	}
	switch {
	case invalid && answered:
		v.Corrected++
	case invalid:
		v.Left++
	}
}

func (v *Invalid) merge(o Invalid) {
	v.Answers, v.Outside, v.Corrected, v.Left = v.Answers+o.Answers, v.Outside+o.Outside, v.Corrected+o.Corrected, v.Left+o.Left
}

// line formats the counts as a sentence.
func (v Invalid) line() string {
	text := "Invalid: " + english.Plural(v.Answers, "answer was no state", "answers were no state")
	if v.Outside > 0 {
		text += fmt.Sprintf(" (%d for a line that the program does not have)", v.Outside)
	}
	return text + fmt.Sprintf("; of their questions %d answered when asked once more, %d left.", v.Corrected, v.Left)
}

// Spent counts a model's answers in one or more sessions: their tokens, cost and time, and how many
// were invalid or unused.
type Spent struct {
	Bill
	Kept     int      `json:"kept,omitempty"`     // states from replies to earlier questions
	Checked  Checked  `json:"checked,omitzero"`   // checks against the source
	Computed int      `json:"computed,omitempty"` // states computed from the source
	Took     []int    `json:"took_ms"`            // latencies of the last answers, in milliseconds
	Prefetch Prefetch `json:"ahead"`
	Invalid  Invalid  `json:"invalid,omitzero"`
}

// Checked counts the parts of predicted states that were compared with what follows from the
// program's source.
type Checked struct {
	Follow     int `json:"follow"`     // parts that follow from the source
	Contradict int `json:"contradict"` // parts that contradict it
	States     int `json:"states"`     // states with such a part
	// Again counts states that the model was asked for once more because they contradicted the
	// source, and Corrected those of them that then did not.
	Again     int `json:"again,omitempty"`
	Corrected int `json:"corrected,omitempty"`
}

// Add adds the counts of o.
func (c *Checked) Add(o Checked) {
	c.Follow, c.Contradict, c.States = c.Follow+o.Follow, c.Contradict+o.Contradict, c.States+o.States
	c.Again, c.Corrected = c.Again+o.Again, c.Corrected+o.Corrected
}

// Check counts the parts of one state. discarded are its earlier replies; if one was discarded
// because it contradicted the source, Check counts in Again and Corrected too.
func (c *Checked) Check(checks backend.Checks, discarded []backend.Discarded) {
	follow, contradict := checks.Count()
	c.Add(Checked{Follow: follow, Contradict: contradict, States: min(contradict, 1)})
	if slices.ContainsFunc(discarded, func(d backend.Discarded) bool { return d.Contradicted }) {
		c.Again++
		c.Corrected += 1 - min(contradict, 1)
	}
}

// Line formats the counts as a sentence.
func (c Checked) Line() string {
	text := fmt.Sprintf("Checked against the text: %s, %s", english.Plural(c.Follow, "part follows", "parts follow"), english.Plural(c.Contradict, "contradicts it", "contradict it"))
	if c.States > 0 {
		text += ", in " + english.Plural(c.States, "state", "")
	}
	if c.Again > 0 {
		text += fmt.Sprintf("; %s asked once more, %d of them corrected", english.Plural(c.Again, "state", ""), c.Corrected)
	}
	return text + "."
}

// mostTook is the number of latencies that are kept, those of the last answers.
const mostTook = 1000

// Answered counts an answer with its tokens, cost and latency.
func (s *Spent) Answered(u backend.Usage, took time.Duration, p Prices) {
	s.Add(u, p)
	if took > 0 {
		s.took(int(took.Milliseconds()))
	}
}

// DiscardedBy counts the discarded replies to a question, with their cost. answered reports whether
// a valid answer followed.
func (s *Spent) DiscardedBy(replies []backend.Discarded, answered bool, p Prices) {
	for _, v := range replies {
		s.Add(v.Usage, p)
	}
	s.Invalid.Add(replies, answered)
}

func (s *Spent) took(ms ...int) {
	s.Took = append(s.Took, ms...)
	s.Took = s.Took[max(len(s.Took)-mostTook, 0):]
}

// Merge adds the counts of a later session.
func (s *Spent) Merge(o *Spent) {
	s.Bill.Merge(&o.Bill)
	s.took(o.Took...)
	s.Invalid.merge(o.Invalid)
	s.Kept += o.Kept
	s.Computed += o.Computed
	s.Checked.Add(o.Checked)
	s.Prefetch.Asked, s.Prefetch.Used, s.Prefetch.Lost = s.Prefetch.Asked+o.Prefetch.Asked, s.Prefetch.Used+o.Prefetch.Used, s.Prefetch.Lost+o.Prefetch.Lost
	s.Prefetch.Discarded.Merge(&o.Prefetch.Discarded)
}

// Median returns the median latency of the answers, 0 if there is none.
func (s *Spent) Median() time.Duration {
	if len(s.Took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.Took))
	return time.Duration(sorted[len(sorted)/2]) * time.Millisecond
}

// Last returns the latency of the last answer, 0 if there is none.
func (s *Spent) Last() time.Duration {
	if len(s.Took) == 0 {
		return 0
	}
	return time.Duration(s.Took[len(s.Took)-1]) * time.Millisecond
}

// Seconds formats a duration: "85 ms", "1.2 s".
func Seconds(d time.Duration) string {
	if d < 100*time.Millisecond {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// Lines returns the counts in a few lines of plain text, nil if there were no answers and no
// computed states.
func (s *Spent) Lines() []string {
	if s.Answers == 0 && s.Computed == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("%s: %s.", english.Plural(s.Answers, "answer", ""), s.tokens())}
	if s.Computed > 0 {
		lines = append(lines, fmt.Sprintf("Computed from the text: %s, at no request.", english.Plural(s.Computed, "state", "")))
	}
	if s.Checked != (Checked{}) {
		lines = append(lines, s.Checked.Line())
	}
	if s.Kept > 0 {
		lines = append(lines, fmt.Sprintf("With earlier replies came: %s, at no request.", english.Plural(s.Kept, "further state", "")))
	}
	if s.Invalid.Answers > 0 {
		lines = append(lines, s.Invalid.line())
	}
	if money := s.Money(); money != "" || s.Uncosted > 0 {
		line := "Cost: " + money
		if money == "" {
			line += "not known"
		}
		if s.Uncosted > 0 {
			line += fmt.Sprintf(", without %s whose tokens were not told", english.Plural(s.Uncosted, "answer", ""))
		}
		lines = append(lines, line+".")
	}
	if len(s.Took) > 0 {
		lines = append(lines, fmt.Sprintf("Latency: %s in the median, %s the last.", Seconds(s.Median()), Seconds(s.Last())))
	}
	if a := &s.Prefetch; a.Asked > 0 {
		line := fmt.Sprintf("Prefetched: %s, %d used.", english.Plural(a.Asked, "question", ""), a.Used)
		if a.Discarded.Answers > 0 {
			line += fmt.Sprintf(" In vain so far: %s, %s", english.Plural(a.Discarded.Answers, "answer", ""), a.Discarded.tokens())
			if money := a.Discarded.Money(); money != "" {
				line += ", " + money
			}
			line += "."
		}
		if a.Lost > 0 {
			line += fmt.Sprintf(" %d given up or failed: their tokens are not told.", a.Lost)
		}
		lines = append(lines, line)
	}
	return lines
}

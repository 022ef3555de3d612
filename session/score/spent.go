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

// Tokens are tokens as far as they were told, and of how many answers they were not.
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

// in returns the number in words, of so many answers.
func (t Tokens) in(answers int, what string) string {
	switch {
	case t.Untold == answers:
		return what + ": not told"
	case t.Untold > 0:
		return fmt.Sprintf("%s %s, not told of %s", humanize.Comma(int64(t.Told)), what, english.Plural(t.Untold, "answer", ""))
	}
	return humanize.Comma(int64(t.Told)) + " " + what
}

// Bill is what answers took, those that were no state or broke off among them: tokens, of
// which those read from a cache are some of the prompt's, and money by currency, where
// prices are known.
type Bill struct {
	Answers    int                `json:"answers"`
	Prompt     Tokens             `json:"prompt"`
	Cached     Tokens             `json:"cached"`
	Completion Tokens             `json:"completion"`
	Cost       map[string]float64 `json:"cost,omitempty"`
	Uncosted   int                `json:"uncosted,omitempty"` // answers with prices, and without tokens
}

// Add adds an answer.
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

// tokens returns the tokens in words.
func (b *Bill) tokens() string {
	if b.Prompt.Untold == b.Answers && b.Completion.Untold == b.Answers {
		return "tokens not told"
	}
	cached := b.Cached.in(b.Answers, "from the cache")
	if b.Cached.Untold == 0 && b.Prompt.Untold == 0 && b.Prompt.Told > 0 {
		cached = fmt.Sprintf("%d%% of them from the cache", 100*b.Cached.Told/b.Prompt.Told) // 100% is all
	}
	return strings.Join([]string{b.Prompt.in(b.Answers, "tokens read"), cached, b.Completion.in(b.Answers, "written")}, ", ")
}

// Money returns the cost in words, "" where no price is known.
func (b *Bill) Money() string {
	var sums []string
	for _, currency := range slices.Sorted(maps.Keys(b.Cost)) {
		sums = append(sums, fmt.Sprintf("%.*f %s", decimals(b.Cost[currency]), b.Cost[currency], currency))
	}
	return strings.Join(sums, " + ")
}

// decimals returns how many places behind the point tell a small sum.
func decimals(sum float64) int {
	switch {
	case sum == 0 || sum >= 1:
		return 2
	case sum >= 0.01:
		return 4
	}
	return 6
}

// Prices are what a million tokens cost: those read, those read from a cache, and those
// written. Without one for the cache these cost what others do.
type Prices struct {
	Prompt, Cached, Completion *float64
	Currency                   string
}

// of returns what an answer cost; priced is false where there is no price, told where the tokens
// are not known. What is not known to come from the cache is paid in full.
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

// Prefetch is what a model was asked before the user came to it.
type Prefetch struct {
	Asked     int  `json:"asked"`
	Used      int  `json:"used"`
	Lost      int  `json:"lost"`   // given up or failed: nobody told their tokens
	Discarded Bill `json:"unused"` // of answers that no move has used
}

// Invalid counts answers that were no state.
type Invalid struct {
	Answers   int `json:"answers"`
	Outside   int `json:"outside"`   // of them, for a line that the program does not have
	Corrected int `json:"corrected"` // questions that were answered when they were asked once more
	Left      int `json:"left"`      // questions that were not answered
}

// Add adds the replies to a question that were no answer to it; answered is whether one
// followed them.
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

// line returns the counts in words.
func (v Invalid) line() string {
	text := "Invalid: " + english.Plural(v.Answers, "answer was no state", "answers were no state")
	if v.Outside > 0 {
		text += fmt.Sprintf(" (%d for a line that the program does not have)", v.Outside)
	}
	return text + fmt.Sprintf("; of their questions %d answered when asked once more, %d left.", v.Corrected, v.Left)
}

// Spent is what a model's answers took in a session, or in several.
type Spent struct {
	Bill
	Kept     int      `json:"kept,omitempty"`     // states that came with the replies to earlier questions: none of the answers
	Checked  Checked  `json:"checked,omitzero"`   // parts of answers
	Computed int      `json:"computed,omitempty"` // states that the program's text decided: none of the answers
	Took     []int    `json:"took_ms"`            // milliseconds from the question to the end of the answer, of the last ones
	Prefetch Prefetch `json:"ahead"`
	Invalid  Invalid  `json:"invalid,omitzero"`
}

// Checked counts the parts of predicted states that were compared with the program's text.
type Checked struct {
	Follow     int `json:"follow"`     // from the text
	Contradict int `json:"contradict"` // the text
	States     int `json:"states"`     // with a part that contradicts it
	// Again counts states that the model was asked for once more because they contradicted the text,
	// and Corrected those of them that then did not.
	Again     int `json:"again,omitempty"`
	Corrected int `json:"corrected,omitempty"`
}

// Add adds the parts of further states.
func (c *Checked) Add(o Checked) {
	c.Follow, c.Contradict, c.States = c.Follow+o.Follow, c.Contradict+o.Contradict, c.States+o.States
	c.Again, c.Corrected = c.Again+o.Again, c.Corrected+o.Corrected
}

// Check adds the parts of one state, and the replies that it was asked for again because of them.
func (c *Checked) Check(checks backend.Checks, discarded []backend.Discarded) {
	follow, contradict := checks.Count()
	c.Add(Checked{Follow: follow, Contradict: contradict, States: min(contradict, 1)})
	if slices.ContainsFunc(discarded, func(d backend.Discarded) bool { return d.Contradicted }) {
		c.Again++
		c.Corrected += 1 - min(contradict, 1)
	}
}

// Line returns the counts in words.
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

// mostTook is how many of the last answers' times are kept.
const mostTook = 1000

// Answered adds an answer.
func (s *Spent) Answered(u backend.Usage, took time.Duration, p Prices) {
	s.Add(u, p)
	if took > 0 {
		s.took(int(took.Milliseconds()))
	}
}

// DiscardedBy adds the replies to a question that were no answer to it; answered is whether one
// followed them.
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

// Merge adds what was spent in a later session.
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

// Median returns the time that the answers took in the median, 0 where none told it.
func (s *Spent) Median() time.Duration {
	if len(s.Took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.Took))
	return time.Duration(sorted[len(sorted)/2]) * time.Millisecond
}

// Last returns the time that the last answer took, 0 where none told it.
func (s *Spent) Last() time.Duration {
	if len(s.Took) == 0 {
		return 0
	}
	return time.Duration(s.Took[len(s.Took)-1]) * time.Millisecond
}

// Seconds returns a time in words.
func Seconds(d time.Duration) string {
	if d < 100*time.Millisecond {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// Lines returns what was spent in a few lines of plain text, none where nothing was asked.
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

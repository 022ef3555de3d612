package htmlpage

import (
	"crypto/sha256"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"github.com/npdb/npdb/internal/escape"
	"github.com/npdb/npdb/trace/statetree"
)

// mostChars is the maximum number of characters of a container in a value; see Tree.Excerpt.
const mostChars = 2000

// texts are the texts of values, each once. One that resembles an earlier text is written as a list:
// how many texts before it that one is, how much of its beginning and of its end the two share (in
// UTF-16), and what is between.
type texts struct {
	list  []any
	ids   map[[sha256.Size]byte]int
	bytes int // of all that is written
}

// leastShared is the number of bytes that two texts must share.
const leastShared = 24

// reference returns the distance of a text from the next new one, 0 if it is new, and its number. was
// is a text that it may resemble, with the number base, or -1.
func (t *texts) reference(text, was string, base int) (distance, id int) {
	sum := sha256.Sum256([]byte(text))
	if id, ok := t.ids[sum]; ok {
		return len(t.list) - id, id
	}
	id = len(t.list)
	t.ids[sum] = id
	if base >= 0 {
		head, tail := shared(was, text)
		if head+tail >= leastShared && 2*(head+tail) >= len(text) {
			between := text[head : len(text)-tail]
			t.list = append(t.list, []any{id - base, units(text[:head]), units(text[len(text)-tail:]), between})
			t.bytes += len(between)
			return 0, id
		}
	}
	t.list = append(t.list, text)
	t.bytes += len(text)
	return 0, id
}

// shared returns how many bytes of two texts are the same at the beginning and, after that, at the
// end. It cuts no character.
func shared(a, b string) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}
	for head > 0 && head < len(b) && !utf8.RuneStart(b[head]) {
		head--
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(b[len(b)-tail]) {
		tail--
	}
	return head, tail
}

// units returns the length of a text in JavaScript.
func units(text string) (n int) {
	for _, r := range text {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// safe returns a text of the program in which no character is invisible or changes the direction.
func (f *follower) safe(text string) string { return escape.Text(text) }

// text returns the text of a value that belongs to a name, as the page shows it.
func (f *follower) text(v statetree.Value, name string) (text string, unasked bool) {
	text, unasked = f.tree.Excerpt(v, f.at, mostChars)
	if f.redact == nil {
		return escape.Text(text), unasked
	}
	text = f.tree.Text(v, f.at) // all of it, because a secret may be cut
	if function, ok := strings.CutSuffix(name, "()"); ok {
		text = f.redact.Returned(function, text)
	} else {
		text = f.redact.Value(name, text)
	}
	if n := utf8.RuneCountInString(text); n > 2*mostChars {
		text = string([]rune(text)[:2*mostChars]) + "… +" + humanize.Comma(int64(n-2*mostChars)) + " chars not shown"
	}
	return escape.Text(text), unasked
}

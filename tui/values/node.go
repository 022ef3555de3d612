package values

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Node is a value's text, whose elements are parsed when they are asked for. A node and its
// descendants belong to one goroutine.
type Node struct {
	Text string
	// Cut is the end of Text that says how much was not stored, "" if nothing is missing: "…
	// +1,234 chars not stored".
	Cut string

	opened      bool
	open, close int // Text[:open] and Text[close:] enclose the elements
	form        form
	indexed     bool // elements are accessed by index
	paired      bool // each is a tuple of a key and a value
	spans       []span
	children    map[int]*Node
	length      int // in characters or bytes, 0 until computed
}

// Child is an element of a value.
type Child struct {
	// Key is the text before the element: a dictionary's key as it is written, an attribute's
	// name. A list's element has none.
	Key string
	// Label is shown before the element: the key, or the index in a list or tuple. A set's element
	// has none.
	Label string
	// Access is appended to an expression for the value to read the element: "[0]", "['a']",
	// ".owner"; "" if it is unknown.
	Access string
	Node   *Node
	// Note marks what is not an element but says how many are left out.
	Note bool
}

// noteLength is an upper bound of a note's length, in bytes.
const noteLength = 64

// Parse makes a node from a value's text. It takes no time; the text is read when its elements are
// asked for.
func Parse(text string) *Node {
	n := &Node{Text: text}
	end := text[max(len(text)-noteLength, 0):]
	if i := strings.LastIndex(end, "… +"); i >= 0 && note(end[i:]) == end[i:] && strings.Contains(end[i:], " chars") {
		n.Cut = end[i:]
	}
	return n
}

// body returns the text without Cut.
func (n *Node) body() string { return n.Text[:len(n.Text)-len(n.Cut)] }

// Len returns the number of children; 0 for a value without elements, and for one whose elements
// say no more than the whole: "[]", "Decimal('1.5')". The first call reads the text.
func (n *Node) Len() int {
	if !n.opened {
		n.opened = true
		n.read()
	}
	return len(n.spans)
}

// Open returns the text before the first child: "[", "Account(", "OrderedDict({". It
// is "" without children.
func (n *Node) Open() string {
	if n.Len() == 0 {
		return ""
	}
	return n.Text[:n.open]
}

// Close returns the text after the last child: "]", ")", "})".
func (n *Node) Close() string {
	if n.Len() == 0 {
		return ""
	}
	return n.Text[n.close:]
}

// read finds the elements.
func (n *Node) read() {
	text := n.body()
	at := nameLength(text)
	if at == len(text) || len(text) > math.MaxInt32 {
		return
	}
	f, ok := formOf(text[at:])
	if !ok || at > 0 && text[at] != '(' {
		return
	}
	if n.form = f; at > 0 {
		n.form = call
	}
	s := &scanner{text: text}
	spans, end, closed := s.elements(at+1, n.form)
	if closed && strings.TrimRight(text[end+1:], " \n") != "" || !closed && n.Cut == "" {
		return // it goes on behind the bracket, or has no end
	}
	n.open, n.close, n.spans = at+1, end, spans
	n.indexed = n.form == sequence
	if n.form == call {
		n.wrapped(text[:at])
	}
	if n.says(text) {
		n.spans = nil
	}
}

// formOf returns the form of the elements after the bracket at a text's beginning; false if there
// is no bracket.
func formOf(text string) (form, bool) {
	if text == "" {
		return 0, false
	}
	switch text[0] {
	case '[', '(':
		return sequence, true
	case '{':
		return mapping, true
	}
	return 0, false
}

// says reports whether the elements show no more than the whole text, so that the value need not be
// expanded.
func (n *Node) says(text string) bool {
	if len(n.spans) != 1 {
		return false
	}
	e := n.spans[0]
	value := text[e.value:e.end]
	switch {
	case value == "...": // a cycle, or attributes that are not shown
		return true
	case strings.HasPrefix(value, "…"):
		return true
	case n.form == call && e.key == 0: // PosixPath('/a')
		_, bracket := formOf(value[nameLength(value):])
		return !bracket
	}
	return false
}

// nameLength returns the length of the dotted name at a text's beginning, 0 for none.
func nameLength(text string) int {
	i := 0
	for i < len(text) && (wordByte(text[i]) || text[i] == '.') {
		i++
	}
	if i > 0 && (text[0] >= '0' && text[0] <= '9' || text[0] == '.') {
		return 0
	}
	return i
}

// withoutPlaces are types whose elements have no index although their text contains a list.
var withoutPlaces = []string{"dict_keys", "dict_values", "dict_items", "odict_keys", "odict_values", "odict_items", "set", "frozenset"}

// wrapped looks through a class that only wraps a list or a dictionary, such as
// deque([1, 2], maxlen=3) and defaultdict(<class 'int'>, {'a': 1}): the node's
// children are then those of the list.
func (n *Node) wrapped(class string) {
	text, inner := n.body(), -1
	for i, e := range n.spans {
		value := text[e.value:e.end]
		_, bracket := formOf(value)
		switch {
		case bracket && e.key == 0 && inner < 0:
			inner = i
		case inner < 0 && e.key == 0 && (value == "None" || strings.HasPrefix(value, "<") || strings.HasPrefix(value, "'")):
		case inner >= 0 && e.key != 0 && !strings.ContainsAny(value[:min(len(value), 64)], "([{") && len(value) <= 64:
		default:
			return
		}
	}
	if inner < 0 {
		return
	}
	e := n.spans[inner]
	f, _ := formOf(text[e.value:])
	s := &scanner{text: text[:e.end]}
	spans, end, closed := s.elements(int(e.value)+1, f)
	if closed && end+1 != int(e.end) || !closed && n.Cut == "" || len(spans) == 0 {
		return
	}
	n.open, n.close, n.spans, n.form = int(e.value)+1, end, spans, f
	n.indexed = f == sequence && !slices.Contains(withoutPlaces, class)
	if f == sequence && class == "OrderedDict" {
		n.pairs()
	}
}

// pairs converts the tuples of OrderedDict([('a', 1)]), as Python before 3.12 writes it, to keys
// and values.
func (n *Node) pairs() {
	text, made := n.body(), make([]span, 0, len(n.spans))
	for _, e := range n.spans {
		s := &scanner{text: text[:e.end]}
		if !strings.HasPrefix(text[e.value:e.end], "(") {
			return
		}
		pair, _, _ := s.elements(int(e.value)+1, sequence)
		if len(pair) != 2 {
			return
		}
		made = append(made, span{start: pair[0].start, key: pair[0].end, value: pair[1].start, end: pair[1].end})
	}
	n.spans, n.form, n.paired = made, mapping, true
}

// Child returns the i-th child without reading its text.
func (n *Node) Child(i int) Child {
	e := n.spans[:n.Len()][i]
	node := n.children[i]
	if node == nil {
		node = Parse(n.Text[e.value:e.end])
		if n.children == nil {
			n.children = make(map[int]*Node)
		}
		n.children[i] = node
	}
	c := Child{Node: node}
	if e.key > 0 {
		c.Key = strings.TrimRight(n.Text[e.start:e.key], " ")
	}
	switch {
	case c.Key == "" && strings.HasPrefix(node.Text, "…") && note(node.Text) == node.Text:
		c.Note = true
	case c.Key != "" && n.form == call:
		c.Label, c.Access = c.Key, "."+c.Key
	case c.Key != "":
		c.Label = c.Key
		if literal(c.Key) {
			c.Access = "[" + c.Key + "]"
		}
	case n.form == call:
		c.Label = strconv.Itoa(i)
	case n.form == sequence:
		c.Label = strconv.Itoa(i)
		if n.indexed {
			c.Access = "[" + c.Label + "]"
		}
	}
	return c
}

// literal reports whether a key is a literal: a string, a number, a tuple of these.
func literal(key string) bool {
	switch key {
	case "None", "True", "False":
		return true
	}
	if strings.ContainsAny(key, "<…\n") {
		return false
	}
	at := nameLength(key)
	return at == 0 || at < len(key) && at <= 2 && (key[at] == '\'' || key[at] == '"')
}

package compare

// sets reports whether two tokens differ only because an enclosing set lists its elements in
// another order. It tries all open sets, innermost first, because the innermost one may be an
// element of the set whose order differs.
func (m *matcher) sets() bool {
	if !m.rules.SetOrder || m.deeper > 0 || m.depth == maxDepth {
		return false
	}
	for k := len(m.open) - 1; k >= 0; k-- {
		open := m.open[k]
		if open.char != '{' || !m.beginsValue(open.at) {
			continue
		}
		predicted, end := m.elements(0, open.at[0])
		real, end2 := m.elements(1, open.at[1])
		if m.spent() {
			return false
		}
		if predicted == nil || real == nil {
			continue
		}
		m.used = open.used
		if !m.sameElements(predicted, real) {
			continue
		}
		m.texts[0].pos, m.texts[1].pos = end, end2
		m.open = m.open[:k]
		m.used |= setOrder
		// Finding equal elements tried many pairs of objects, so the pairing is no longer reliable.
		m.paired = nil
		return true
	}
	return false
}

// beginsValue reports whether a brace begins a value of its own. In Matrix{1, 2} it does not.
func (m *matcher) beginsValue(at [2]int) bool {
	for i := range at {
		if at[i] > 0 && wordByte(m.texts[i].text[at[i]-1]) {
			return false
		}
	}
	return true
}

// elements returns the texts of the elements of the set whose brace is at offset at, and the offset
// after its closing brace. list is nil if it is not a set.
func (m *matcher) elements(which, at int) (list []string, after int) {
	l := lexer{text: m.texts[which].text, pos: at + 1, unclosed: m.texts[which].unclosed}
	defer func() { *m.work -= l.pos - at }()
	start := l.pos
	var open []byte // open brackets inside the set; a "<" only if it begins a repr
	for {
		t := l.next()
		if t.kind == end || len(open) > maxOpen {
			return nil, 0
		}
		if t.kind != mark {
			continue
		}
		switch c := l.text[t.start]; c {
		case '(', '[', '{':
			open = append(open, c)
		case '<':
			if opaque(l.text, t.start) {
				open = append(open, c)
			}
		case '>':
			if n := len(open); n > 0 && open[n-1] == '<' {
				open = open[:n-1]
			}
		case ')', ']', '}':
			for n := len(open); n > 0 && open[n-1] == '<'; n-- {
				open = open[:n-1]
			}
			if n := len(open); n > 0 {
				open = open[:n-1]
				continue
			}
			if c != '}' || t.start == start {
				return nil, 0
			}
			return append(list, l.text[start:t.start]), t.end
		case ':':
			if len(open) == 0 {
				return nil, 0 // a colon between elements: this is a dictionary
			}
		case ',':
			if len(open) == 0 {
				list = append(list, l.text[start:t.start])
				if start = t.end; start < len(l.text) && l.text[start] == ' ' {
					start++
				}
			}
		}
	}
}

// opaque reports whether a "<" begins a repr such as <Color.RED: 1>, whose commas and colons do not
// separate elements. After "(" and "[" it returns false, because commas and colons within brackets
// are ignored anyway.
func opaque(text string, at int) bool {
	if at+1 == len(text) || !wordByte(text[at+1]) {
		return false
	}
	switch text[at-1] {
	case '{', '<', ' ', '=', ':':
		return true
	}
	return false
}

// sameElements reports whether two sets have the same elements in any order, as far as the rules
// ignore their differences.
func (m *matcher) sameElements(predicted, real []string) bool {
	lists := [2][]string{predicted, real}
	var short [2]bool // the set ends in a note about omitted elements
	for i, list := range lists {
		if last := len(list) - 1; noteLen(list[last]) == len(list[last]) {
			lists[i], short[i] = list[:last], true
		}
	}
	if !short[0] && !short[1] && len(predicted) != len(real) {
		return false
	}
	count := make(map[string]int, len(lists[1]))
	for _, e := range lists[1] {
		count[e]++
	}
	var left, right []string // elements without an identical one in the other set
	for _, e := range lists[0] {
		if count[e] > 0 {
			count[e]--
		} else {
			left = append(left, e)
		}
	}
	for _, e := range lists[1] {
		if count[e] > 0 {
			count[e]--
			right = append(right, e)
		}
	}
	unmatched := 0
	for _, e := range left {
		at := -1
		for i, candidate := range right {
			if m.sameElement(e, candidate) {
				at = i
				break
			}
			if m.spent() {
				return false
			}
		}
		if at < 0 {
			unmatched++
			if !short[1] {
				return false
			}
			continue
		}
		right = append(right[:at], right[at+1:]...)
	}
	switch {
	case !short[0] && !short[1]:
		return len(right) == 0
	case short[0] && short[1]:
		m.cut = true
		return true
	case short[0]:
		m.cut = true
		return len(right) > 0 && unmatched == 0
	}
	m.cut = true
	return len(right) == 0 && unmatched > 0
}

func (m *matcher) sameElement(predicted, real string) bool {
	const start = 16 // the fixed cost of starting a comparison, in bytes
	*m.work -= start + min(len(predicted), len(real))
	sub := matcher{rules: m.rules, work: m.work, depth: m.depth + 1}
	sub.texts[0].text, sub.texts[1].text = predicted, real
	if !sub.match() {
		return false
	}
	m.used |= sub.used
	m.cut = m.cut || sub.cut
	return true
}

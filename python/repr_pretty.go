package python

import (
	"regexp"
	"slices"
	"strings"
)

// prettyWidth is pprint's default width.
const prettyWidth = 80

// pretty returns pprint.pformat(v) (Lib/pprint.py). If v contains objects that are not literals, it
// is formatted on one line.
func (ev *evaluation) pretty(v pyValue) string {
	if !ev.isLiteral(v) {
		return ev.repr(v)
	}
	var b strings.Builder
	ev.layOut(&b, v, 0, 0, 0)
	return b.String()
}

func (ev *evaluation) isLiteral(v pyValue) bool {
	defer ev.enter()()
	switch v := v.(type) {
	case *pyList:
		return !slices.ContainsFunc(v.items, func(item pyValue) bool { return !ev.isLiteral(item) })
	case *pyTuple:
		return !slices.ContainsFunc(v.items, func(item pyValue) bool { return !ev.isLiteral(item) })
	case *pySet:
		return !slices.ContainsFunc(v.items, func(item pyValue) bool { return !ev.isLiteral(item) })
	case *pyDict:
		return !slices.ContainsFunc(v.items(), func(item pyValue) bool { return !ev.isLiteral(item) })
	case *pyRange, *pySlice, *pyView, *pyType, *pyBuiltin, *pyMethod, *pyLambda, *pyIter, pyEllipsis:
		return false
	}
	return true
}

// prettyRepr returns the repr on one line, with the keys of dicts sorted.
func (ev *evaluation) prettyRepr(v pyValue) string {
	var b strings.Builder
	ev.writeRepr(&b, ev.sortedKeys(v))
	return b.String()
}

// sortedKeys returns v with the keys of its dicts sorted. Dicts inside sets are not sorted, because
// pprint formats sets with repr.
func (ev *evaluation) sortedKeys(v pyValue) pyValue {
	defer ev.enter()()
	each := func(items []pyValue) []pyValue {
		out := make([]pyValue, len(items))
		for i, item := range items {
			out[i] = ev.sortedKeys(item)
		}
		ev.spend(len(out) * valueSize)
		return out
	}
	switch v := v.(type) {
	case *pyList:
		return &pyList{each(v.items)}
	case *pyTuple:
		return &pyTuple{each(v.items)}
	case *pyDict:
		d := newDict()
		for _, i := range ev.keyOrder(v) {
			d.keys = append(d.keys, ev.sortedKeys(v.keys[i]))
			d.values = append(d.values, ev.sortedKeys(v.values[i]))
		}
		return d
	}
	return v
}

// safeLess compares like pprint: values that cannot be compared are ordered by the names of their
// types.
func (ev *evaluation) safeLess(a, b pyValue) (less bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *EvalError:
			if e.Type != "TypeError" {
				panic(e)
			}
			less = typeName(a) < typeName(b)
		default:
			panic(e)
		}
	}()
	return ev.ordered("<", a, b)
}

func (ev *evaluation) safeOrder(a, b pyValue) int {
	switch {
	case ev.safeLess(a, b):
		return -1
	case ev.safeLess(b, a):
		return 1
	}
	return 0
}

// keyOrder returns the indexes of a dict's keys in pprint's order.
func (ev *evaluation) keyOrder(d *pyDict) []int {
	order := make([]int, len(d.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return ev.safeOrder(d.keys[i], d.keys[j]) })
	return order
}

// layOut formats a value that begins in column indent, and leaves allowance columns free after it.
func (ev *evaluation) layOut(b *strings.Builder, v pyValue, indent, allowance, level int) {
	defer ev.enter()()
	text := ev.prettyRepr(v)
	if pyStr(text).length() <= prettyWidth-indent-allowance {
		b.WriteString(text)
		return
	}
	level++
	switch v := v.(type) {
	case *pyDict:
		b.WriteByte('{')
		ev.layOutPairs(b, v, indent, allowance+1, level)
		b.WriteByte('}')
	case *pyList:
		b.WriteByte('[')
		ev.layOutItems(b, v.items, indent, allowance+1, level)
		b.WriteByte(']')
	case *pyTuple:
		end := ")"
		if len(v.items) == 1 {
			end = ",)"
		}
		b.WriteByte('(')
		ev.layOutItems(b, v.items, indent, allowance+len(end), level)
		b.WriteString(end)
	case *pySet:
		begin, end := "{", "}"
		if v.frozen {
			begin, end = "frozenset({", "})"
			indent += len("frozenset(")
		}
		items := slices.Clone(v.items)
		slices.SortStableFunc(items, ev.safeOrder)
		b.WriteString(begin)
		ev.layOutItems(b, items, indent, allowance+len(end), level)
		b.WriteString(end)
	case pyStr:
		layOutText(b, v, indent, allowance, level)
	case pyBytes:
		layOutBytes(b, v, indent, allowance, level)
	default:
		b.WriteString(text)
	}
}

func (ev *evaluation) layOutItems(b *strings.Builder, items []pyValue, indent, allowance, level int) {
	indent++
	for i, item := range items {
		if i > 0 {
			b.WriteString(",\n" + strings.Repeat(" ", indent))
		}
		room := 1
		if i == len(items)-1 {
			room = allowance
		}
		ev.layOut(b, item, indent, room, level)
	}
}

func (ev *evaluation) layOutPairs(b *strings.Builder, d *pyDict, indent, allowance, level int) {
	indent++
	for n, i := range ev.keyOrder(d) {
		if n > 0 {
			b.WriteString(",\n" + strings.Repeat(" ", indent))
		}
		key := ev.prettyRepr(d.keys[i])
		b.WriteString(key + ": ")
		room := 1
		if n == len(d.keys)-1 {
			room = allowance
		}
		ev.layOut(b, d.values[i], indent+pyStr(key).length()+2, room, level)
	}
}

var wordAndSpace = regexp.MustCompile(`[^\s\v\x1c-\x1f\x85\p{Z}]*[\s\v\x1c-\x1f\x85\p{Z}]*`)

// layOutText splits a long string at its lines and words.
func layOutText(b *strings.Builder, s pyStr, indent, allowance, level int) {
	quoted := func(s string) string {
		var b strings.Builder
		writeStrRepr(&b, pyStr(s))
		return b.String()
	}
	if s == "" {
		b.WriteString("''")
		return
	}
	if level == 1 {
		indent++
		allowance++
	}
	lines := splitLines(string(s), true)
	var chunks []string
	whole := ""
	for i, line := range lines {
		last := i == len(lines)-1
		width := prettyWidth - indent
		if last {
			width -= allowance
		}
		whole = quoted(line)
		if pyStr(whole).length() <= width {
			chunks = append(chunks, whole)
			continue
		}
		current := ""
		width = prettyWidth - indent
		parts := wordAndSpace.FindAllString(line, -1)
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
		for j, part := range parts {
			if last && j == len(parts)-1 {
				width -= allowance
			}
			if pyStr(quoted(current+part)).length() <= width {
				current += part
				continue
			}
			if current != "" {
				chunks = append(chunks, quoted(current))
			}
			current = part
		}
		if current != "" {
			chunks = append(chunks, quoted(current))
		}
	}
	if len(chunks) == 1 {
		b.WriteString(whole)
		return
	}
	writeChunks(b, chunks, indent, level == 1)
}

func writeChunks(b *strings.Builder, chunks []string, indent int, parentheses bool) {
	text := strings.Join(chunks, "\n"+strings.Repeat(" ", indent))
	if parentheses {
		text = "(" + text + ")"
	}
	b.WriteString(text)
}

// layOutBytes splits long bytes after multiples of four.
func layOutBytes(b *strings.Builder, s pyBytes, indent, allowance, level int) {
	quoted := func(s pyBytes) string {
		var b strings.Builder
		writeBytesRepr(&b, s)
		return b.String()
	}
	if len(s) <= 4 {
		b.WriteString(quoted(s))
		return
	}
	if level == 1 {
		indent++
		allowance++
	}
	width := prettyWidth - indent
	last := len(s) / 4 * 4
	var chunks []string
	current := pyBytes("")
	for i := 0; i < len(s); i += 4 {
		part := s[i:min(i+4, len(s))]
		if i == last {
			width -= allowance
		}
		if len(quoted(current+part)) <= width {
			current += part
			continue
		}
		if current != "" {
			chunks = append(chunks, quoted(current))
		}
		current = part
	}
	if current != "" {
		chunks = append(chunks, quoted(current))
	}
	writeChunks(b, chunks, indent, level == 1)
}

package traceback

import "strings"

// margin is the text before each line of a block: a log prefix, a quotation mark, or indentation.
type margin string

// empty reports whether the margin consists of blanks only. A block with such a margin ends at a
// line without it.
func (m margin) empty() bool { return blank(string(m)) }

// cut returns the line without the margin. Numbers in the margin, as in timestamps, may differ from
// line to line. ok is false if the line does not have the margin.
func (m margin) cut(line string) (rest string, ok bool) {
	if rest, ok := strings.CutPrefix(line, string(m)); ok {
		return rest, true
	}
	if strings.TrimRight(line, " \t") == strings.TrimRight(string(m), " \t") {
		return "", true // a blank line whose trailing blanks were removed
	}
	if m.empty() {
		return "", blank(line)
	}
	return m.alike(line)
}

// alike is like cut for a margin with other numbers, and with another number of blanks before them.
func (m margin) alike(line string) (rest string, ok bool) {
	i, j := 0, 0
	for i < len(m) {
		switch c := m[i]; {
		case digit(c):
			j = skip(line, j, space)
			if j == len(line) || !digit(line[j]) {
				return "", false
			}
			end, lineEnd := skip(string(m), i, digit), skip(line, j, digit)
			if named(string(m), i) && string(m[i:end]) != line[j:lineEnd] {
				return "", false
			}
			i, j = end, lineEnd
		case c == ' ':
			end := skip(string(m), i, space)
			switch {
			case end == len(m) && skip(line, j, space) == len(line):
				return "", true
			case end == len(m) && !strings.HasPrefix(line[j:], string(m[i:])):
				return "", false
			case end == len(m):
				return line[j+end-i:], true
			case !digit(m[end]) && skip(line, j, space)-j != end-i:
				return "", false
			}
			i, j = end, skip(line, j, space)
		case j == len(line) || line[j] != c:
			return "", false
		default:
			i, j = i+1, j+1
		}
	}
	return line[j:], true
}

// named reports whether the number at index i is part of a name, as in web_1 or worker-2.
func named(m string, i int) bool {
	if i > 1 && strings.IndexByte("-_", m[i-1]) >= 0 {
		return letter(m[i-2])
	}
	return i > 0 && letter(m[i-1]) && (i == 1 || !digit(m[i-2])) // but not in 2026-11-28T03:19
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func space(c byte) bool { return c == ' ' }

// skip returns the index of the first byte from i on that is not in the class.
func skip(s string, i int, class func(byte) bool) int {
	for i < len(s) && class(s[i]) {
		i++
	}
	return i
}

// view gives access to the lines of a text without the margin of a block.
type view struct {
	*scanner
	margin margin
	outer  margin // the margin of the text around the block; a line that has only this margin ends the block
}

// view returns a view of the lines without the margin. A line that has only the margin's visible
// characters ends the block.
func (s *scanner) view(m margin) view {
	return view{s, m, margin(strings.TrimRight(string(m), " \t"))}
}

// at returns a line without the margin. ok is false if the line does not have the margin.
func (v view) at(i int) (rest string, ok bool) { return v.margin.cut(v.line(i)) }

// maxForeign limits the number of other programs' lines between two lines of a block.
const maxForeign = 20

// next returns the first line from i on that has the margin, and its index. If the margin is a log
// prefix, it skips a few lines of other programs. ok is false at the end of the block.
func (v view) next(i int) (rest string, at int, ok bool) {
	for end := i + maxForeign; i < len(v.lines) && i < end; i++ {
		if rest, ok := v.at(i); ok {
			return rest, i, true
		}
		if _, ends := v.outer.cut(v.line(i)); ends {
			break
		}
	}
	return "", i, false
}

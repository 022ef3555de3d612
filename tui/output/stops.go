package output

import "github.com/npdb/npdb/themes"

// Stop marks the beginning of another stop: earlier messages of npdb are not about it. The command
// that led to it still belongs to it.
func (p *Pane) Stop() {
	p.since = len(p.lines)
	for p.since > 0 && p.typed(p.since-1) {
		p.since--
	}
}

// typed reports whether a line is a typed command.
func (p *Pane) typed(line int) bool {
	return p.lines[line].own && p.lines[line].role == themes.Stdin
}

// past reports whether a line is a message of npdb about an earlier stop.
func (p *Pane) past(line int) bool { return p.lines[line].own && line < p.since }

// shorten selects the lines to show if there are few rows. A reply from an earlier stop is
// shown only together with its command; otherwise it would look like the reason of this stop.
func (p *Pane) shorten() {
	p.brief = nil
	if !p.Brief || !p.follows {
		return
	}
	p.brief = map[int]bool{}
	room := p.rows
	var answer []int // lines of a reply from an earlier stop, the last one first, up to its command
	rows := 0
	for i := len(p.lines) - 1; i >= 0 && room > 0; i-- {
		switch {
		case !p.past(i):
			p.brief[i] = true
			room -= len(p.wrapped(p.lines[i].text))
			answer, rows = nil, 0
			continue
		case p.lines[i].role == themes.Notice:
			answer, rows = nil, 0
			continue
		}
		answer = append(answer, i)
		rows += len(p.wrapped(p.lines[i].text))
		if p.typed(i) {
			for _, line := range answer {
				p.brief[line] = rows <= room
			}
			room -= rows
			answer, rows = nil, 0
		}
	}
}

// rowsOf returns a line's rows, or none if shorten omits the line.
func (p *Pane) rowsOf(line int) []string {
	if p.Brief && p.brief != nil && !p.brief[line] {
		return nil
	}
	return p.wrapped(p.lines[line].text)
}

package output

// part is a part of a line, up to the next one, that the program wrote after an event.
type part struct{ from, event int }

// wrote records that the text at an offset was written after an event.
func (e *entry) wrote(offset, event int) {
	for len(e.parts) > 0 && e.parts[len(e.parts)-1].from >= offset {
		e.parts = e.parts[:len(e.parts)-1] // overwritten
	}
	if event != e.eventAt(offset) {
		e.parts = append(e.parts, part{offset, event})
	}
}

// eventAt returns the event after which the text at an offset was written.
func (e *entry) eventAt(offset int) int {
	event := e.event
	for _, p := range e.parts {
		if p.from <= offset {
			event = p.event
		}
	}
	return event
}

// offset returns the offset in a line of the character at a column of one of its rows.
func (p *Pane) offset(rows []string, x, y int) (offset int) {
	for _, row := range rows[:y] {
		offset += len(row)
	}
	for at, c := range rows[y] {
		if p.Measure.Width(rows[y][:at]+string(c)) > x {
			return offset + at
		}
	}
	return max(offset+len(rows[y])-1, 0)
}

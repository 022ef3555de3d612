package statetree

import (
	"slices"

	"github.com/npdb/npdb/dsl"
)

// LineEvent is a line event of an activation. Before is the activation's last line event or exception
// before it, -1 if there is none, and BeforeLine its line.
type LineEvent struct{ Event, Before, BeforeLine int }

// LineEvents returns the line events of an activation on the given lines, ascending.
func (t *Tree) LineEvents(act uint32, at []dsl.Location) (events []LineEvent) {
	t.mu.RLock()
	defer t.done()
	first, last := t.activations.at(int(act)).first, t.lastEvent(act)
	if first == none || last == none {
		return nil
	}
	several := false
	for _, l := range at {
		p := t.posted(l)
		if p == nil {
			continue
		}
		before := len(events)
		p.each(first, last, func(event uint32) {
			if t.activationOf(t.events.placeOf(int(event))) == act {
				events = append(events, t.lineEvent(event))
			}
		})
		several = several || before > 0 && len(events) > before
	}
	if several {
		slices.SortFunc(events, func(a, b LineEvent) int { return a.Event - b.Event })
	}
	return events
}

func (t *Tree) lineEvent(event uint32) LineEvent {
	before := *t.events.previous.at(int(event))
	for before != none {
		if e := t.events.head.at(int(before)).event(); e == dsl.Line || e == dsl.Exception {
			return LineEvent{int(event), int(before), t.events.line(int(before))}
		}
		before = *t.events.previous.at(int(before))
	}
	return LineEvent{int(event), -1, 0}
}

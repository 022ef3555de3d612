package trace

// Progress is the state of a recording, also while a move runs.
type Progress struct {
	Events   int    // recorded so far
	Function string // of the latest event; "" when there is none
	File     string // as shown
	Line     int
	// Unrecorded says that the program currently runs unrecorded.
	Unrecorded bool
}

// Progress returns the progress. It is safe for concurrent use and waits for no move.
func (r *Recording) Progress() Progress {
	t := r.tree
	p := Progress{Events: t.Len(), Unrecorded: r.hole.Load()}
	if p.Events > 0 {
		at := t.At(p.Events - 1)
		p.Function, p.File, p.Line = t.Code(at.Code).Name, t.Files()[at.File].Name, at.Line
	}
	return p
}

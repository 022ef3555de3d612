package trace

// Progress describes how far a recording has come, also while a move runs.
type Progress struct {
	Events   int    // number of events recorded so far
	Function string // function of the latest event; "" if there is none
	File     string // displayed name of the file of the latest event
	Line     int
	// Unrecorded reports that the program currently runs unrecorded.
	Unrecorded bool
}

// Progress returns the current progress. It is safe for concurrent use and does not wait
// for a move to end.
func (r *Recording) Progress() Progress {
	t := r.tree
	p := Progress{Events: t.Len(), Unrecorded: r.hole.Load()}
	if p.Events > 0 {
		at := t.At(p.Events - 1)
		p.Function, p.File, p.Line = t.Code(at.Code).Name, t.Files()[at.File].Name, at.Line
	}
	return p
}

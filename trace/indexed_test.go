package trace

// IndexFrom sets the number of events from which on a recording's file has an index.
func (r *Recording) IndexFrom(events int) { r.log.indexFrom = events }

// Indexed reports whether a recording was opened by its index.
func (r *Recording) Indexed() bool {
	_, ok := r.log.file.(*indexFile)
	return ok
}

// HeldBytes returns the memory of a recording.
func (r *Recording) HeldBytes() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tree.Bytes() + r.log.Bytes() + r.kept.bytes()
}

// ForgetFrom sets the number of objects from which on the tracer forgets some.
func (o *Options) ForgetFrom(objects int) { o.forgetFrom = objects }

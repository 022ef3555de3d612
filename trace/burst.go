package trace

import "time"

// burst paces the reader of something that may come in many small pieces. Without it, a program that prints
// much wakes npdb at each line, and then takes most of its time to change between the two processes.
type burst struct{ last time.Time }

// wait waits a moment if it was called a moment ago.
func (b *burst) wait() {
	const moment = time.Millisecond
	if time.Since(b.last) < moment {
		time.Sleep(moment)
	}
	b.last = time.Now()
}

package serve

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// Misbehavior is what a server does wrong on purpose, for testing clients and
// measures. Fields of type float64 are probabilities, 0 to 1, each drawn by
// itself. What was done is told in the header X-Npdb-Corrupted.
type Misbehavior struct {
	Seed uint64 // of the draws

	// For each choice, a field of the reply that is made wrong. The reply can be
	// read all the same, and differs from the true one.
	Event    float64 // another event
	Line     float64 // another line of the file
	Function float64 // another name on top of the stack
	Locals   float64 // one local changed, dropped or invented
	Value    float64 // another return value or exception
	Outcome  float64 // an end in place of a state, and so on

	// For each choice, a reply of another kind.
	Unknown float64 // it declines
	Garbage float64 // words that are no reply
	Endless float64 // a reply that goes on until max_tokens

	// For each request.
	Error      float64       // a status of Statuses and nothing else
	Statuses   []int         // 500, 503 and 429 when empty
	RetryAfter time.Duration // is sent with Error; 0 for none
	HTML       float64       // a page of a proxy's, with status 200
	Truncated  float64       // JSON that ends in the middle
	Cut        float64       // a connection that ends in the middle
	MidStream  float64       // an error in the middle of a stream; without one, status 500

	Latency      time.Duration // before the answer
	Jitter       time.Duration // up to so much more
	TokenLatency time.Duration // before each token of a stream; of an answer at once, for all its tokens
}

func (m Misbehavior) check() error {
	for _, p := range []float64{
		m.Event, m.Line, m.Function, m.Locals, m.Value, m.Outcome, m.Unknown, m.Garbage, m.Endless,
		m.Error, m.HTML, m.Truncated, m.Cut, m.MidStream,
	} {
		if !(p >= 0 && p <= 1) {
			return errors.New("a probability of misbehavior lies between 0 and 1")
		}
	}
	for _, status := range m.Statuses {
		if status < 400 || status > 599 {
			return errors.New("a status of misbehavior is an error, 400 to 599")
		}
	}
	if min(m.Latency, m.Jitter, m.TokenLatency, m.RetryAfter) < 0 {
		return errors.New("a latency of misbehavior is not negative")
	}
	return nil
}

// draws is what one request is drawn: the n-th one of a server draws the same
// after the same seed.
type draws struct{ *rand.Rand }

func (m Misbehavior) draws(n uint64) draws {
	return draws{rand.New(rand.NewPCG(m.Seed, n))}
}

// hit draws with a probability. A draw is made whatever it is, so that one
// probability does not change what becomes of another.
func (d draws) hit(p float64) bool { return d.Float64() < p }

// fault is what becomes of a request.
type fault string

const (
	noFault   fault = ""
	asError   fault = "error"
	asHTML    fault = "html"
	truncated fault = "truncated"
	cut       fault = "cut"
	midStream fault = "mid_stream"
)

// fault draws for a request; the first that hits counts.
func (m Misbehavior) fault(d draws) fault {
	found := noFault
	for _, f := range []struct {
		kind fault
		p    float64
	}{{asError, m.Error}, {asHTML, m.HTML}, {truncated, m.Truncated}, {cut, m.Cut}, {midStream, m.MidStream}} {
		if d.hit(f.p) && found == noFault {
			found = f.kind
		}
	}
	return found
}

// latency returns how long an answer waits.
func (m Misbehavior) latency(d draws) time.Duration {
	wait := m.Latency
	if m.Jitter > 0 {
		wait += time.Duration(d.Int64N(int64(m.Jitter) + 1))
	}
	return wait
}

// refuse answers with an error of the list.
func (m Misbehavior) refuse(w http.ResponseWriter, d draws) {
	statuses := m.Statuses
	if len(statuses) == 0 {
		statuses = []int{http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusTooManyRequests}
	}
	e := statusError(statuses[d.IntN(len(statuses))])
	e.Message, e.after = e.Message+": misbehaving on purpose", m.RetryAfter
	e.write(w)
}

// page returns what a proxy would say in place of the server behind it.
func page(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte("<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><h1>Please sign in</h1></body></html>\n"))
}

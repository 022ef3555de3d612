package serve

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"time"
)

// Misbehavior configures faults that a server makes on purpose, to test clients and measurements.
// Fields of type float64 are probabilities from 0 to 1, each drawn independently. The header
// X-Npdb-Corrupted lists the faults of a response.
type Misbehavior struct {
	Seed uint64 // seed of the draws

	// Each of the following makes one field of a choice's reply wrong. The reply can still be
	// decoded, and differs from the true one.
	Event    float64 // another kind of event
	Line     float64 // a different line of the file
	Function float64 // another function name on top of the stack
	Locals   float64 // one local changed, dropped or invented
	Value    float64 // another return value or exception
	Outcome  float64 // an end instead of a state, or the reverse

	// Each of the following replaces the reply of a choice.
	Unknown float64 // the reply "unknown"
	Garbage float64 // text that is not a reply
	Endless float64 // a reply that continues until max_tokens

	// Each of the following affects the whole response to a request.
	Error      float64       // an error response with one of Statuses
	Statuses   []int         // the statuses for Error; 500, 503 and 429 if empty
	RetryAfter time.Duration // the header Retry-After of Error; 0 for none
	HTML       float64       // a web page like a proxy's, with status 200
	Truncated  float64       // JSON that ends in the middle
	Cut        float64       // a connection that is closed in the middle
	MidStream  float64       // an error in the middle of a stream; for a response without a stream, status 500

	Latency      time.Duration // delay before the response
	Jitter       time.Duration // random addition to Latency
	TokenLatency time.Duration // delay before each token of a stream; without a stream, the total for all tokens
}

func (m Misbehavior) check() error {
	for _, p := range []float64{
		m.Event, m.Line, m.Function, m.Locals, m.Value, m.Outcome, m.Unknown, m.Garbage, m.Endless,
		m.Error, m.HTML, m.Truncated, m.Cut, m.MidStream,
	} {
		if !(p >= 0 && p <= 1) {
			return errors.New("a probability of misbehavior must be between 0 and 1")
		}
	}
	for _, status := range m.Statuses {
		if status < 400 || status > 599 {
			return errors.New("a status of misbehavior must be an error, 400 to 599")
		}
	}
	if min(m.Latency, m.Jitter, m.TokenLatency, m.RetryAfter) < 0 {
		return errors.New("a latency of misbehavior must not be negative")
	}
	return nil
}

// draws is the random source of one request. With the same seed, the n-th request of a server
// always draws the same numbers.
type draws struct{ *rand.Rand }

func (m Misbehavior) draws(n uint64) draws {
	return draws{rand.New(rand.NewPCG(m.Seed, n))}
}

// hit reports whether a fault with probability p occurs. It draws a number even if p is 0, so that
// one probability does not affect the draws of the others.
func (d draws) hit(p float64) bool { return d.Float64() < p }

// fault is a fault of a whole request.
type fault string

const (
	noFault   fault = ""
	asError   fault = "error"
	asHTML    fault = "html"
	truncated fault = "truncated"
	cut       fault = "cut"
	midStream fault = "mid_stream"
)

// fault draws the fault of a whole request. If several occur, it returns the first.
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

// latency returns the random delay before a response.
func (m Misbehavior) latency(d draws) time.Duration {
	wait := m.Latency
	if m.Jitter > 0 {
		wait += time.Duration(d.Int64N(int64(m.Jitter) + 1))
	}
	return wait
}

// refuse responds with a status drawn from Misbehavior.Statuses.
func (m Misbehavior) refuse(w http.ResponseWriter, d draws) {
	statuses := m.Statuses
	if len(statuses) == 0 {
		statuses = []int{http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusTooManyRequests}
	}
	e := statusError(statuses[d.IntN(len(statuses))])
	e.Message, e.after = e.Message+": misbehaving on purpose", m.RetryAfter
	e.write(w)
}

// page responds with a web page, like a proxy that does not forward the request.
func page(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte("<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><h1>Please sign in</h1></body></html>\n"))
}

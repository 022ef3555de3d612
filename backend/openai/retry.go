package openai

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/npdb/npdb/backend"
)

// firstWait is the mean wait before the second attempt; each further one is
// twice as long.
const firstWait = 400 * time.Millisecond

// retryAfter returns the wait that a Retry-After header asks for (RFC 9110, section
// 10.2.3): seconds or a date. 0 for none, or none that can be read.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseFloat(header, 64); err == nil {
		const most = 365 * 24 * time.Hour
		switch {
		case seconds >= most.Seconds():
			return most
		case seconds > 0: // and no NaN
			return time.Duration(seconds * float64(time.Second))
		}
		return 0
	}
	date, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return max(date.Sub(now), 0)
}

// retry calls ask until it succeeds, fails for good, or has had its attempts.
// again, when not nil, is called before each further one. The error is a
// *backend.Error or that of ctx.
func (p *Predictor) retry(ctx context.Context, ask func() *backend.Error, again func()) (retries int, err error) {
	for {
		failure := ask()
		switch {
		case ctx.Err() != nil && failure != nil:
			return retries, ctx.Err()
		case failure == nil:
			return retries, nil
		case !worthRetrying(failure) || p.closing.Err() != nil:
			return retries, failure
		case failure.After > p.cfg.MaxWait:
			failure.Message += fmt.Sprintf(". It asks to wait %v; npdb waits %v at most by itself", failure.After.Round(time.Second), p.cfg.MaxWait)
			return retries, failure
		case p.cfg.Retries == 0:
			return retries, failure
		case retries == p.cfg.Retries:
			failure.Message += fmt.Sprintf(". It was asked %d times", retries+1)
			return retries, failure
		}
		// Half of the wait is by chance, so that many clients do not come back at once.
		wait := firstWait << min(retries, 16)
		wait = wait/2 + time.Duration(p.jitter()*float64(wait))
		if err := p.cfg.Sleep(ctx, max(min(wait, p.cfg.MaxWait), failure.After)); err != nil {
			if ctx.Err() != nil {
				return retries, ctx.Err()
			}
			return retries, failure
		}
		retries++
		if again != nil {
			again()
		}
	}
}

// worthRetrying leaves out what only looks passing: a user who has waited a
// whole timeout is told first, and a wrong name or certificate stays wrong.
func worthRetrying(e *backend.Error) bool {
	var (
		dns       *net.DNSError
		authority x509.UnknownAuthorityError
		hostname  x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
	)
	switch err := e.Err; {
	case !e.Retryable(), e.Kind == backend.TimedOut, e.Status == http.StatusNotImplemented:
		return false
	case errors.As(err, &dns):
		return !dns.IsNotFound
	case errors.As(err, &authority), errors.As(err, &hostname), errors.As(err, &invalid),
		errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return false
	}
	return true
}

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

// firstWait is the mean wait before the second attempt. The wait doubles with each further attempt.
const firstWait = 400 * time.Millisecond

// retryAfter returns the wait that a Retry-After header requests, in seconds or as a date (RFC
// 9110, section 10.2.3). It returns 0 if the header is missing or invalid.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseFloat(header, 64); err == nil {
		const most = 365 * 24 * time.Hour
		switch {
		case seconds >= most.Seconds():
			return most
		case seconds > 0: // excludes NaN
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

// retry calls ask until ask succeeds, fails permanently, or has used all attempts. If again is not
// nil, retry calls it before each further attempt. The error is a *backend.Error or the error of
// ctx.
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
		// Half of the wait is random, so that many clients do not retry at the same time.
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

// worthRetrying reports whether a failure should be retried at once. After a full timeout the user
// is informed first. A wrong host name or certificate would fail again.
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

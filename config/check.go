package config

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/suggest"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// check holds the settings to what their types do not say.
func (l *Loaded) check() error {
	for _, s := range settings {
		if len(s.oneof) == 0 {
			continue
		}
		if word := s.in(&l.Config).String(); word != "" && !slices.Contains(s.oneof, word) {
			err := fmt.Errorf("there is no %q: it is %s", word, strings.Join(s.oneof, " or "))
			if near := suggest.Nearest(word, s.oneof); near != "" {
				err = fmt.Errorf("there is no %q: did you mean %s?", word, near)
			}
			return l.fault(s.Key, err)
		}
	}
	if err := l.checkKeyMap(); err != nil {
		return err
	}
	m := &l.Model
	for _, c := range []struct {
		key string
		err error
	}{
		{"redact", second(patterns(l.Redact))},
		{"redact_names", second(patterns(l.RedactNames))},
		{"python_version", checkPythonVersion(l.PythonVersion)},
		{"theme", second(themes.Load(l.Theme, true))},
		{"audit", atLeast(0, orZero(l.Audit))},
		{"limits.events", atLeast(0, l.Limits.Events)},
		{"limits.slowdown", atLeast(0, l.Limits.Slowdown)},
		{KeyBaseURL, checkBaseURL(m.BaseURL)},
		{keyAgainstURL, checkBaseURL(l.Against.BaseURL)},
		{"model.window", atLeast(0, m.Window)},
		{"model.max_tokens", atLeast(1, m.MaxTokens)},
		{"model.temperature", atLeast(0, m.Temperature)},
		{"model.top_p", checkTopP(m.TopP)},
		{"model.timeout", moreThanNone(m.Timeout)},
		{"model.idle_timeout", moreThanNone(m.IdleTimeout)},
		{"model.retries", atLeast(0, m.Retries)},
		{"model.samples", checkSamples(m.Samples)},
		{"model.stops", checkStops(m.Stops)},
		{"model.prefetch", checkPrefetch(m.Prefetch)},
		{"model.prefetch_at_once", atLeast(1, m.PrefetchAtOnce)},
		{"model.prefetch_tokens", atLeast(0, m.PrefetchTokens)},
		{"model.price_prompt", checkPrice(m.PricePrompt, m.PriceCompletion, "price_completion")},
		{"model.price_cached", checkPrice(m.PriceCached, m.PricePrompt, "price_prompt")},
		{"model.price_completion", checkPrice(m.PriceCompletion, m.PricePrompt, "price_prompt")},
		{"model.stop_token_ids", atLeast(0, m.StopTokenIDs...)},
		{"model.tokens", second(dsl.NewFormat(m.Tokens))},
		{keyHeaders, second(m.HeaderFields())},
	} {
		if c.err != nil {
			return l.fault(c.key, c.err)
		}
	}
	return nil
}

// checkKeyMap finds fault with the bindings, in the setting that is to be mended.
func (l *Loaded) checkKeyMap() error {
	own := l.profiles()
	for _, p := range own {
		if _, err := keys.New(p.Name, own, nil); err != nil {
			return l.fault("profiles", inOneLine(err))
		}
	}
	if _, err := keys.New(l.KeyProfile, own, nil); err != nil {
		return l.fault("key_profile", inOneLine(err))
	}
	if _, err := l.KeyMap(); err != nil {
		return l.fault("keys", inOneLine(err))
	}
	return nil
}

// inOneLine returns a joined error on one line.
func inOneLine(err error) error {
	return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
}

func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func second[T any](_ T, err error) error { return err }

func atLeast[N int | float64](least N, numbers ...N) error {
	for _, n := range numbers {
		if n < least {
			return fmt.Errorf("%v is too small: %v is the least", n, least)
		}
	}
	return nil
}

func moreThanNone(d time.Duration) error {
	switch {
	case d < 0:
		return fmt.Errorf("%q is no duration: write it as 90s or 5m", d)
	case d == 0:
		return errors.New("no time at all is too little")
	}
	return nil
}

// mostSamples bounds what a slip of the finger costs.
const mostSamples = 100

func checkSamples(n int) error {
	if n > mostSamples {
		return fmt.Errorf("%d is too many: %d is the most", n, mostSamples)
	}
	return atLeast(1, n)
}

// mostStops is more than a reply of the usual length holds.
const mostStops = 64

func checkStops(n int) error {
	if n > mostStops {
		return fmt.Errorf("%d is too many: %d is the most", n, mostStops)
	}
	return atLeast(1, n)
}

func checkTopP(p *float64) error {
	if p != nil && (*p <= 0 || *p > 1) {
		return fmt.Errorf("%v is no probability: a number above 0, up to 1, is wanted", *p)
	}
	return nil
}

// checkPrice holds a price to its being one, and to the other one that it needs.
func checkPrice(price, with *float64, name string) error {
	switch {
	case price == nil:
		return nil
	case with == nil:
		return fmt.Errorf("no cost is known without %s: set that, too", name)
	}
	return atLeast(0, *price)
}

func checkPrefetch(moves *int) error {
	if n := orZero(moves); n > 2 {
		return fmt.Errorf("%d is too many: 2 is step into and step over", n)
	}
	return atLeast(0, orZero(moves))
}

// checkBaseURL never shows the address: there may be a password in it.
func checkBaseURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err == nil && u.Scheme == "unix" && u.Path != "" {
		return nil
	}
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New(`it is no address of a server: write it as "http://127.0.0.1:8000/v1"`)
	}
	return nil
}

// Redaction returns what a model is not told. The error is one that Load refuses.
func (c Config) Redaction() (r redact.Rules, err error) {
	values, names := c.Redact, c.RedactNames
	if values == nil {
		values = redact.DefaultValues
	}
	if names == nil {
		names = redact.DefaultNames
	}
	if r.Values, err = patterns(values); err != nil {
		return r, err
	}
	r.Names, err = patterns(names)
	return r, err
}

func patterns(list []string) ([]*regexp.Regexp, error) {
	out := make([]*regexp.Regexp, len(list))
	for i, p := range list {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("item %d is no regular expression: %w", i+1, err)
		}
		if re.MatchString("") {
			return nil, fmt.Errorf("item %d, %q, matches where nothing is: it would cut everywhere", i+1, p)
		}
		out[i] = re
	}
	return out, nil
}

var headerName = regexp.MustCompile("^[-!#$%&'*+.^_`|~0-9A-Za-z]+$")

// HeaderFields returns the headers' values by their names. Errors do not show a value.
func (m Model) HeaderFields() (map[string]string, error) {
	h := make(map[string]string, len(m.Headers))
	for i, line := range m.Headers {
		name, value, found := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !found || !headerName.MatchString(name) || hasControl(value) {
			return nil, fmt.Errorf(`item %d is no header: write it as "Name: value"`, i+1)
		}
		name = http.CanonicalHeaderKey(name)
		if before, twice := h[name]; twice {
			value = before + ", " + value // RFC 9110, 5.3
		}
		h[name] = value
	}
	return h, nil
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// checkPythonVersion returns an error for a text that is not a Python version. "" is valid.
func checkPythonVersion(text string) error {
	if text == "" || pythonVersion.MatchString(text) {
		return nil
	}
	return fmt.Errorf("%q is not a Python version: write it like 3.11", text)
}

var pythonVersion = regexp.MustCompile(`^3\.\d{1,2}(\.\d+)?$`)

package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/internal/suggest"
	"github.com/npdb/npdb/session/redact"
	"github.com/npdb/npdb/themes"
	"github.com/npdb/npdb/tui/keys"
)

// check validates what types, allowed words and bounds cannot express: key bindings, regular
// expressions, addresses, prices, headers and keys. It returns the first error.
func (l *Loaded) check() error {
	m := &l.Model
	type checked struct {
		key string
		err error
	}
	var all []checked
	for _, p := range l.Profiles {
		all = append(all, checked{"profiles", inOneLine(keys.New(p.Name, l.Profiles, nil))})
	}
	for _, c := range append(
		all,
		checked{"key_profile", inOneLine(keys.New(l.KeyProfile, l.Profiles, nil))},
		checked{"keys", inOneLine(l.KeyMap())},
		checked{"redact", second(patterns(l.Redact, nil))},
		checked{"redact_names", second(patterns(l.RedactNames, nil))},
		checked{"python_version", checkPythonVersion(l.PythonVersion)},
		checked{"theme", second(themes.Load(l.Theme, true))},
		checked{KeyBaseURL, checkBaseURL(m.BaseURL)},
		checked{keyAgainstURL, checkBaseURL(l.Against.BaseURL)},
		checked{keyWhyURL, checkBaseURL(l.Why.BaseURL)},
		checked{"model.top_p", checkTopP(m.TopP)},
		checked{"model.price_prompt", checkPrice(m.PricePrompt, m.PriceCompletion, "price_completion")},
		checked{"model.price_cached", checkPrice(m.PriceCached, m.PricePrompt, "price_prompt")},
		checked{"model.price_completion", checkPrice(m.PriceCompletion, m.PricePrompt, "price_prompt")},
		checked{"model.tokens", second(dsl.NewFormat(m.Tokens))},
		checked{keyHeaders, second(m.HeaderFields())},
		checked{keyKey, checkKey(m.Key)},
	) {
		if c.err != nil {
			return l.fault(c.key, c.err)
		}
	}
	return nil
}

// inOneLine replaces the line ends in a key map's error by semicolons. Its parameters are the
// results of keys.New.
func inOneLine(_ *keys.Map, err error) error {
	if err == nil {
		return nil
	}
	return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
}

func second[T any](_ T, err error) error { return err }

func checkTopP(p *float64) error {
	if p != nil && (*p <= 0 || *p > 1) {
		return fmt.Errorf("%v is no probability: a number above 0, up to 1, is wanted", *p)
	}
	return nil
}

// checkPrice returns an error if price is set, but not with, another price that is needed to
// compute a cost. name is the name of with.
func checkPrice(price, with *float64, name string) error {
	if price != nil && with == nil {
		return fmt.Errorf("no cost is known without %s: set that, too", name)
	}
	return nil
}

// checkBaseURL returns an error if text is not the address of a server. The error does not show the
// text, which may hold a password.
func checkBaseURL(text string) error {
	u, err := url.Parse(text)
	web := err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
	if text == "" || web || err == nil && u.Scheme == "unix" && u.Path != "" {
		return nil
	}
	return errors.New(`it is no address of a server: write it as "http://127.0.0.1:8000/v1"`)
}

// Redaction returns the rules that hide values from a model. It fails only for regular expressions
// that Load rejects.
func (c Config) Redaction() (r redact.Rules, err error) {
	if r.Values, err = patterns(c.Redact, redact.DefaultValues); err == nil {
		r.Names, err = patterns(c.RedactNames, redact.DefaultNames)
	}
	return r, err
}

// patterns compiles the regular expressions of list, or of unset if list is nil. An expression that
// matches the empty text is an error: it would redact at every position.
func patterns(list, unset []string) (out []*regexp.Regexp, err error) {
	if list == nil {
		list = unset
	}
	for i, p := range list {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("item %d is no regular expression: %w", i+1, err)
		}
		if re.MatchString("") {
			return nil, fmt.Errorf("item %d, %q, matches where nothing is: it would cut everywhere", i+1, p)
		}
		out = append(out, re)
	}
	return out, nil
}

// HeaderFields returns the values of the configured headers by name. Its errors show no value.
func (m Model) HeaderFields() (map[string]string, error) {
	h := make(map[string]string, len(m.Headers))
	for i, line := range m.Headers {
		name, value, found := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !found || !headerName.MatchString(name) || !headerValue.MatchString(value) {
			return nil, fmt.Errorf(`item %d is no header: write it as "Name: value"`, i+1)
		}
		name = http.CanonicalHeaderKey(name)
		if before, twice := h[name]; twice {
			value = before + ", " + value // joined as in RFC 9110, 5.3
		}
		h[name] = value
	}
	return h, nil
}

// headerName and headerValue match the parts of a header (RFC 9110, 5.1 and 5.5). The library
// golang.org/x/net/http/httpguts checks the same, and makes the program 90 kB larger.
var (
	headerName  = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	headerValue = regexp.MustCompile(`^[^\x00-\x08\x0a-\x1f\x7f]*$`)
)

func checkKey(key string) error {
	if !headerValue.MatchString(key) {
		return errors.New("this is no key: there is a line end or another control character in it")
	}
	return nil
}

// checkPythonVersion returns an error for a text that is not a Python version. "" is valid.
func checkPythonVersion(text string) error {
	if text == "" || pythonVersion.MatchString(text) {
		return nil
	}
	return fmt.Errorf("%q is not a Python version: write it like 3.11", text)
}

var pythonVersion = regexp.MustCompile(`^3\.\d{1,2}(\.\d+)?$`)

// checkKeys returns an error that lists the keys of a configuration file that are not settings,
// with a suggestion for each.
func checkKeys(keys []string) error {
	slices.Sort(keys)
	var faults []string
	for _, key := range keys {
		if !slices.ContainsFunc(settings, func(s Setting) bool {
			return key == s.Key || s.typ.Kind() == reflect.Map && strings.HasPrefix(key, s.Key+".")
		}) {
			faults = append(faults, typo(key))
		}
	}
	if len(faults) > 0 {
		return errors.New(strings.Join(faults, "; "))
	}
	return nil
}

// typo returns the error message for an unknown key. It suggests the section to which the setting
// belongs, or a similar setting.
func typo(key string) string {
	section, name := cutLast(key)
	var known, beside []string // keys of all settings; names of those in key's section
	for _, s := range settings {
		in, n := cutLast(s.Key)
		switch {
		case strings.HasPrefix(key, s.Key+"."):
			return fmt.Sprintf("there is no setting %s: %s is no section", key, s.Key)
		case in == key:
			return fmt.Sprintf("%s is a section: write [%s] and its settings below it", key, key)
		case in == section:
			beside = append(beside, n)
		case n == name && in == "":
			return fmt.Sprintf("there is no setting %s; %s belongs at the top of the file, before any [section]", key, n)
		case n == name:
			return fmt.Sprintf("there is no setting %s; %s belongs under [%s]", key, n, in)
		}
		known = append(known, s.Key)
	}
	return cmp.Or(suggest.Ask(name, name, beside), suggest.Ask(key, key, known),
		fmt.Sprintf("there is no setting %s; npdb config --help lists them", key))
}

// cutLast splits a key at its last dot: "model.name" into "model" and "name".
func cutLast(key string) (section, name string) {
	i := strings.LastIndexByte(key, '.')
	return key[:max(i, 0)], key[i+1:]
}

package openai

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/npdb/npdb/backend"
)

// Optional fields of a request. ofServers are known only to some servers, ofOpenAI are optional in
// OpenAI's API.
var (
	ofServers = []string{
		"skip_special_tokens", "spaces_between_special_tokens", "include_stop_str_in_output", "no_stop_trim",
		"preserved_tokens", "stop_token_ids", "return_token_ids", "add_special_tokens", "stream_options",
	}
	ofOpenAI = []string{"logprobs", "seed", "top_p"}
	// ifNamed fields are removed only if the server names them, because their removal changes the reply:
	// it is not streamed, or sampled differently.
	ifNamed = []string{"stream", "temperature"}
)

var (
	fieldName    = regexp.MustCompile(`[a-z_]+`)
	unknownField = regexp.MustCompile(`(?i)(?:unrecognized|unexpected|unknown|unsupported|invalid|extra|additional) (?:request )?(?:fields?|arguments?|parameters?|params?|inputs?|propert|keys?)|not (?:permitted|allowed)`)
)

// optionalIn returns the optional fields whose names occur in a text.
func optionalIn(text string) []string {
	var found []string
	words := fieldName.FindAllString(text, -1)
	for _, name := range slices.Concat(ofServers, ofOpenAI, ifNamed) {
		if slices.Contains(words, name) {
			found = append(found, name)
		}
	}
	return found
}

// send sends a request. If the server refuses a field, send tries again without it, as long as that may
// help. If the removal of a field has helped, later requests omit it too.
func (p *Predictor) send(ctx context.Context, q request, s sink) (*reply, *backend.Error) {
	r, failure := p.attempt(ctx, q, s)
	var out []string
	for last, round := failure, 0; last != nil; round++ {
		if r != nil && r.raw.Len() > 0 {
			return r, last // the server accepted the request: the reply failed
		}
		if _, ok := p.looser(q.form, last); ok && q.dialect == Chat {
			return r, last // askChat tries another form
		}
		more := p.refusedFields(last, q.fields, round)
		if len(more) == 0 && p.failsWithOdds(last, q.fields) {
			return p.withoutOdds(ctx, q, s, r, failure)
		}
		if len(more) == 0 {
			return r, failure // report the first failure
		}
		out = append(out, more...)
		q.fields = maps.Clone(q.fields)
		for _, name := range more {
			q.fields[name] = nil
		}
		r, last = p.attempt(ctx, q, s)
		if last != nil && refusesRequest(last) {
			continue
		}
		if r != nil && (last == nil || last.Status == 0) { // the model replied
			p.leaveOut(out)
		}
		return r, last
	}
	return r, nil
}

// refusesRequest reports whether a failure may be caused by a field of the request. OpenAI, for example,
// answers "not allowed to request logprobs" for some models.
func refusesRequest(e *backend.Error) bool {
	var said *serverError
	if e.Status == http.StatusForbidden && errors.As(e, &said) && len(said.fields) > 0 {
		return true
	}
	if e.Kind == backend.ServerFailed && errors.As(e, &said) && slices.Contains(said.fields, "logprobs") {
		return true // some servers fail because of log probabilities
	}
	return e.Kind == backend.BadRequest && (e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity)
}

// failsWithOdds reports whether a server may have failed because of log probabilities, without saying
// so: Python servers fail if one of them is not a valid JSON number.
func (p *Predictor) failsWithOdds(e *backend.Error, fields map[string]any) bool {
	_, wanted := p.cfg.Extra["logprobs"]
	return e.Status == http.StatusInternalServerError && fields["logprobs"] != nil && !wanted
}

// withoutOdds sends a request again without log probabilities. If that has helped twice, all later
// requests omit them. Once is not enough, because the server may have failed for another reason.
func (p *Predictor) withoutOdds(ctx context.Context, q request, s sink, r *reply, failure *backend.Error) (*reply, *backend.Error) {
	q.fields = maps.Clone(q.fields)
	q.fields["logprobs"] = nil
	again, last := p.attempt(ctx, q, s)
	if last != nil && last.Status != 0 || again == nil {
		return r, failure
	}
	p.mu.Lock()
	helped := p.oddsFailed
	p.oddsFailed = true
	p.mu.Unlock()
	if helped {
		p.leaveOut([]string{"logprobs"})
	}
	return again, last
}

// refusedFields returns the fields to leave out after a failure: in the first round the fields that
// the server names, in the next one also the fields that only some servers know, and then all
// optional fields.
func (p *Predictor) refusedFields(e *backend.Error, fields map[string]any, round int) []string {
	var said *serverError
	if !refusesRequest(e) || !errors.As(e, &said) {
		return nil
	}
	for _, word := range fieldName.FindAllString(said.Message, -1) {
		if _, wanted := p.cfg.Extra[word]; wanted { // the user has set this field
			return nil
		}
	}
	there := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			_, wanted := p.cfg.Extra[name]
			return wanted || fields[name] == nil
		})
	}
	named := there(said.fields)
	switch {
	case len(named) == 0 && !unknownField.MatchString(said.Message):
		return nil
	case round == 0 && len(named) > 0:
		return named
	}
	for i, names := range [][]string{ofServers, ofOpenAI} {
		if more := there(names); len(more) > 0 && round <= i+1 {
			return union(named, more)
		}
	}
	return named
}

func union(a, b []string) []string {
	return append(a, slices.DeleteFunc(b, func(name string) bool { return slices.Contains(a, name) })...)
}

// leaveOut removes fields from all later requests.
func (p *Predictor) leaveOut(names []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.without == nil {
		p.without = map[string]bool{}
	}
	for _, name := range names {
		p.without[name] = true
	}
	slices.Sort(names)
	p.notices = append(p.notices, "the server refuses fields of the request, which are left out from now on: "+strings.Join(names, ", "))
}

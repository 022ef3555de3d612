package serve

import (
	"context"
	"net/http"
	"slices"
)

// stream sends the answer as server-sent events, a token each, the choices in
// turn.
func (r *reply) stream(ctx context.Context, w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w).Flush
	send := func(v any) bool {
		hurry(w)
		_, err := w.Write(slices.Concat([]byte("data: "), marshal(v), []byte("\n\n")))
		return err == nil && flush() == nil
	}
	longest := 0
	for _, c := range r.choices {
		longest = max(longest, len(c.tokens))
	}
	offsets := make([]int, len(r.choices))
	for at := range longest {
		if at == longest/2 && r.goWrong(w, send) {
			return
		}
		for i, c := range r.choices {
			if at >= len(c.tokens) {
				continue
			}
			if wait(ctx, r.pause) != nil || !send(r.piece(i, at, &offsets[i])) {
				return
			}
		}
	}
	if r.StreamOptions != nil && r.StreamOptions.IncludeUsage {
		last := r.completion()
		last.Usage = r.usage()
		if !send(last) {
			return
		}
	}
	_, _ = w.Write([]byte("data: [DONE]\n\n"))
}

// piece is one token of a choice.
func (r *reply) piece(i, at int, offset *int) completion {
	c := r.choices[i]
	one := completionChoice{Index: i, Text: c.tokens[at].text, Logprobs: r.logprobs(c.tokens[at:at+1], offset)}
	if at == len(c.tokens)-1 {
		one.Finish, one.Reason = &c.finish, c.reason
	}
	if r.ReturnIDs {
		one.IDs = []int{c.tokens[at].id}
		if at == 0 {
			one.PromptIDs = r.prompt
		}
	}
	body := r.completion()
	body.Choices = append(body.Choices, one)
	return body
}

// goWrong does what is to go wrong in the middle of the stream; over says that
// nothing comes after it.
func (r *reply) goWrong(w http.ResponseWriter, send func(any) bool) (over bool) {
	switch r.fault {
	case midStream:
		if send(map[string]*apiError{"error": internal("misbehaving on purpose")}) {
			_, _ = w.Write([]byte("data: [DONE]\n\n"))
		}
	case truncated:
		_, _ = w.Write([]byte(`data: {"id": "` + r.id + `", "object": "text_comple`))
	case cut:
		panic(http.ErrAbortHandler) // net/http's way to end the connection
	default:
		return false
	}
	return true
}

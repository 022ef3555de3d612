package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/npdb/npdb/session/compare"
)

// version is the "v" of each text.
const version = 1

// The kinds of texts.
const (
	Truth     = "both"   // what happened; what a model predicted stands beside it
	ModelOnly = "neural" // a model's own
)

// How a model walked.
const (
	Free   = "free"
	Guided = "guided"
)

// Text is a text in nd/1 with the model's replies in it. A session has one for each part of its
// history that began anew: at the start, and after a jump, a goto and the like. Texts share their
// beginning where the user went back and made other moves; each reply is listed once.
type Text struct {
	Version int     `json:"v"`
	Program string  `json:"program"`
	Model   string  `json:"model"`
	Against string  `json:"against,omitempty"` // the model in CPython's place
	Mode    string  `json:"mode"`              // Truth or ModelOnly
	Text    string  `json:"text"`
	Replies []Reply `json:"replies"` // ascending by Start
}

// Reply is a reply in a text: Text[Start:End] in bytes of UTF-8, from after the action's
// <|frame_sep|> up to and including its own. A trainer masks the rest.
type Reply struct {
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Action string `json:"action"` // as in the text: "breakpoint 4,9"
	// Walk is Free or Guided. Drifted reports that the model's prompt contained its own earlier
	// errors, and was not this text.
	Walk    string `json:"walk,omitempty"`
	Drifted bool   `json:"drifted,omitempty"`
	// Predicted is the model's reply, nil if there is none and in the text of a model alone. Same
	// is nil if nothing was compared.
	Predicted *string          `json:"predicted,omitempty"`
	Same      *bool            `json:"same,omitempty"`
	Verdicts  compare.Verdicts `json:"verdicts,omitempty"` // those that are not same
	Failure   string           `json:"failure,omitempty"`  // why there is no prediction
	// Horizon is the number of events that the action passed, -1 if it is unknown.
	Horizon    int      `json:"horizon"`
	Confidence *float64 `json:"confidence"` // nil where the model's is not known
}

// Write writes texts, one line of JSON each.
func Write(w io.Writer, texts []Text) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range texts {
		t := texts[i]
		t.Version = version
		if t.Replies == nil {
			t.Replies = []Reply{}
		}
		if err := e.Encode(t); err != nil {
			return err
		}
	}
	return nil
}

// Read reads what Write wrote. The error names the line.
func Read(raw []byte) ([]Text, error) {
	var texts []Text
	for n := 1; len(raw) > 0; n++ {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		raw = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var t Text
		err := json.Unmarshal(line, &t)
		if err == nil {
			err = t.check()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d is no exported text: %w", n, err)
		}
		texts = append(texts, t)
	}
	return texts, nil
}

// check checks the fields of a text against each other.
func (t *Text) check() error {
	switch {
	case t.Version != version:
		return fmt.Errorf("its version is %d, this npdb knows %d", t.Version, version)
	case t.Mode != Truth && t.Mode != ModelOnly:
		return fmt.Errorf("there is no mode %q", t.Mode)
	}
	end := 0
	for i, r := range t.Replies {
		switch {
		case r.Start < end || r.End <= r.Start || r.End > len(t.Text):
			return fmt.Errorf("reply %d lies from byte %d to %d of %d, after %d", i, r.Start, r.End, len(t.Text), end)
		case !boundary(t.Text, r.Start) || !boundary(t.Text, r.End):
			return fmt.Errorf("reply %d begins or ends inside a character", i)
		case r.Action == "":
			return fmt.Errorf("reply %d has no action", i)
		case r.Walk != "" && r.Walk != Free && r.Walk != Guided:
			return fmt.Errorf("reply %d: there is no walk %q", i, r.Walk)
		case r.Horizon < -1:
			return fmt.Errorf("reply %d: no horizon is %d", i, r.Horizon)
		case r.Confidence != nil && !(*r.Confidence >= 0 && *r.Confidence <= 1):
			return fmt.Errorf("reply %d: no confidence is %v", i, *r.Confidence)
		case r.Same != nil && *r.Same != (len(r.Verdicts) == 0):
			return errors.New("a reply that is the same has verdicts, or one that is not has none")
		}
		for _, v := range r.Verdicts {
			if v.Field == 0 || v.Kind == 0 || v.Kind == compare.Same {
				return fmt.Errorf("reply %d: a verdict without a field, or that is none", i)
			}
		}
		end = r.End
	}
	return nil
}

// boundary reports whether a character begins at a byte of a text, or the text ends.
func boundary(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

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

// version is the format version, written as "v" in each text.
const version = 1

// The values of Text.Mode.
const (
	Truth     = "both"   // the text holds true states; predictions are in Reply.Predicted
	ModelOnly = "neural" // the text itself was predicted by the model
)

// The values of Reply.Walk: a free model continued from its own predictions, a guided one was reset
// to the truth after each move.
const (
	Free   = "free"
	Guided = "guided"
)

// Text is an nd/1 text of the session. A new text begins at the start and after each jump, goto or
// other position without an action. Where the user went back and made other moves, there are
// several texts with a common beginning; a reply in the common part is listed in one of them only.
type Text struct {
	Version int     `json:"v"`
	Program string  `json:"program"`
	Model   string  `json:"model"`
	Against string  `json:"against,omitempty"` // a second model that stands in for CPython
	Mode    string  `json:"mode"`              // Truth or ModelOnly
	Text    string  `json:"text"`
	Replies []Reply `json:"replies"` // the states in Text that answer an action, ascending by Start
}

// Reply describes Text.Text[Start:End], the state that answers one action. The offsets are bytes of
// UTF-8: Start is after the action's <|frame_sep|>, End is after the state's. A trainer masks
// everything outside of the replies.
type Reply struct {
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Action string `json:"action"` // as written in the text: "breakpoint 4,9"
	// Walk is Free or Guided. Drifted reports that the model's prompt was not this text, because it
	// contained the model's own earlier errors.
	Walk    string `json:"walk,omitempty"`
	Drifted bool   `json:"drifted,omitempty"`
	// Predicted is the model's reply. It is nil if there is none, and in ModelOnly texts, which
	// contain the reply itself. Same reports whether the prediction is right; it is nil if nothing
	// was compared.
	Predicted *string          `json:"predicted,omitempty"`
	Same      *bool            `json:"same,omitempty"`
	Verdicts  compare.Verdicts `json:"verdicts,omitempty"` // the verdicts other than "same"
	Failure   string           `json:"failure,omitempty"`  // why there is no prediction
	// Horizon is the number of recorded events that the action passed, -1 if unknown.
	Horizon    int      `json:"horizon"`
	Confidence *float64 `json:"confidence"` // the model's confidence from 0 to 1, nil if unknown
}

// Write writes each text as one line of JSON.
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

// Read parses what Write wrote. An error names the line number.
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

// check reports an error if the fields of a text are invalid or contradict each other.
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

// boundary reports whether byte offset at is the start of a character or the end of the text.
func boundary(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

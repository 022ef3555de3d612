package session

import (
	"context"
	"errors"
	"strings"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/session/claims"
	"github.com/npdb/npdb/session/nav"
)

// Why asks a chat model to explain the shown state. It sends the source, the stack, and the values with their
// history. A Why with a question continues the conversation; a Why without one begins a new conversation.
type Why struct {
	Question string `json:"question,omitempty"`
}

func (c Why) String() string { return words("why", c.Question) }

// explainer asks a chat model to explain states, and checks the claims in the answers.
type explainer struct {
	cfg      *Config
	program  *program
	draft    *draft
	position *position
	values   *values
	visits   *visits
	viewer   *viewer

	talking talking
}

// talking is the conversation with the model that explains.
type talking struct {
	messages []backend.Message
	told     told // the last state that was sent
}

// told identifies a state of the history.
type told struct{ run, visit, selected int }

// The limits of a conversation, a question and an answer, in bytes. After a conversation of more than mostTalk
// bytes, the next question begins a new one.
const (
	mostTalk     = 96 << 10
	mostQuestion = 4 << 10
	mostSaid     = 64 << 10
)

// WhyConsent returns the consent that the user must give before npdb may send the program to the model that
// explains, or nil if nothing must be asked.
func (ex *explainer) WhyConsent() nav.Consent {
	if c := ex.cfg.Explain.Consent; c != nil && !c.Given() && c.Question() != "" {
		return c
	}
	return nil
}

// canExplain returns an error if no model can be asked.
func (ex *explainer) canExplain() error {
	x := ex.cfg.Explain
	if x.Talker == nil {
		missing := x.Missing
		if missing == "" {
			missing = "there is no chat model to ask"
		}
		return errorf(Refused, "why: %s", missing)
	}
	if c := x.Consent; c != nil && !c.Given() {
		return errorf(Refused, "why: %s", c.Refusal())
	}
	return nil
}

func (c Why) run(ctx context.Context, s *Session) error {
	if s.journaling.replaying != nil {
		return nil // a resumed session does not ask again
	}
	if s.program.states().Len() == 0 {
		return errorf(ProgramOver, "why: there is no state to explain")
	}
	if len(c.Question) > mostQuestion {
		return errorf(BadArgument, "why: the question has %s bytes, and %s at most are sent", thousands(len(c.Question)), thousands(mostQuestion))
	}
	if err := s.explainer.canExplain(); err != nil {
		return err
	}
	ctx, done := s.program.interruptible(ctx)
	defer done()
	e, err := s.explainer.askWhy(ctx, c.Question)
	if err != nil {
		return err
	}
	s.draft.answer.Explanation = e
	switch {
	case e.Cut != "" && e.Text == "":
		s.draft.notice("The question was cancelled.")
	case e.Cut != "":
		s.draft.notice("The explanation is not complete: %s.", e.Cut)
	case e.Text == "":
		return errorf(NoPrediction, "why: %s said nothing", e.Model)
	}
	if text := e.summary(); text != "" {
		s.draft.notice("%s", text)
	}
	return nil
}

// askWhy asks the model, and checks the claims in its answer. If the question exceeds the model's context window,
// askWhy sends a shorter one in a new conversation.
func (ex *explainer) askWhy(ctx context.Context, text string) (*Explanation, error) {
	talker := ex.cfg.Explain.Talker
	messages := ex.question(ctx, text, briefSection)
	w := ex.newWording(ctx, text)
	talk, err := talker.Talk(ctx, messages, w.hear)
	var failed *backend.Error
	if errors.As(err, &failed) && failed.Kind == backend.TooLong && w.heard == 0 {
		ex.talking = talking{}
		messages = ex.question(ctx, text, briefSection/4)
		talk, err = talker.Talk(ctx, messages, w.hear)
	}
	w.end()
	e := w.made
	e.Usage, e.Model = talk.Usage, talker.Model().Name
	said := strings.TrimSpace(talk.Text) != ""
	switch {
	case err == nil:
	case ctx.Err() != nil:
		ex.draft.answer.Interrupted, e.Cut = true, "it was interrupted"
	case !errors.As(err, &failed):
		return nil, err
	case !said:
		return nil, errorf(EndpointFailed, "why: %s%s", failed.Message, ex.cfg.Explain.advice(failed))
	default:
		e.Cut = failed.Message
	}
	if talk.Text = talk.Text[:min(len(talk.Text), mostSaid)]; w.heard > mostSaid && e.Cut == "" {
		e.Cut = "it has more than " + thousands(mostSaid) + " bytes"
	}
	if said { // without an answer, the question does not enter the conversation
		ex.talking = talking{append(messages, backend.Message{Role: "assistant", Content: talk.Text}), ex.stateTold()}
	}
	return e, nil
}

// advice returns advice for a failure that may mean that the model is not a chat model, or "".
func (x *Explaining) advice(failed *backend.Error) string {
	if x.Missing == "" || failed.Kind != backend.NoEndpoint && failed.Kind != backend.BadRequest {
		return ""
	}
	return ". why asks by chat: " + x.Missing
}

func (ex *explainer) stateTold() told {
	return told{ex.program.shown, ex.visits.tree.Shown(), ex.position.selected}
}

// question returns the conversation that ends with a question. If text is "", it begins a new conversation. most
// limits the bytes of each section about the state.
func (ex *explainer) question(ctx context.Context, text string, most int) []backend.Message {
	size := 0
	for _, m := range ex.talking.messages {
		size += len(m.Content)
	}
	known := text != "" && len(ex.talking.messages) > 0 && size < mostTalk
	b := ex.newBriefing(ctx, text, most)
	asked := "Explain why the program is in this state."
	if text != "" {
		asked = b.redact.Plain(text)
	}
	switch now := ex.stateTold(); {
	case known && ex.talking.told == now:
		return append(ex.talking.messages[:len(ex.talking.messages):len(ex.talking.messages)], backend.Message{Role: "user", Content: asked})
	case known:
		asked = "The debugger has moved.\n\n" + b.text() + "\n\nQUESTION: " + asked
		return append(ex.talking.messages[:len(ex.talking.messages):len(ex.talking.messages)], backend.Message{Role: "user", Content: asked})
	}
	return []backend.Message{
		{Role: "system", Content: whySystem},
		{Role: "user", Content: b.text() + "\n\nQUESTION: " + asked},
	}
}

// wording builds the text of an explanation while the model's reply streams, and checks its claims.
type wording struct {
	ctx    context.Context
	ex     *explainer
	reader claims.Reader
	source func(text string) bool
	made   *Explanation
	text   strings.Builder
	ready  Chunk  // text that was not streamed yet
	heard  int    // bytes of the reply, including those after mostSaid
	began  bool   // something was streamed
	gap    string // white space to write before the next text
}

func (ex *explainer) newWording(ctx context.Context, question string) *wording {
	predicted := ex.program.past() == nil
	return &wording{ctx: context.WithoutCancel(ctx), ex: ex, source: ex.sourceLines(), made: &Explanation{Question: question, Predicted: predicted}, ready: Chunk{Kind: Said}}
}

// hear reads a piece of the reply, and streams the complete parts.
func (w *wording) hear(piece string) {
	if w.heard += len(piece); w.heard > mostSaid {
		piece = piece[:max(len(piece)-(w.heard-mostSaid), 0)]
	}
	w.add(w.reader.Feed(piece))
	if w.ex.cfg.Stream == nil || w.ready.Text == "" {
		return
	}
	w.ready.Continues, w.began = true, true
	w.ex.cfg.Stream(&Answer{Chunks: []Chunk{w.ready}})
	w.ready = Chunk{Kind: Said}
}

// end adds the rest of the reply to the answer.
func (w *wording) end() {
	w.add(w.reader.End())
	w.made.Text = w.text.String()
	if w.ready.Text != "" || w.began {
		w.ex.draft.answer.Chunks = append(w.ex.draft.answer.Chunks, w.ready)
	}
}

// mostClaims limits the claims of an explanation that are checked.
const mostClaims = 500

func (w *wording) add(parts []claims.Part) {
	for _, p := range parts {
		if p.Claim == nil || len(w.made.Claims) == mostClaims {
			w.write(p.Text, false)
			continue
		}
		c, ok := w.ex.check(w.ctx, *p.Claim, w.source)
		if !ok {
			w.write("`"+p.Text+"`", false)
			continue
		}
		w.made.Claims = append(w.made.Claims, c)
		w.write(p.Text, c.Verdict == ClaimWrong)
		w.write(c.verdictText(), false)
	}
}

// write adds text. It breaks up each ~~ in the text, so that only wrong claims look struck through.
func (w *wording) write(text string, struck bool) {
	for strings.Contains(text, "~~") {
		text = strings.ReplaceAll(text, "~~", "~ ~")
	}
	if strings.HasPrefix(text, "~") && w.gap == "" && strings.HasSuffix(w.text.String(), "~") {
		text = " " + text
	}
	kept := strings.TrimRight(text, " \t\r\n")
	if kept == "" {
		w.gap += text
		return
	}
	w.put(w.gap)
	w.gap = text[len(kept):]
	if struck {
		w.made.Struck = append(w.made.Struck, [2]int{w.text.Len(), w.text.Len() + len(kept)})
		w.ready.Struck = append(w.ready.Struck, [2]int{len(w.ready.Text), len(w.ready.Text) + len(kept)})
	}
	w.put(kept)
}

func (w *wording) put(text string) {
	w.text.WriteString(text)
	w.ready.Text += text
}

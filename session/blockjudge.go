package session

import (
	"context"
	"errors"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/chat"
)

// judge asks the chat model for a verdict on each row of a page. It stops at the first request that fails,
// because the next ones would probably fail too. It returns an error only if the model cannot judge.
func (s *Session) judge(ctx context.Context, t *blockTable, p *BlocksPage) error {
	n := s.cfg.Neural
	p.Judge = s.bills.modelName()
	hidden := n.Redact
	program := &dsl.Program{}
	for _, f := range s.program.states().Files() {
		program.Files = append(program.Files, dsl.SourceFile{Name: f.Name, Lines: dsl.SplitLines(string(f.Source))})
	}
	source := t.text()
	for _, f := range hidden.Program(program).Files {
		if f.Name == t.file.Name {
			source = f.Lines[min(t.code.Line-1, len(f.Lines)):min(t.code.Last, len(f.Lines))]
		}
	}
	values := func(list []dsl.Local) (out []dsl.Local) {
		for _, l := range list {
			out = append(out, dsl.Local{Name: l.Name, Value: hidden.Value(l.Name, l.Value)})
		}
		return out
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		if s.program.stopping.Load() || ctx.Err() != nil {
			p.JudgeFailed = "interrupted"
			return nil
		}
		if r.Open {
			continue // the values after the run are not known yet
		}
		block := &chat.Block{
			Function: p.Function, Task: hidden.Plain(p.Task), First: t.code.Line, Source: source, Lines: r.Lines,
			In: values(r.In), Out: values(r.Out), Gone: r.Gone,
		}
		if r.Returned != nil {
			text := hidden.Returned(t.code.Name, *r.Returned)
			block.Returned = &text
		}
		if r.Raised != nil {
			text := hidden.Value("", *r.Raised)
			block.Raised = &text
		}
		made, err := backend.Judged(ctx, n.Predictor, block)
		s.bills.accounts.Judged(n, made, err)
		if errors.Is(err, backend.ErrNoJudge) {
			return errorf(Refused, "blocks --judge: %v. Give a chat model with --base-url and --model; without --judge, asserts and annotations decide", err)
		}
		if err != nil {
			p.JudgeFailed = err.Error()
			return nil
		}
		p.Judge = s.bills.modelName()
		r.Verdict = &BlockVerdict{made.Correct, made.Why, p.Judge}
	}
	return nil
}

package command

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/breakpoint"
)

// dialogue describes what the next line is for if it is not a command, for instance the answer to a
// question. The zero dialogue waits for commands.
type dialogue struct {
	waiting session.Waiting
	prompt  string
	take    func(ctx context.Context, line string) error
	abort   func() // called when the user pressed Ctrl-C or the input ended
}

// prompt is npdb's prompt for commands.
const prompt = "(npdb) "

func (i *Interpreter) prompt() string {
	if i.dialogue.waiting == session.ForCommand {
		return prompt
	}
	return i.dialogue.prompt
}

// Prompt returns the prompt to show before the next line.
func (i *Interpreter) Prompt() string { return i.prompt() }

// Abort ends the current dialogue because the user pressed Ctrl-C or the input ended. It returns
// nil if there was no dialogue. Its answer has no state, because no command was run.
func (i *Interpreter) Abort() *session.Answer {
	if i.dialogue.waiting == session.ForCommand {
		return nil
	}
	abort := i.dialogue.abort
	i.dialogue = dialogue{}
	if abort != nil {
		abort()
	}
	a := i.Said()
	a.Prompt = prompt
	return a
}

// confirm asks the user a yes-or-no question and calls yes if the user agrees.
func (i *Interpreter) confirm(question string, yes func(ctx context.Context) error) {
	i.decide(question, yes, func() {})
}

// decide asks the user a yes-or-no question and calls yes or no.
func (i *Interpreter) decide(question string, yes func(ctx context.Context) error, no func()) {
	i.dialogue = dialogue{
		waiting: session.ForConfirmation,
		prompt:  question,
		abort:   no,
		take: func(ctx context.Context, line string) error {
			i.dialogue = dialogue{}
			switch r := strings.ToLower(strings.TrimSpace(line)); r {
			case "y", "yes":
				return yes(ctx)
			case "", "n", "no":
			default:
				i.Notice("This was taken for no, because the question above wants y or n.")
			}
			no()
			return nil
		},
	}
}

// allowed asks for consent to send the program to the model, if that is needed, and calls goOn once
// there is consent.
func (i *Interpreter) allowed(ctx context.Context, goOn func(ctx context.Context) error) error {
	return i.consented(ctx, i.Consent(), goOn)
}

// consented asks the user's consent, unless leave is nil, and calls goOn once there is consent.
func (i *Interpreter) consented(ctx context.Context, leave session.Consent, goOn func(ctx context.Context) error) error {
	if leave == nil {
		return goOn(ctx)
	}
	answer := func(yes bool) {
		if err := leave.Answer(yes); err != nil {
			i.Notice("%v", err)
		}
	}
	i.decide(leave.Question()+" (y/n) ", func(ctx context.Context) error {
		answer(true)
		return goOn(ctx)
	}, func() {
		answer(false)
		i.Notice("%s.", leave.Refusal())
	})
	return nil
}

// mode shows or changes the mode. It asks before a change from neural to side-by-side mode, which
// runs the program.
func (i *Interpreter) mode(ctx context.Context, arg string) error {
	want := session.Mode(arg)
	if arg != "" && want != session.Real && want != session.Both && want != session.Predicted {
		return usage("mode", arg)
	}
	c := session.SetMode{Mode: want}
	run := func(ctx context.Context) error { return i.Run(ctx, c) }
	switch now := i.Mode(); {
	case want != session.Both || now == want || i.CanSetMode(want) != nil:
		return run(ctx)
	case now == session.Predicted:
		i.confirm("The program will be run. Run it? (y/n) ", run)
		return nil
	}
	return i.allowed(ctx, run)
}

// verify shows or changes how pasts are verified. It asks before the program may be run.
func (i *Interpreter) verify(ctx context.Context, arg string) error {
	c := session.SetVerify{By: session.VerifyMode(arg)}
	switch c.By {
	case "", session.VerifyByText, session.VerifyByModel, session.VerifyOff, i.currentVerifyMode():
		return i.Run(ctx, c)
	case session.VerifyByRun:
		i.confirm("Parts of the program will be run in a sandbox, to verify pasts. Run them? (y/n) ", func(ctx context.Context) error { return i.Run(ctx, c) })
		return nil
	}
	return usage("verify", arg)
}

// currentVerifyMode returns how pasts are verified now, which needs no question. It returns "" without
// a model.
func (i *Interpreter) currentVerifyMode() session.VerifyMode {
	if i.Mode() != session.Predicted {
		return ""
	}
	return i.VerifyMode()
}

// asking asks the user to allow that the program is run again, if err is that of a command which needs
// it. A command list cannot ask.
func (i *Interpreter) asking(err error) error {
	var again *session.RerunError
	if i.listed > 0 || !errors.As(err, &again) {
		return err
	}
	i.confirm(again.Question+" (y/n) ", func(ctx context.Context) error { return i.Run(ctx, again.Allowed) })
	return nil
}

// clear deletes breakpoints by number or by line. Without an argument it asks, then deletes all.
func (i *Interpreter) clear(ctx context.Context, arg string) error {
	if arg == "" {
		i.confirm("Clear all breaks? ", func(ctx context.Context) error { return i.Run(ctx, session.ClearAll{}) })
		return nil
	}
	if file, text, ok := cutLast(arg, ":"); ok {
		line, err := strconv.Atoi(text)
		if err != nil {
			return bad("Invalid line number (%s)", text)
		}
		return i.Run(ctx, session.ClearLine{File: file, Line: line})
	}
	return i.eachNumber(ctx, arg, func(numbers []int) session.Command { return session.ClearBreakpoints{Numbers: numbers} })
}

func cutLast(text, sep string) (before, after string, ok bool) {
	at := strings.LastIndex(text, sep)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(sep):], true
}

// eachNumber runs the command that of makes from the breakpoint numbers in arg. Words that are not
// numbers are reported and skipped.
func (i *Interpreter) eachNumber(ctx context.Context, arg string, of func(numbers []int) session.Command) error {
	var numbers []int
	var failed []string
	kind := session.BadArgument
	for word := range strings.FieldsSeq(arg) {
		n, err := number(word)
		if err != nil {
			failed = append(failed, err.Error())
			continue
		}
		numbers = append(numbers, n)
	}
	if err := i.Run(ctx, of(numbers)); err != nil {
		kind = session.AsError(err).Kind
		failed = append(failed, err.Error())
	}
	if failed == nil {
		return nil
	}
	return &session.Error{Kind: kind, Message: strings.Join(failed, "\n*** ")}
}

// commands starts a dialogue that reads the command list of a breakpoint, one command per line, up
// to end or a command that moves. Without a number it is the last breakpoint that was not deleted, as
// in Python 3.15's pdb.
func (i *Interpreter) commands(ctx context.Context, arg string) error {
	all := i.Breakpoints()
	n := 0
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil {
			return usage("commands", arg)
		}
	} else {
		for _, b := range all {
			n = max(n, b.Number)
		}
		if n == 0 {
			return session.Errorf(session.NotFound, "cannot set commands: no existing breakpoint")
		}
	}
	at := slices.IndexFunc(all, func(b *breakpoint.Breakpoint) bool { return b.Number == n })
	if at < 0 {
		err := i.Run(ctx, session.SetCommands{Number: n})
		return session.Errorf(session.NotFound, "cannot set commands: %v", err)
	}
	c := session.SetCommands{Number: n}
	done := func(ctx context.Context) error {
		i.dialogue = dialogue{}
		return i.Run(ctx, c)
	}
	i.dialogue = dialogue{
		waiting: session.ForDefinition,
		prompt:  "(com) ",
		take: func(ctx context.Context, line string) error {
			for line != "" {
				var rest string
				line, rest = splitCommands(line)
				name, _ := parseLine(line)
				switch name {
				case "silent":
					c.Silent = true
				case "end":
					return done(ctx)
				default:
					if t := strings.TrimSpace(line); t != "" {
						c.Lines = append(c.Lines, t)
					}
					if known := read(line, unseen).command; known != nil && known.resumes {
						return done(ctx)
					}
				}
				line = rest
			}
			return nil
		},
		abort: func() { i.Notice("command definition aborted, old commands restored") },
	}
	return nil
}

// interact starts a dialogue that passes lines to a Python interpreter in the selected frame at the
// live edge, until a line exits it.
func (i *Interpreter) interact(_ context.Context, arg string) error {
	if arg != "" {
		return usage("interact", arg)
	}
	if err := i.CanInteract(); err != nil {
		return err
	}
	const first, more = ">>> ", "... "
	i.Say("*pdb interact start*")
	leave := func() {
		i.dialogue = dialogue{}
		i.Say("*exit from pdb interact command*")
	}
	i.dialogue = dialogue{
		waiting: session.ForInteract,
		prompt:  first,
		abort:   leave,
		take: func(ctx context.Context, line string) error {
			switch strings.TrimSpace(line) {
			case "exit()", "quit()", "exit", "quit":
				i.Say("")
				leave()
				return nil
			}
			err := i.Run(ctx, session.Interact{Line: line})
			i.dialogue.prompt = first
			var incomplete *session.IncompleteError
			if errors.As(err, &incomplete) {
				i.dialogue.prompt = more
				return nil
			}
			return err
		},
	}
	return nil
}

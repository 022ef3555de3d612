package chat

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/npdb/npdb/dsl"
)

// Asked is the request at the end of a conversation: an action, and the form in which the answer is
// expected.
type Asked struct {
	dsl.Action
	States int // above 0: the answer is a list of at most this many states; 0: it is one state without a list
}

// Read parses a conversation that Messages wrote, for a server that must answer it. It returns the
// node of the current state, and the request in the last message. It ignores the system message,
// and each answer that is followed by a Correction. The error is an *Error.
func Read(f *dsl.Format, messages []Message) (at *dsl.Node, asked Asked, err error) {
	none := Asked{}
	first := 1 // error messages count from 1, the system message included
	if len(messages) > 0 && messages[0].Role == "system" {
		messages, first = messages[1:], 2
	}
	corrected := false // the last answer is ignored: this message is its Correction
	for i, m := range messages {
		want := "user"
		if i%2 == 1 {
			want = "assistant"
		}
		if m.Role != want {
			return nil, none, wrong("message %d is of the role %q, where one of %q is to be", i+first, m.Role, want)
		}
		if want == "assistant" {
			if corrected = i+1 < len(messages) && strings.HasPrefix(messages[i+1].Content, correctionWord); corrected {
				continue
			}
			step, err := Decode(at, asked.Action, m.Content)
			if err == nil {
				at, err = appended(at, step)
			}
			if err != nil {
				return nil, none, wrong("message %d: %v", i+first, err)
			}
			continue
		}
		if corrected {
			corrected = false
			continue
		}
		text := m.Content
		if i == 0 {
			if at, text, err = readProgram(f, text); err != nil {
				return nil, none, err
			}
		}
		if at, asked, err = readUser(at, text); err != nil {
			return nil, none, wrong("message %d: %v", i+first, err)
		}
	}
	if len(messages)%2 == 0 {
		return nil, none, wrong("the last message is not the user's")
	}
	return at, asked, nil
}

func appended(at *dsl.Node, s dsl.Step) (*dsl.Node, error) {
	next, err := at.Append(s)
	if err != nil {
		return nil, refused(err)
	}
	return next, nil
}

// readUser parses the states and edits in a user's message, and the command at its end. It returns
// the node after these states, and the command. The caller has removed the program.
func readUser(at *dsl.Node, text string) (*dsl.Node, Asked, error) {
	none := Asked{}
	for {
		line, rest, more := strings.Cut(text, "\n")
		if action, ok := strings.CutPrefix(line, commandWord); ok {
			most, action, rest, err := listAsked(action, rest)
			if err != nil {
				return nil, none, err
			}
			if (most == 0 && more || rest != "") && rest != sureAsk {
				return nil, none, wrong("something follows the command")
			}
			if _, stands := at.Step(); !stands {
				return nil, none, wrong("a command comes before the first state")
			}
			a, err := dsl.ParseAction(action)
			if err != nil {
				return nil, none, wrong("%v", err)
			}
			if _, err := at.Prompt(a); err != nil {
				return nil, none, refused(err)
			}
			return at, Asked{a, most}, nil
		}
		var step dsl.Step
		state, given := strings.CutPrefix(line, stateWord)
		switch {
		case given:
		case line == compactedWord && at.Parent() == nil:
			at, text = at.Mark(), rest
			continue
		case strings.HasPrefix(line, valuesWord):
			return nil, none, wrong("values are asked for (VALUES), and this server makes up none by chat: it answers a COMMAND")
		default:
			if state, step.Edit = strings.CutPrefix(line, editWord); !step.Edit {
				return nil, none, wrong("no state, edit or command begins the line %q", line)
			}
		}
		step, err := decode(at, step, state)
		if err != nil {
			return nil, none, err
		}
		if at, err = appended(at, step); err != nil {
			return nil, none, err
		}
		text = rest
	}
}

// readProgram parses the program at the beginning of a conversation. It returns the program's node
// and the text after the program.
func readProgram(f *dsl.Format, text string) (*dsl.Node, string, error) {
	text, ok := strings.CutPrefix(text, programWord+"\n")
	if !ok {
		return nil, "", wrong("a conversation begins with %s", programWord)
	}
	p := &dsl.Program{}
	letter := ""
	for {
		line, rest, more := strings.Cut(text, "\n")
		if named, ok := strings.CutPrefix(line, fileWord); ok && more {
			letter = dsl.FileLetter(len(p.Files)) + ":"
			quoted, ok := strings.CutPrefix(named, letter+" ")
			var file dsl.SourceFile
			if !ok || json.Unmarshal([]byte(quoted), &file.Name) != nil || whole([]byte(quoted)) != nil {
				return nil, "", wrong("the file %q is not written as %s and its name in quotes", named, letter)
			}
			p.Files, text = append(p.Files, file), rest
			continue
		}
		number := 1
		if len(p.Files) > 0 {
			number += len(p.Files[len(p.Files)-1].Lines)
		}
		source, ok := strings.CutPrefix(line, letter+strconv.Itoa(number)+"|")
		if !ok || !more {
			break
		}
		if len(p.Files) == 0 {
			p.Files = []dsl.SourceFile{{}}
		}
		last := &p.Files[len(p.Files)-1]
		last.Lines = append(last.Lines, source)
		text = rest
	}
	switch {
	case len(p.Files) == 0:
		p.Files = []dsl.SourceFile{{}}
	case len(p.Files) == 1 && letter != "":
		return nil, "", wrong("a program of one file is written without %sa:", fileWord)
	}
	at, err := f.Begin(p)
	if err != nil {
		return nil, "", refused(err)
	}
	return at, text, nil
}

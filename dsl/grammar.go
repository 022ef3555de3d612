package dsl

import "strings"

// Part is a part of a reply in nd/1. The grammar defines the content of each part, and the parts
// that can follow it. Decoder uses it to parse replies; backend/embedded uses it to write only
// valid replies.
type Part uint8

// The parts of a reply.
const (
	PartEvent     Part = iota // the token of the event or outcome
	PartStack                 // the token of a stack, if a stack is written
	PartStackForm             // the beginning of either a new frame's name or the whole stack
	PartPushed                // the name of a new frame
	PartFrame                 // the name of a frame in the whole stack
	PartFrameLine
	PartNextFrame
	PartLocals
	PartFirstLocal
	PartLocal // a local's name
	PartLocalValue
	PartNextLocal
	PartAction // the token before the line number
	PartPlace
	PartSource
	PartArg     // the token before the value
	PartArgForm // the beginning of the value: a string, a yield or null
	PartArgValue
	PartYielded
	PartCode
	PartRaised // the exception in an exit
	PartEnd    // the last <|frame_sep|>
	PartDone
	PartFilled // the value after a prompt of PromptValue
)

// Content is the kind of content of a part.
type Content uint8

// The kinds of content. Names and values are JSON strings with their quotes.
const (
	Nothing    Content = iota
	AName              // name of a function or a local
	AValue             // the repr of a value
	APlace             // a line number and the | after it
	ASource            // the source of that line
	FramePlace         // a frame's line in JSON, or null, and the bracket after it
	ANumber            // an exit code
)

// Rule is the grammar of one part: its content, and the ways to the parts that can follow. The text
// selects one of the ways.
type Rule struct {
	Holds Content
	Ways  []Way
	want  string // for error messages
	on    string // the first characters of all ways' On, in order
}

// Way describes how to get from a part to the next one.
type Way struct {
	Token Token  // the token that selects this way, 0 if none does
	On    string // the characters that select this way, if Token is 0; a quote is read with the next part
	Then  string // the JSON between the parts, in nd/1's spacing
	Next  Part
	Exact string // the fixed bytes up to the next content, without the token or the first byte of On
	json  string // Then without spaces around it
	want  string // the name of this way in error messages
}

// Rule returns the grammar of a part.
func (p Part) Rule() *Rule { return &grammar[p] }

// After returns the part that follows the source line in a state with this event.
func (e Event) After() Part {
	if e == Return || e == Exception {
		return PartArg
	}
	return PartEnd
}

const (
	wantExit  = `an exit, {"code": 0}`
	wantFrame = "a stack's frame"
	wantYield = `{"yield": a value}`
)

var grammar = func() [PartFilled + 1]Rule {
	g := [PartFilled + 1]Rule{
		PartEvent: {Ways: []Way{
			{Token: CallSep, Next: PartStack},
			{Token: LineSep, Next: PartStack},
			{Token: ReturnSep, Next: PartStack},
			{Token: ExceptionSep, Next: PartStack},
			{Token: EndSep, Then: `{"code": `, Next: PartCode, want: wantExit},
			{Token: StartSep, Next: PartEnd},
			{Token: UnknownSep, Next: PartEnd},
		}},
		PartStack:      {Ways: []Way{{Token: StackSep, Next: PartStackForm}, {Next: PartLocals}}},
		PartStackForm:  {want: "a stack or a function's name", Ways: []Way{{On: "[", Then: "[", Next: PartFrame, want: wantFrame}, {On: `"`, Next: PartPushed}}},
		PartPushed:     {Holds: AName, want: "a function's name", Ways: []Way{{Next: PartLocals}}},
		PartFrame:      {Holds: AName, want: wantFrame, Ways: []Way{{Then: ", ", Next: PartFrameLine}}},
		PartFrameLine:  {Holds: FramePlace, want: "a line number or null", Ways: []Way{{Next: PartNextFrame}}},
		PartNextFrame:  {want: ", or ] after a stack's frame", Ways: []Way{{On: ",", Then: " [", Next: PartFrame, want: wantFrame}, {On: "]", Next: PartLocals}}},
		PartLocals:     {want: "{ before the locals", Ways: []Way{{On: "{", Next: PartFirstLocal}}},
		PartFirstLocal: {want: "a local's name or }", Ways: []Way{{On: `"`, Next: PartLocal}, {On: "}", Next: PartAction}}},
		PartLocal:      {Holds: AName, want: "a local's name", Ways: []Way{{Then: ": ", Next: PartLocalValue, want: ": after a local's name"}}},
		PartLocalValue: {Holds: AValue, want: "a local's value", Ways: []Way{{Next: PartNextLocal}}},
		PartNextLocal:  {want: ", or } after a local", Ways: []Way{{On: ",", Then: " ", Next: PartLocal}, {On: "}", Next: PartAction}}},
		PartAction:     {Ways: []Way{{Token: ActionSep, Next: PartPlace}}},
		PartPlace:      {Holds: APlace, Ways: []Way{{Next: PartSource}}},
		PartSource:     {Holds: ASource, Ways: []Way{{Next: PartArg}, {Next: PartEnd}}}, // see Event.After
		PartArg:        {Ways: []Way{{Token: ArgSep, Next: PartArgForm}}},
		PartArgForm: {want: `a value, {"yield": a value} or null; of an exception a text`, Ways: []Way{
			{On: `"`, Next: PartArgValue},
			{On: "null", Next: PartEnd, want: "null"},
			{On: "{", Then: `"yield": `, Next: PartYielded, want: wantYield},
		}},
		PartArgValue: {Holds: AValue, want: "a value", Ways: []Way{{Next: PartEnd}}},
		PartYielded:  {Holds: AValue, want: "a value", Ways: []Way{{Then: "}", Next: PartEnd}}},
		PartCode:     {Holds: ANumber, want: wantExit, Ways: []Way{{On: ",", Then: ` "exception": `, Next: PartRaised, want: `"exception"`}, {On: "}", Next: PartEnd}}},
		PartRaised:   {Holds: AValue, want: "the exception", Ways: []Way{{Then: "}", Next: PartEnd}}},
		PartEnd:      {Ways: []Way{{Token: FrameSep, Next: PartDone}}},
		PartFilled:   {Holds: AValue, Ways: []Way{{Next: PartDone}}},
	}
	for part := range g {
		for i := range g[part].Ways {
			w, first := &g[part].Ways[i], min(1, len(g[part].Ways[i].On))
			g[part].on += w.On[:first]
			w.Exact, w.json = w.On[first:]+w.Then, strings.TrimSpace(w.Then)
			if holds := g[w.Next].Holds; w.On != `"` && (holds == AName || holds == AValue) {
				w.Exact += `"`
			}
			if w.want == "" {
				w.want = w.json
			}
		}
	}
	return g
}()

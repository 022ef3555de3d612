package dsl

import "strings"

// Part names a part of a reply in nd/1. The grammar gives what it holds and which part is next. The
// Decoder follows it to read any reply, backend/embedded to write only replies that can be read.
type Part uint8

// The parts of a reply.
const (
	PartEvent     Part = iota // the token that says what the reply is
	PartStack                 // the token of a stack, if it is written
	PartStackForm             // a new frame's name, or the whole stack
	PartPushed                // the name of a new frame
	PartFrame                 // the name of a frame of the whole stack
	PartFrameLine
	PartNextFrame
	PartLocals
	PartFirstLocal
	PartLocal // its name
	PartLocalValue
	PartNextLocal
	PartAction // the token before the line
	PartPlace
	PartSource
	PartArg     // the token before the value
	PartArgForm // what kind of value it is
	PartArgValue
	PartYielded
	PartCode
	PartRaised // the exception of an exit
	PartEnd    // the last <|frame_sep|>
	PartDone
	PartFilled // a value that is asked for by itself
)

// Content names what a part holds before one of its ways.
type Content uint8

// The contents. Names and values are JSON strings with their quotes.
const (
	Nothing    Content = iota
	AName              // of a function or local
	AValue             // the text of a value
	APlace             // the number of a line, and |
	ASource            // the text of that line
	FramePlace         // a place in JSON, or null, and the bracket after it
	ANumber            // an exit code
)

// Rule holds the grammar of one part: what it holds, then the ways on, of which the text takes the
// one that it agrees with.
type Rule struct {
	Holds Content
	Ways  []Way
	want  string // for error messages
	on    string // the first characters of the ways
}

// Way leads from a part to the next one.
type Way struct {
	Token Token  // chooses this way, if it is not 0
	On    string // or these characters do; a quote belongs to the next part
	Then  string // the JSON between the parts, as nd/1 writes it
	Next  Part
	Exact string // all bytes that follow the first one, or the token or content, up to the next content
	json  string // Then without spaces around it
	want  string // for error messages about it, and On if it is a word
}

// Rule returns the grammar of a part.
func (p Part) Rule() *Rule { return &grammar[p] }

// After returns the part after the source line of an event.
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

// Package cwm writes and parses traces of programs in the format of the Code World Model
// (facebook/cwm, arXiv 2510.02387): the source, then each state as a frame.
//
//	<|begin_of_text|><|trace_context_start|>SOURCE<|frame_sep|>
//	<|call_sep|> or <|line_sep|>LOCALS<|action_sep|>LINE<|frame_sep|>
//	<|return_sep|> or <|exception_sep|><|action_sep|>LINE<|arg_sep|>VALUE<|frame_sep|>
//	… <|end_of_text|>
//
// LOCALS is a JSON object from names to the reprs of their values; ".." stands for the value that
// the name had in the latest frame of the same scope (function call). Frames of returns and
// exceptions have no locals. In the source, a marker follows the line at which the trace begins;
// LINE does not contain the marker. JSON is written as Python's json.dumps does: non-ASCII
// characters are escaped.
//
// A trace of a call begins in a function main, which is added to the source and makes the call. A
// model can skip frames only from a call to its return: <|return_sep|> is appended to the prompt
// after the frame of the call, and the model completes the frame in which that call returns. This
// is a forced event.
//
// The format does not mark a return that an exception caused: such a return has the value None.
//
// Writer writes a trace. Decoder parses the frames that a model adds to it, Read a whole text. Each
// parsed frame contains the positions of its parts in the text.
package cwm

// UnsayableError reports something that a trace cannot express.
type UnsayableError struct{ What string }

func (e *UnsayableError) Error() string {
	return "a trace of the Code World Model has no words for " + e.What
}

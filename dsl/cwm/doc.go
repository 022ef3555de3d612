// Package cwm writes and reads traces of programs in the format of the Code World Model
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
// LINE does not repeat it. JSON is written as Python's json.dumps does: non-ASCII characters are
// escaped.
//
// A trace of a call begins in a function main that is added to the source and makes the call.
// Frames can be skipped in one way only: <|return_sep|> is appended after the frame of a call, and
// the model completes the frame in which that call returns.
//
// The format does not mark a return that an exception caused: such a return has the value None.
//
// Writer writes a trace, Decoder reads the frames that a model adds to it, Read a whole text. A
// frame that was read says where its parts are in the text.
package cwm

// UnsayableError reports something that a trace cannot express.
type UnsayableError struct{ What string }

func (e *UnsayableError) Error() string {
	return "a trace of the Code World Model has no words for " + e.What
}

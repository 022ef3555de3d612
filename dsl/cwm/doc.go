// Package cwm writes and reads traces of programs as the Code World Model has them
// (facebook/cwm, arXiv 2510.02387): each state as a frame, one after the other.
//
//	<|begin_of_text|><|trace_context_start|>SOURCE<|frame_sep|>
//	<|call_sep|> or <|line_sep|>LOCALS<|action_sep|>LINE<|frame_sep|>
//	<|return_sep|> or <|exception_sep|><|action_sep|>LINE<|arg_sep|>VALUE<|frame_sep|>
//	… <|end_of_text|>
//
// Locals are JSON, names with the reprs of their values; ".." is the value that the name
// had in the frame before of the same scope. Returns and exceptions have none. The line at
// which the trace begins carries a marker in the source, and not in its frame. JSON is
// that of Python's json.dumps: other characters than ASCII's are escaped.
//
// A trace of a call begins in a function main that makes it and that is added to the
// source. There is one way to pass over frames: after that of a call <|return_sep|> is
// given, and the model writes the rest of the frame in which the call returns.
//
// Nothing says where an exception leaves a function: such a return has the value None.
//
// A Writer writes a trace, a Decoder reads the frames that a model adds to it, Read a whole
// text. Frames that were read say where in the text their parts stand.
package cwm

// UnsayableError reports what a trace cannot express.
type UnsayableError struct{ What string }

func (e *UnsayableError) Error() string {
	return "a trace of the Code World Model has no words for " + e.What
}

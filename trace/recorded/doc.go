// Package recorded answers questions about recorded states without the program
// that made them: what an expression is over values of which only the text is
// left, and where the lines and functions of a source file lie.
//
// Behind the live edge a state is text, name to repr. What ast.literal_eval
// reads back, npdb evaluates; what needs more than that text it refuses, and
// says why. The work is done by a Python of its own, the worker, which never
// sees the program: it reads no file, imports nothing of the user's, and takes
// no expression that could leave the literal types.
package recorded

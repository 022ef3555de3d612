package recorded

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/npdb/npdb/python"
)

// outlineFields is how many fields of a reply make a Function.
const outlineFields = 5

// Outline compiles a source file, without running it, and says where a tracer
// can stop. source is the file as it is, of any encoding that it declares
// (PEP 263); filename is for messages. A file that does not parse is a
// *SyntaxError.
func (e *Evaluator) Outline(ctx context.Context, source []byte, filename string) (python.Outline, error) {
	if len(source) > requestLimit {
		return python.Outline{}, &python.LimitError{Reason: fmt.Sprintf("the file has %d MiB, more than %d", len(source)>>20, requestLimit>>20)}
	}
	reply, err := e.ask(ctx, "outline", []string{string(source), filename})
	if err != nil {
		return python.Outline{}, err
	}
	o, err := parseOutline(reply[1:])
	if err != nil {
		return python.Outline{}, &WorkerError{Python: e.python, Reason: "answered what is no outline", Err: err}
	}
	return o, nil
}

// parseOutline reads the operands of a reply: the lines joined by commas, then
// the fields of each function.
func parseOutline(fields []string) (python.Outline, error) {
	if len(fields)%outlineFields != 1 {
		return python.Outline{}, fmt.Errorf("%d fields", len(fields))
	}
	var o python.Outline
	if fields[0] != "" {
		for text := range strings.SplitSeq(fields[0], ",") {
			line, err := strconv.Atoi(text)
			if err != nil {
				return python.Outline{}, err
			}
			o.Executable = append(o.Executable, line)
		}
	}
	for rest := fields[1:]; len(rest) > 0; rest = rest[outlineFields:] {
		f := python.Function{Name: rest[0], QualName: rest[1]}
		for i, line := range []*int{&f.Line, &f.BodyLine, &f.EndLine} {
			var err error
			if *line, err = strconv.Atoi(rest[2+i]); err != nil {
				return python.Outline{}, err
			}
		}
		o.Functions = append(o.Functions, f)
	}
	return o, nil
}

package chat

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/npdb/npdb/dsl"
)

// answer is the JSON object of a reply. system.txt explains its fields to models; Schema describes
// them to servers.
type answer struct {
	Outcome  string    `json:"outcome"`
	Event    *string   `json:"event"`
	Line     *place    `json:"line"`
	Function *string   `json:"function"`
	Stack    []frame   `json:"stack"` // null if it follows from the state before
	Locals   []local   `json:"locals"`
	Names    *[]string `json:"names"`
	Kind     *string   `json:"kind"`
	Value    *string   `json:"value"`
	ExitCode *int      `json:"exit_code"`
}

type frame struct {
	Function string `json:"function"`
	Line     *place `json:"line"` // null if it is not known
}

type local struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// place is a line: a number, or "b:12" in a program of several files.
type place struct {
	dsl.Location
	several bool
}

func (p place) String() string {
	if !p.several {
		return strconv.Itoa(p.Line)
	}
	return dsl.FileLetter(p.File) + ":" + strconv.Itoa(p.Line)
}

// MarshalJSON writes a line as a number, or as a string if it has a file's letter.
func (p place) MarshalJSON() ([]byte, error) {
	if !p.several {
		return []byte(p.String()), nil
	}
	return []byte(`"` + p.String() + `"`), nil
}

// encode writes JSON on one line, with < unescaped.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

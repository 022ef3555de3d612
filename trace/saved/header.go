package saved

import (
	"time"

	"github.com/npdb/npdb/dsl"
)

// Version is the version of the format that this package writes. It reads all versions up to
// this one.
const Version = 1

// Header says which run a file holds.
type Header struct {
	Format  int       `json:"format"` // Version
	Npdb    string    `json:"npdb"`   // version of npdb
	Python  string    `json:"python"` // for example "3.12.1"
	Machine string    `json:"machine"`
	Started time.Time `json:"started"`

	Script string   `json:"script,omitempty"`
	Module string   `json:"module,omitempty"`
	Code   string   `json:"code,omitempty"`
	Entry  string   `json:"entry,omitempty"`
	From   string   `json:"from,omitempty"`
	Args   []string `json:"args,omitempty"`
	Dir    string   `json:"dir"` // working directory

	// ValueBytes and Items are the limits of the recording: the size of one value's text, and the
	// number of elements of one container. Longer values were cut.
	ValueBytes int `json:"value_bytes"`
	Items      int `json:"items"`

	// Dropped is the number of events before the first one that are not in the file, because only the
	// newest events were kept.
	Dropped int `json:"dropped,omitempty"`

	// Environment lists the names of the program's environment variables, without their values.
	Environment []string `json:"environment,omitempty"`
}

// End says how the recording ended. A file without it was cut off.
type End struct {
	Exit    *dsl.Exit `json:"exit"`              // nil if npdb ended the program
	Fatal   *int      `json:"fatal"`             // the event that raised the uncaught exception
	Hole    bool      `json:"hole,omitempty"`    // what ran last was not recorded
	Lost    bool      `json:"lost,omitempty"`    // the program closed its connection to npdb
	Notices []string  `json:"notices,omitempty"` // what npdb said about the recording
}

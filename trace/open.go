package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/npdb/npdb/trace/saved"
	"github.com/npdb/npdb/trace/statetree"
)

// Open reads a recording file. The recording has ended: its moves are those of a program that is
// over. The landing is the event that raised the uncaught exception or, if there is none, the
// first event. A file that was cut off, is damaged or exceeds the limits is read up to there, and a
// notice says so.
//
// The errors are *saved.NotRecordingError and *saved.NewerError, those of from, and if there is no event
// before that, *saved.DamagedError and *TooLargeError. A file that was cut off after its header opens
// without an event.
func Open(from io.Reader, l Limits) (*Recording, Landing, error) {
	file, err := saved.NewReader(bufio.NewReaderSize(from, 1<<20))
	if err != nil {
		return nil, Landing{}, err
	}
	defer file.Close()
	r := opened(file.Header, statetree.New(), l)
	r.tree.SetLimits(max(file.Header.ValueBytes, 0), max(file.Header.Items, 0))
	end, err := r.readLog(file)
	if err != nil {
		return nil, Landing{}, err
	}
	r.tree.Batch(func() {
		if end.Hole {
			r.tree.Hole(nil, nil)
		}
		r.tree.Finish()
	})
	landing := r.ending(end)
	return r, landing, nil
}

// opened returns the recording of a file.
func opened(h saved.Header, tree *statetree.Tree, l Limits) *Recording {
	r := &Recording{
		tree: tree, proc: noProcess(), limits: l.orDefault(), over: true, messages: make(chan message),
		opts: Options{Script: h.Script, Module: h.Module, Code: h.Code, Entry: h.Entry, From: h.From, Args: h.Args, Dir: h.Dir},
	}
	close(r.messages)
	r.log.python = h.Python
	r.outputs.room = r.limits.OutputBytes
	r.decode = decoder{tree: tree, name: r.opts.ShownName, output: func(int, byte, []byte) {}} // KindOutput chunks have all output
	return r
}

// readLog reads the chunks after the header, up to the end or to damage. It returns what the file
// says about the end of the recording.
func (r *Recording) readLog(file *saved.Reader) (end saved.End, err error) {
	for {
		at := file.Offset()
		kind, data, err := file.Next()
		if err == nil {
			if kind == saved.KindRecords {
				err = r.readRecords(data)
			} else {
				err = r.readChunk(kind, data, &end)
			}
			if err == nil && kind == saved.KindEnd {
				r.gapsAt = r.decode.gaps // the end has the notice
				return end, nil
			}
			if err == nil {
				continue
			}
			var large *TooLargeError
			if !errors.As(err, &large) {
				err = &saved.DamagedError{Offset: at, Why: err.Error()}
			}
		}
		var damaged *saved.DamagedError
		var large *TooLargeError
		switch {
		case errors.Is(err, io.EOF), errors.As(err, &damaged) && damaged.CutOff:
			end.Notices = append(end.Notices, "the recording ends here: npdb was killed, or is still writing the file; the program may have run further")
		case (errors.As(err, &damaged) || errors.As(err, &large)) && r.tree.Len() > 0:
			end.Notices = append(end.Notices, err.Error()+": only what comes before that is shown")
		default:
			return end, err
		}
		return end, nil
	}
}

// readChunk reads the data of a chunk of the log that is no KindRecords chunk.
func (r *Recording) readChunk(kind saved.Kind, data []byte, end *saved.End) error {
	switch kind {
	case saved.KindOutput:
		if !saved.EachOutput(data, r.outputs.add) {
			return errors.New("output in no known form")
		}
	case saved.KindEnd:
		return json.Unmarshal(data, end)
	}
	return nil
}

// readRecords decodes the data of a KindRecords chunk.
func (r *Recording) readRecords(data []byte) error {
	n, err := r.understand(data)
	switch events, held := r.tree.Len(), r.tree.Bytes(); {
	case err != nil:
		return err
	case n < len(data):
		return fmt.Errorf("record of kind 0 at byte %d", n)
	case events > r.limits.Events || held > r.limits.Bytes:
		return &TooLargeError{Events: r.limits.Events, Bytes: r.limits.Bytes}
	}
	return nil
}

// ending sets what is known about the end of an opened recording, and returns where to begin.
func (r *Recording) ending(e saved.End) Landing {
	r.exit, r.lost, r.notices = e.Exit, e.Lost, e.Notices
	last := r.tree.Len() - 1
	l := Landing{Notice: r.news(), Reason: Landed}
	r.edge = Position{Event: last, End: true}
	switch {
	case last < 0:
		l.Position, l.Reason = r.edge, Ended
	case e.Fatal != nil && *e.Fatal >= 0 && *e.Fatal <= last:
		l.Position, l.Reason = Position{Event: *e.Fatal, PostMortem: true}, DiedPostMortem
		if e.Exit != nil {
			r.edge = l.Position
		}
	}
	return l
}

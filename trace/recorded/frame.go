package recorded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// A frame is its body's size and its body, a body any number of fields, a
// field its size and its bytes. Sizes are four bytes, most significant first.
// Sizes, not marks, part one from the next: no value can break a frame.
const (
	sizeBytes = 4
	// frameLimit bounds a reply: 64 MiB of text and what frames it.
	frameLimit = 64<<20 + 1<<10
	// requestLimit bounds the texts sent for one expression, in bytes.
	requestLimit = 64 << 20
)

// appendFrame appends a frame of the fields to dst. Fields together stay
// below 4 GiB.
func appendFrame(dst []byte, fields ...string) ([]byte, error) {
	size := 0
	for _, f := range fields {
		size += sizeBytes + len(f)
	}
	if size > math.MaxUint32 {
		return dst, fmt.Errorf("a frame of %d bytes is too large", size)
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(size))
	for _, f := range fields {
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(f)))
		dst = append(dst, f...)
	}
	return dst, nil
}

// readFrame reads one frame of at most limit bytes. A stream that ends before
// a frame begins is io.EOF, one that ends inside it io.ErrUnexpectedEOF.
func readFrame(r io.Reader, limit int64) ([]string, error) {
	var head [sizeBytes]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	size := int64(binary.BigEndian.Uint32(head[:]))
	if size > limit {
		return nil, fmt.Errorf("a frame of %d bytes, more than %d", size, limit)
	}
	// A buffer that grows with what comes: a size alone allocates nothing.
	var body bytes.Buffer
	if n, err := io.CopyN(&body, r, size); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("after %d of %d bytes of a frame: %w", n, size, err)
	}
	return splitFields(body.Bytes())
}

func splitFields(body []byte) ([]string, error) {
	var fields []string
	for rest := body; len(rest) > 0; {
		if len(rest) < sizeBytes {
			return nil, fmt.Errorf("a field's size is cut at byte %d of a frame", len(body)-len(rest))
		}
		size := uint64(binary.BigEndian.Uint32(rest))
		rest = rest[sizeBytes:]
		if size > uint64(len(rest)) {
			return nil, fmt.Errorf("a field of %d bytes at byte %d of a frame of %d", size, len(body)-len(rest), len(body))
		}
		fields = append(fields, string(rest[:size]))
		rest = rest[size:]
	}
	return fields, nil
}

package embedded

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/npdb/npdb/dsl"
)

// A model file, written by lab/train/export.py, consists of magic, the length of the header
// (little-endian uint32), the header as JSON, and the tensors, each padded to a multiple of
// aligned.
const (
	magic         = "npdbnd1\n"
	aligned       = 64
	formatVersion = 1
	mostHeader    = 1 << 20
)

// header describes the model of a file.
type header struct {
	Version int
	Name    string
	Size    size
	// Vocabulary is the hash of the vocabulary with which the model was trained.
	Vocabulary string
	// Temperature has, for each action, the number that divides the logits of a reply to calibrate
	// its probabilities: replies with a probability of 90% are right nine times out of ten.
	Temperature map[string]float64
}

// size holds a model's dimensions.
type size struct {
	Vocabulary int
	Width      int
	Layers     int
	Heads      int // number of query heads
	Groups     int // number of key and value heads
	Head       int // width of a head
	Inner      int
	Window     int
	Theta      float64
}

func (s *size) queries() int { return s.Heads * s.Head }

func (s *size) shared() int { return s.Groups * s.Head }

// check returns an error for sizes that the kernels cannot compute.
func (s *size) check() error {
	for _, d := range []struct {
		what           string
		is, most, unit int
	}{
		{"vocabulary", s.Vocabulary, 1 << 15, 1},
		{"width", s.Width, 1 << 13, columnUnit},
		{"layers", s.Layers, 1 << 8, 1},
		{"heads", s.Heads, 1 << 8, 1},
		{"groups", s.Groups, 1 << 8, 1},
		{"head", s.Head, 1 << 8, 8},
		{"heads times head", s.queries(), 1 << 13, columnUnit},
		{"inner", s.Inner, 1 << 14, columnUnit},
		{"window", s.Window, 1 << 15, 1},
	} {
		if d.is < 1 || d.is > d.most || d.is%d.unit != 0 {
			return fmt.Errorf("its %s is %d: it should be a multiple of %d, up to %d", d.what, d.is, d.unit, d.most)
		}
	}
	if s.Heads%s.Groups != 0 {
		return fmt.Errorf("its %d heads do not share %d groups of keys evenly", s.Heads, s.Groups)
	}
	if !(s.Theta > 1 && s.Theta < 1e9) {
		return fmt.Errorf("its theta is %v", s.Theta)
	}
	return nil
}

// file is a parsed model file.
type file struct {
	header
	embedding []float32 // a row for each token
	layers    []layer
	norm      []float32
	head      matrix

	unread *tensors // nil once the tensors have been read
}

type layer struct {
	attentionNorm      []float32
	queriesKeysValues  matrix
	queryNorm, keyNorm []float32
	output             matrix
	innerNorm          []float32
	gateUp             matrix
	down               matrix
}

// matrix is an int8 matrix, row by row, with a scale for each row.
type matrix struct {
	rows, columns int
	numbers       []int8
	scales        []float32
	sums          []int32 // sums of the rows, for kernels that need them
}

var errShort = errors.New("the file ends before its last tensor does")

// readFile reads a model. Its matrices share memory with data, which must not be changed
// afterwards.
func readFile(data []byte) (*file, error) {
	f, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

// readHeader reads the header of a model file. file.read reads the tensors.
func readHeader(data []byte) (*file, error) {
	if len(data) < len(magic)+4 || string(data[:len(magic)]) != magic {
		return nil, errors.New("this is no model of npdb's")
	}
	n := binary.LittleEndian.Uint32(data[len(magic):])
	start := len(magic) + 4
	if n > mostHeader || int(n) > len(data)-start {
		return nil, errors.New("the file ends within its header")
	}
	f := &file{}
	d := json.NewDecoder(bytes.NewReader(data[start : start+int(n)]))
	if err := d.Decode(&f.header); err != nil {
		return nil, fmt.Errorf("its header is malformed: %w", err)
	}
	if f.Version != formatVersion {
		return nil, fmt.Errorf("its format has the version %d, and this npdb reads version %d", f.Version, formatVersion)
	}
	if err := f.Size.check(); err != nil {
		return nil, err
	}
	if f.Vocabulary != ours.hash || f.Size.Vocabulary != len(ours.words) {
		return nil, errors.New("it was trained with another vocabulary than this npdb has")
	}
	for action, t := range f.Temperature {
		if _, err := moveNamed(action); err != nil {
			return nil, err
		}
		if !(t > 0.01 && t < 100) {
			return nil, fmt.Errorf("its temperature of %s is %v", action, t)
		}
	}
	f.unread = &tensors{data: data, at: start + int(n)}
	return f, nil
}

// read reads the tensors on the first call. It scans the whole file, which takes a while.
func (f *file) read() error {
	r := f.unread
	if r == nil {
		return nil
	}
	f.unread = nil
	f.tensors(r)
	switch {
	case r.err != nil:
		return r.err
	case r.at != len(r.data):
		return fmt.Errorf("%d bytes follow its last tensor", len(r.data)-r.at)
	}
	return nil
}

// moveNamed returns the move with this name.
func moveNamed(name string) (dsl.Move, error) {
	for m := range dsl.Moves() {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, fmt.Errorf("it has a temperature for %q, which is no action", name)
}

// tensors reads all tensors in the order of the file.
func (f *file) tensors(r *tensors) {
	s := &f.Size
	f.embedding = r.halves(s.Vocabulary * s.Width)
	for range s.Layers {
		if r.err != nil {
			return
		}
		f.layers = append(f.layers, layer{
			attentionNorm:     r.floats(s.Width),
			queriesKeysValues: r.matrix(s.queries()+2*s.shared(), s.Width),
			queryNorm:         r.floats(s.Head),
			keyNorm:           r.floats(s.Head),
			output:            r.matrix(s.Width, s.queries()),
			innerNorm:         r.floats(s.Width),
			gateUp:            r.matrix(2*s.Inner, s.Width),
			down:              r.matrix(s.Width, s.Inner),
		})
	}
	f.norm = r.floats(s.Width)
	f.head = r.matrix(s.Vocabulary, s.Width)
}

// tensors reads tensors one after the other, and stores the first error.
type tensors struct {
	data []byte
	at   int
	err  error
}

// next returns the n bytes of the next tensor, or nil after an error.
func (r *tensors) next(n int) []byte {
	if r.err != nil {
		return nil
	}
	from := (r.at + aligned - 1) / aligned * aligned
	if from > len(r.data) || n > len(r.data)-from {
		r.err = errShort
		return nil
	}
	r.at = from + n
	return r.data[from:r.at:r.at]
}

func (r *tensors) floats(n int) []float32 {
	raw := r.next(4 * n)
	if raw == nil {
		return nil
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		r.finite(out[i])
	}
	return out
}

func (r *tensors) halves(n int) []float32 {
	raw := r.next(2 * n)
	if raw == nil {
		return nil
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = half(binary.LittleEndian.Uint16(raw[2*i:]))
		r.finite(out[i])
	}
	return out
}

func (r *tensors) finite(x float32) {
	if r.err == nil && (x != x || x-x != 0) {
		r.err = errors.New("one of its numbers is not finite")
	}
}

func (r *tensors) matrix(rows, columns int) matrix {
	m := matrix{rows: rows, columns: columns}
	if raw := r.next(rows * columns); raw != nil {
		if r.err == nil && bytes.IndexByte(raw, 0x80) >= 0 {
			r.err = errors.New("one of its numbers is -128, for which kernels have no room")
		}
		m.numbers = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw))
	}
	m.scales = r.floats(rows)
	return m
}

// half converts a float16 to a float32.
func half(bits uint16) float32 {
	sign := uint32(bits&0x8000) << 16
	exponent := uint32(bits>>10) & 31
	fraction := uint32(bits & 1023)
	switch exponent {
	case 0:
		x := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(x) | sign)
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

package statetree

import "errors"

// layout says how the rows of a column are saved: as one or more numbers (fields), most of which
// are small or repeat in neighbouring rows, so that a compressor makes them short.
type layout[T any] struct {
	part   string // what the rows are, for messages
	deltas []bool // by field: it is saved as the difference from the row before
	split  func(row *T, i int, f []uint32)
	// join makes row i from its fields. It reports whether the row is valid.
	join func(f []uint32, i int, row *T) bool
}

// numbers is the layout of a column of numbers. valid checks a number, unless it is nil.
func numbers[T ~uint32 | ~uint8](part string, delta bool, valid func(T) bool) *layout[T] {
	return &layout[T]{
		part: part, deltas: []bool{delta},
		split: func(row *T, _ int, f []uint32) { f[0] = uint32(*row) },
		join: func(f []uint32, _ int, row *T) bool {
			*row = T(f[0])
			return uint32(*row) == f[0] && (valid == nil || valid(*row))
		},
	}
}

// since returns the distance from an earlier row or event to i, and 0 for none. So a reference
// that was saved in this way never refers to a later row, and no chain of references is endless.
func since(row uint32, i int) uint32 {
	if row == none {
		return 0
	}
	return uint32(i) - row
}

// until is the inverse of since.
func until(distance uint32, i int) (row uint32, ok bool) {
	if distance == 0 {
		return none, true
	}
	return uint32(i) - distance, uint64(distance) <= uint64(i)
}

// rowCoder encodes pages of rows: the numbers of each field, field by field.
type rowCoder struct {
	fields []uint32 // of all rows of a page, field by field
	row    []uint32 // the fields of one row
	out    []byte
}

var errRows = errors.New("its rows are invalid")

// encodeRows encodes the rows of a column from number first on. The result is valid until the
// next call.
func encodeRows[T any](c *rowCoder, l *layout[T], rows *column[T], first, n int) []byte {
	c.fields, c.row = resized(c.fields, len(l.deltas)*n), resized(c.row, len(l.deltas))
	for k := range n {
		l.split(rows.at(first+k), first+k, c.row)
		for f, v := range c.row {
			c.fields[f*n+k] = v
		}
	}
	c.out = c.out[:0]
	for f, delta := range l.deltas {
		values := c.fields[f*n : f*n+n]
		if delta {
			difference(values)
		}
		c.out = appendPlanes(c.out, values)
	}
	return c.out
}

// decodeRows decodes a page of n rows, of which the first has the number first.
func decodeRows[T any](l *layout[T], b []byte, first, n int) ([]T, error) {
	fields := make([][]uint32, len(l.deltas))
	for f, delta := range l.deltas {
		fields[f] = make([]uint32, n)
		var ok bool
		if b, ok = readPlanes(b, fields[f]); !ok {
			return nil, errRows
		}
		if delta {
			sum(fields[f])
		}
	}
	rows, row := make([]T, n), make([]uint32, len(fields))
	for k := range rows {
		for f := range row {
			row[f] = fields[f][k]
		}
		if !l.join(row, first+k, &rows[k]) {
			return nil, errRows
		}
	}
	if len(b) > 0 {
		return nil, errRows
	}
	return rows, nil
}

// difference replaces each number but the first by its difference from the one before. The lowest
// bit is the sign, so that small negative differences are small numbers, too.
func difference(values []uint32) {
	before := uint32(0)
	for k, v := range values {
		d := v - before
		values[k] = d<<1 ^ uint32(int32(d)>>31)
		before = v
	}
}

// sum is the inverse of difference.
func sum(values []uint32) {
	before := uint32(0)
	for k, d := range values {
		before += d>>1 ^ -(d & 1)
		values[k] = before
	}
}

const planes = 4

// appendPlanes appends numbers by their bytes: a byte with a bit for each of the four bytes of a
// number that is not 0 in all of them and then, for each of these bits, this byte of each number.
func appendPlanes(b []byte, values []uint32) []byte {
	all := uint32(0)
	for _, v := range values {
		all |= v
	}
	at := len(b)
	b = append(b, 0)
	for p := range planes {
		if all>>(8*p)&0xff == 0 {
			continue
		}
		b[at] |= 1 << p
		for _, v := range values {
			b = append(b, byte(v>>(8*p)))
		}
	}
	return b
}

// readPlanes is the inverse of appendPlanes. The values must be 0. It returns the rest of b.
func readPlanes(b []byte, values []uint32) (rest []byte, ok bool) {
	if len(b) == 0 {
		return nil, false
	}
	present, b := b[0], b[1:]
	for p := range planes {
		if present>>p&1 == 0 {
			continue
		}
		if len(b) < len(values) {
			return nil, false
		}
		for k, v := range b[:len(values)] {
			values[k] |= uint32(v) << (8 * p)
		}
		b = b[len(values):]
	}
	return b, present>>planes == 0
}

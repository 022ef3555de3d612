package saved

import (
	"encoding/binary"
	"hash/crc32"
)

// Magic begins every recording file. As in PNG, its first byte is not ASCII and it holds a
// CRLF, so that a copy that was treated as text is noticed.
const Magic = "\x89npdb\r\n\x1a"

// Kind says what the data of a chunk is.
type Kind byte

// The kinds of chunks. A reader skips the kinds that it does not know.
const (
	KindHeader  Kind = 'H' // Header, in JSON
	KindRecords Kind = 'R' // whole records of the tracer
	KindOutput  Kind = 'O' // pieces of the program's output; see AppendOutput
	KindInput   Kind = 'I' // text that the user gave to the program
	KindEnd     Kind = 'E' // End, in JSON

	// The index follows the end: pages, their directory and a trailer. See NewIndex.
	KindPage      Kind = 'P'
	KindDirectory Kind = 'D'
	KindTrailer   Kind = 'X'
)

const (
	headSize = 9 // bytes of a chunk before its data
	// chunkFrom is the number of bytes of one kind that are compressed together, unless they
	// come slowly (mostWait). What is not written yet is lost if npdb is killed.
	chunkFrom = 64 << 10
	// MostData is the maximum number of bytes in a chunk, compressed or not.
	MostData = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendChunk appends a chunk whose data is compressed already.
func appendChunk(b []byte, kind Kind, data []byte) []byte {
	at := len(b)
	b = append(b, byte(kind))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	sum := crc32.Update(crc32.Checksum(b[at:], castagnoli), castagnoli, data)
	b = binary.LittleEndian.AppendUint32(b, sum)
	return append(b, data...)
}

// head reads the start of a chunk: its kind, the size of its data, and the checksum.
func head(b []byte) (kind Kind, size int64, sum uint32) {
	return Kind(b[0]), int64(binary.LittleEndian.Uint32(b[1:])), binary.LittleEndian.Uint32(b[5:])
}

// checksum returns the checksum of a chunk of which b is the start and data the data.
func checksum(b, data []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:5], castagnoli), castagnoli, data)
}

// AppendOutput appends a piece of output in the form of a KindOutput chunk: the number of the
// event that it followed, plus one, as a uvarint; the stream, one byte; the length, as a
// uvarint; and the bytes.
func AppendOutput(b []byte, event int, stream byte, data []byte) []byte {
	b = binary.AppendUvarint(b, uint64(event+1))
	b = append(b, stream)
	b = binary.AppendUvarint(b, uint64(len(data)))
	return append(b, data...)
}

// EachOutput calls f for each piece of output in the data of a KindOutput chunk. It returns
// false if the data is malformed.
func EachOutput(b []byte, f func(event int, stream byte, data []byte)) bool {
	for len(b) > 0 {
		event, n := binary.Uvarint(b)
		if n <= 0 || n >= len(b) || event > MostEvents {
			return false
		}
		stream, rest := b[n], b[n+1:]
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return false
		}
		f(int(event)-1, stream, rest[n:n+int(size)])
		b = rest[n+int(size):]
	}
	return true
}

// Shifted returns the data of a KindOutput or KindInput chunk for a file in which that many events
// precede. The chunk has no event after last.
func Shifted(b []byte, by, last int) (shifted []byte, ok bool) {
	ok = EachOutput(b, func(event int, stream byte, data []byte) {
		shifted = AppendOutput(shifted, min(event, last)+by, stream, data)
	})
	return shifted, ok
}

// MostEvents is the maximum number of events in a file.
const MostEvents = 1 << 31

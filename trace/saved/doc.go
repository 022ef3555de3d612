// Package saved reads and writes recording files, which are named *.npdb.
//
// # Format
//
// A file begins with the eight bytes of Magic. Chunks follow it. A chunk is
//
//	kind      1 byte
//	size      4 bytes, little-endian: number of bytes of data
//	checksum  4 bytes, little-endian: CRC-32C of the kind, the size and the data
//	data      one zstd frame
//
// and can be read without the chunks before it. The first chunk is the Header. The file is
// appended to while the program runs, so a file that was cut off is complete up to its last
// whole chunk. docs/recording.md describes the data of each kind.
package saved

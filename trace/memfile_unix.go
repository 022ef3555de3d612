//go:build unix && !linux

package trace

import "os"

func memoryFile() (*os.File, error) { return temporaryFile() }

// fixSize does nothing, because these systems cannot forbid truncating a file. See
// sharedMemory.access.
func fixSize(*os.File) {}

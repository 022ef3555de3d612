//go:build unix && !linux

package trace

import "os"

func memoryFile() (*os.File, error) { return temporaryFile() }

// fixSize does nothing: these systems cannot forbid to cut a file short. See
// sharedMemory.access.
func fixSize(*os.File) {}

//go:build unix && !linux

package trace

import "os"

func memoryFile() (*os.File, error) {
	file, err := os.CreateTemp("", "npdb")
	if err != nil {
		return nil, err
	}
	// Only the descriptors hold it from here on.
	return file, os.Remove(file.Name())
}

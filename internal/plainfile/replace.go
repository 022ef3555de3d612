package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace puts a new file of a mode in the place of one, or where there was none: whoever
// reads meanwhile, or after a crash, finds one or the other. The error is the system's,
// of the folder, which has to be there, or of the disk; then the old file is as it was,
// and nothing lies beside it. One that could not be removed either is an error as well.
func Replace(path string, raw []byte, mode fs.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // of mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(raw)
	err = errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

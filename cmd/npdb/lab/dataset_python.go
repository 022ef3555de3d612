package lab

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/npdb/npdb/lab/dataset/recorder"
)

// makers lists interpreters that are new enough to generate programs. They are tried if the default
// interpreter is too old.
var makers = []string{"python3.14", "python3.13", "python3.12"}

// startRecorder starts a worker. If the worker has to generate programs, the user named no interpreter,
// and the default one is too old, startRecorder uses a newer interpreter from PATH, and
// stores it in c.
func startRecorder(ctx context.Context, c *recorder.Config, makes bool) (*recorder.Worker, error) {
	w, err := recorder.Start(ctx, *c)
	if err != nil || !makes {
		return w, err
	}
	named := c.Python != ""
	for _, name := range makers {
		if w.CanMake() == nil || named {
			break
		}
		path, missing := exec.LookPath(name)
		if missing != nil {
			continue
		}
		other := *c
		other.Python = path
		newer, failed := recorder.Start(ctx, other)
		if failed != nil {
			continue // for example a pyenv shim without an interpreter
		}
		if closing := w.Close(); closing != nil {
			return nil, errors.Join(closing, newer.Close())
		}
		w, *c = newer, other
	}
	if err = w.CanMake(); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: name one with --python", err), w.Close())
	}
	return w, nil
}

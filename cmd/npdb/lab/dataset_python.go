package lab

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/npdb/npdb/lab/dataset/recorder"
)

// makers are the interpreters that make programs, as they are called where there are
// several.
var makers = []string{"python3.14", "python3.13", "python3.12"}

// startRecorder starts a worker. Where it has to make programs, nobody has named an
// interpreter and the usual one is too old for it, a newer one beside it is taken; c has
// it then.
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
			continue // as a shim does that stands for nothing
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

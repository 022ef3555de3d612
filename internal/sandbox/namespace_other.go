//go:build !linux

package sandbox

import "errors"

// TryUserNamespace fails: there are none here.
func TryUserNamespace() error { return errors.ErrUnsupported }

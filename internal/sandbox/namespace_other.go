//go:build !linux

package sandbox

import "errors"

// TryUserNamespace fails: this system has no user namespaces.
func TryUserNamespace() error { return errors.ErrUnsupported }

// Package sandbox is what programs are contained with: bubblewrap's sandboxes, users of
// their own, filters of system calls.
package sandbox

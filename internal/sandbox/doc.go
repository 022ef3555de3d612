// Package sandbox implements the containment of programs: bubblewrap sandboxes, separate users, and
// seccomp filters of system calls.
package sandbox

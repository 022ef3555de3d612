// Package sandbox implements the containment of programs: bubblewrap sandboxes, separate
// users, filters of system calls.
package sandbox

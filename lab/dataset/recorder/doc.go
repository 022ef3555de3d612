// Package recorder runs programs and returns their recordings: State Trees with values as
// texts, from which trajectories are made.
//
// A Python process, the worker, imports everything and forks children. A child runs one
// program, or several programs, one after the other, if none can affect the next. A child
// generates or receives the program, runs it under the trace function of the package
// maker, and sends its recording through a pipe. maker is Python code in this folder; the
// binary contains it and passes it to the process in memory. A recording has the events
// and texts that package trace would record, without its objects. If they are known to
// differ, the program is given up with a Failure. Values that depend on addresses, or on a
// clock that is not detected, such as datetime.now, may differ in each recording, also in
// npdb's own.
//
// # What a program can do
//
// The child has no descriptors except /dev/null and its pipes. It has limits on time,
// memory, files and processes, and on Linux (amd64 and arm64) a filter of system calls.
// With the filter it cannot start processes, signal other processes, or connect to one by
// a socket. On other systems there are only the limits, so a process that it starts may
// outlive it. If bubblewrap works, everything runs in one sandbox: without network, and
// with the system and the interpreter read-only. The worker does not interpret a child's
// output; the code here decodes it completely and within limits. But the program runs in
// the process that records it. So it can falsify its own recording, but in a sandbox or as
// a separate user no other one: programs that share a child are checked before they run,
// so that they cannot reach the recorder. As this user, with only limits, a program can
// change whatever this user may change, for example the interpreter's own files.
package recorder

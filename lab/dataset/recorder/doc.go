// Package recorder runs programs and gives their recordings: State Trees with values as
// texts, for trajectories to be made of.
//
// A process of Python, the worker, has everything imported and forks children: one for each
// program, or for many, one after the other, of which none can leave anything to the next. A
// child makes the program or takes it, runs it under the trace function of the package maker
// (Python, beside this file, carried by the binary and given to the process in memory) and
// says its recording through a pipe. It is the events and texts that package trace records,
// without its objects; where they are known not to be the same the program is given up, with
// a Failure. What a program makes of addresses, or of a clock that is not noticed,
// datetime.now for one, may be another in each recording, npdb's own included.
//
// # What a program can do
//
// The child has no descriptors but /dev/null and its pipes, limits on time, memory, files and
// processes, and on Linux (amd64 and arm64) a filter of system calls, by which it can neither
// start processes, nor signal any but itself, nor speak to one by a socket. Elsewhere the
// limits are all: what it starts may outlive it. All of it runs in one sandbox of
// bubblewrap's where that works: without the network, and with the system and the interpreter
// for reading. The worker does not look at what a child says; what decodes it here is total
// and bounded. But the program runs in the process that records it: it can say whatever it
// likes about itself, and so spoil its own recording, and in a sandbox or as a user of its own
// no other: what shares a child is known, before it runs, not to reach what records it. As
// this user, with limits alone, it changes what this user may: the interpreter's own files,
// for one.
package recorder

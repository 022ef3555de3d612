// Package recorder runs programs and returns their recordings: State Trees with values as texts, from
// which trajectories are generated.
//
// A Python process, the worker, imports all modules once and forks children. A child runs one program,
// or several programs one after the other if none can affect the next. A child generates or receives the
// program, runs it under the trace function of the package maker, and sends the recording through a
// pipe. maker is Python code in this folder. npdb's binary contains it and passes it to the process in
// memory.
//
// A recording contains the events and texts that package trace would record, but not its objects. If
// events or texts are known to differ, there is no recording, but a Failure. Values that depend on
// addresses, or on a clock that is not detected, such as datetime.now, may differ in each recording.
// This is also true of package trace.
//
// # What a program can do
//
// A child has no descriptors except /dev/null and its pipes. Its time, memory, files and processes are
// limited. On Linux (amd64 and arm64) it also has a filter of system calls: it cannot start processes,
// signal other processes, or connect to one by a socket. On other systems there are only the limits, so
// a process that the child starts may outlive it. If bubblewrap works, everything runs in one sandbox,
// without network and with the system and the interpreter read-only.
//
// The worker does not interpret a child's output. The code in this package decodes all of it, within
// limits. But a program runs in the process that records it, so it can falsify its own recording. In a
// sandbox, or as a separate user, it cannot falsify others, because programs that share a child are
// checked before they run, so that they cannot reach the recorder. With limits alone, a program can
// change everything that this user may change, for example the interpreter's own files.
package recorder

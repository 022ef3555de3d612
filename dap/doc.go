// Package dap lets an editor debug through the Debug Adapter Protocol
// (https://microsoft.github.io/debug-adapter-protocol). It translates requests into commands of package
// session, and answers into responses and events.
//
// A connection is one session. One goroutine reads messages, one (the loop) decides what to do with each
// request, and one runs the requests that use the session, one at a time. While the program runs, the loop
// answers what needs no session, and refuses what needs a stopped program.
package dap

// Package mcp lets a program, usually an agent with a language model, debug through the Model Context
// Protocol (https://modelcontextprotocol.io, version 2025-11-25). It offers ten tools over sessions of
// package session; each call names its session, so the transport needs no state.
//
// A desk holds one session and runs its commands one at a time. If a command takes longer than
// Config.Patience, the call returns without its result, and the command goes on running.
package mcp

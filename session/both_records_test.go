package session_test

import (
	"testing"

	"github.com/npdb/npdb/session"
)

// TestBothRecordsAll checks that recording, which may be off in real mode, is on again
// when a model joins.
func TestBothRecordsAll(t *testing.T) {
	s := alone(t, &scripted{}, session.Real)
	answers(t, s,
		"mode neural", "*** mode neural: from real one goes by --mode neural at the start",
		"record off", "Recording is off: next, return, until, continue and advance watch breakpoints and where they land, and record nothing else",
		"mode both", "What runs is recorded again: the model is compared with it.\nboth",
		"record", "Recording is on: all that the program does is recorded",
		"record off", "*** record off: in both modes what runs is recorded, for the model is compared with it (mode real leaves the model out)",
		"fc", "*** fast-continue: in both modes what runs is recorded, for the model is compared with it (mode real leaves the model out)",
		"mode neural", "*** mode neural: from both one goes by --mode neural at the start",
		"walk", "free: the model goes on from what it said itself",
		"walk guided", "guided: after each move the model is put back on the truth",
		"walk free", "free: the model goes on from what it said itself",
		"resync", "The model stands where CPython does.",
		"mode both", "both",
		"mode real", "real",
		"mode both", "both",
	)
}

// TestAgainstRecordsNothing checks that record reports that nothing runs beside two
// models.
func TestAgainstRecordsNothing(t *testing.T) {
	s := against(t, &scripted{}, &scripted{})
	s.First(t.Context())
	const nothing = ": two models walk beside each other in this session, and nothing is run, so there is nothing to leave out"
	answers(t, s,
		"mode real", "*** mode real: two models walk beside each other in this session, and nothing is run",
		"record", "*** record"+nothing,
		"record on", "*** record on"+nothing,
		"record off", "*** record off"+nothing,
		"fc", "*** fast-continue"+nothing,
	)
}

// Package dataset converts Python programs to trajectories for training neural debuggers. It records
// given or generated programs, generates walks through the recordings (package policy), and writes the
// trajectories as shards of JSON Lines.
//
// The content of a dataset's folder depends only on its Settings. Programs are numbered, and each number
// has its own random generator. A shard holds the trajectories of a fixed number of consecutive
// programs. It is written atomically, together with a description of its content (a part). A run creates
// only the shards that are missing, so a killed run can be continued, and several machines can share the
// work.
//
// Duplicates are dropped. Of generated programs with the same text and call, only the one with the
// lowest number is kept. Of given programs' trajectories with the same text, only the first one is kept.
// Run drops duplicates among the shards of one machine, Merge among all shards.
package dataset

// Package dataset converts Python programs to trajectories for training neural debuggers.
// Given or generated programs are recorded and walked by a policy, and the trajectories
// are written as shards of JSON Lines.
//
// The content of a folder depends only on its Settings. Programs are numbered, and each
// number has its own random generator. A fixed number of consecutive programs is a shard.
// A shard is written atomically, with a part that describes its content. A run that was
// killed, or that has other machines beside it, continues with the missing shards. Among
// generated programs that are alike, only the one with the lowest number is kept, and
// among given programs the same holds for trajectories. A run does this for everything
// that it makes itself, Merge for all shards.
package dataset

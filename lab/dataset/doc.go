// Package dataset turns Python programs into trajectories to train neural debuggers on:
// given programs or generated ones are recorded, walked by a policy, and what was met is
// written as shards of JSON Lines.
//
// What a folder holds follows from its Settings alone. Programs have numbers, and each
// number its own random generator; so many of them in a row are a shard, which takes its
// place as a whole, with a part that says what is in it. Who is killed, or has other
// machines beside it, goes on by the shards that are missing. Of generated programs that
// are alike the one with the least number is kept, and of given ones' trajectories: within
// what one run sees as it is made, over all shards by Merge.
package dataset

// Package check contains independent checks of datasets, in Python. check.py makes the
// trajectories again by the rules of docs/nd1.md, without npdb's code. overlap.py looks for
// a benchmark's programs in a dataset, variety.py counts the constructs of a dataset's
// programs, and throughput.py measures how fast trajectories are made. The Go code consists
// only of tests that run these scripts.
package check

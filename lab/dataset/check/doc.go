// Package check contains independent checks of datasets, in Python. check.py generates every
// trajectory again by the rules of docs/nd1.md, without npdb's code, and compares it with the
// recorded one. overlap.py searches a dataset for a benchmark's programs, variety.py counts the
// constructs of a dataset's programs, and throughput.py measures how fast trajectories are
// generated. The Go code consists only of tests that run these scripts.
package check

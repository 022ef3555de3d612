// Package check contains independent checks of datasets, in Python: check.py runs
// trajectories again from docs/nd1.md alone, overlap.py looks for a benchmark's programs
// among them, variety.py counts their constructs, and throughput.py measures how fast they
// are made. The Go code only consists of tests that run these scripts.
package check

// Package check holds what looks at datasets from outside, in Python: check.py runs
// trajectories again by docs/nd1.md alone, overlap.py looks for a benchmark's programs
// among them, variety.py counts what they are made of, throughput.py measures how fast
// they are made. In Go it has the tests alone that run them.
package check

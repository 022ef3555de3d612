// Package bench holds Go benchmarks of npdb's engine. Beside them lie the
// script run, which compares npdb with its baselines in one run and prints the
// ratios and their targets, the programs they run and the baselines themselves.
package bench

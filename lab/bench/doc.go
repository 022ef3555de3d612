// Package bench contains Go benchmarks of npdb's engine. In the same folder are the script
// run, which compares npdb with its baselines and prints the ratios and their targets, the
// measured programs, and the baselines themselves.
package bench

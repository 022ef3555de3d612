// Package bench contains Go benchmarks of npdb's engine. The script run in this folder
// compares npdb with other programs (the baselines) and prints the ratios beside their
// targets. The measured programs and the baselines are in subfolders.
package bench

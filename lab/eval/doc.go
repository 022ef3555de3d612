// Package eval measures predictors: how many of their predictions are right, and whether their
// confidence is justified. backend/cpython records and executes programs to determine the truth.
// session/compare and session/score compare predictions with it and compute scores.
//
// There are three tasks. States asks for the next state from many places of many programs. CruxEval
// predicts outputs and inputs of functions with the moves of a debugger. Inverse samples several pasts
// of a state and verifies each like the debugger. docs/eval.md defines all measures.
package eval

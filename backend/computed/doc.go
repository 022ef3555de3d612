// Package computed predicts states from the program's source alone where the source determines
// them, and asks another predictor for the rest. No code of the program is run: python.Interpreter
// computes the states.
package computed

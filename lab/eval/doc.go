// Package eval measures predictors: how many of their predictions are right, and whether
// their confidence matches. backend/cpython records or executes what is true;
// session/compare and session/score compute verdicts and scores.
//
// There are three tasks. States asks for the next state from many places of many programs.
// CruxEval predicts functions' outputs and inputs with the moves of a debugger. Inverse
// draws many pasts of one state and executes them to check which of them lead to it.
// docs/eval.md defines all measures.
package eval

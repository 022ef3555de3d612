// Package eval measures predictors: how much of what they say of programs is so, and
// whether they are as sure as they are right. What is true is recorded, or executed, by
// backend/cpython; verdicts and scores are those of session/compare and session/score.
//
// There are three tasks. States asks for the next state from many places of many
// programs. CruxEval has functions' outputs and inputs predicted by the moves of a
// debugger. Inverse draws many pasts of one state and executes them to see which of them
// lead there. docs/eval.md defines what is counted.
package eval

// Package score counts how often predictions are right: by action, by horizon and
// by what is looked at, and whether a model is as sure as it is right. It is pure;
// verdicts come from package compare.
package score

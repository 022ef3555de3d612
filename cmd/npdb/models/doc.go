// Package models creates the predictors for the models that the configuration names, and asks for
// consent before npdb sends a program to a model on another machine.
package models

// Package models makes the models that the configuration names, and asks for consent before a
// program is sent to one on another machine.
package models

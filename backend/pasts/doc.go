// Package pasts searches for the arguments of a function from the value that it returned or the
// exception that it raised. It proposes candidates, runs each of them, and ranks those that lead to
// the wanted result by how likely a person wrote them.
//
// Finding arguments is mostly easy, as functions map many arguments to one result. So the search goes
// on after the first success, and the ranking decides what is shown first.
package pasts

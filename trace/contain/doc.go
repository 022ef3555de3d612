// Package contain limits what recorded programs can access and consume: in a sandbox made by
// bubblewrap, as a separate user, or only by limits on resources.
package contain

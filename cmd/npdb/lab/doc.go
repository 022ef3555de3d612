// Package lab implements the commands of the laboratory: npdb dataset and npdb eval.
package lab

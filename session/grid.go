package session

import (
	"context"
	"strings"

	"github.com/npdb/npdb/trace"
)

// Grid holds the content of an array or a data frame. Shape is its true size; Rows and Columns may
// hold fewer.
type Grid struct {
	Shape, Kind string   // Shape: "(3, 4)"; Kind: the dtype, "" if the columns differ
	Columns     []string // labels of the columns
	Kinds       []string // dtypes of the columns, nil if all have Kind
	Labels      []string // labels of the rows
	Rows        [][]string
}

// Grid reads an array or a data frame from the program's memory. It works at the live edge only and
// runs none of the program's code.
func (ps *position) Grid(ctx context.Context, expression string) (Grid, error) {
	if !ps.live() {
		return Grid{}, errorf(Refused, "The program's memory can be read at the live edge only: go there with goto 100%%.")
	}
	answer, err := ps.program.rec.Ask(ctx, ps.selected, trace.VerbGrid, expression)
	if err != nil {
		return Grid{}, err
	}
	const parts = 6
	part := strings.Split(answer.Text, "\x1d")
	if len(part) != parts {
		return Grid{}, errorf(EngineFailed, "The tracer's reply for the grid has %d parts.", len(part))
	}
	g := Grid{Shape: part[0], Kind: part[1], Columns: strings.Split(part[2], "\x1f"), Labels: strings.Split(part[4], "\x1f")}
	if part[3] != "" {
		g.Kinds = strings.Split(part[3], "\x1f")
	}
	for row := range strings.SplitSeq(part[5], "\x1e") {
		g.Rows = append(g.Rows, strings.Split(row, "\x1f"))
	}
	if part[4] == "" && part[5] == "" {
		g.Labels, g.Rows = nil, nil
	}
	return g, nil
}

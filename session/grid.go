package session

import (
	"context"
	"strings"

	"github.com/npdb/npdb/trace"
)

// Grid holds rows and columns of an array or a data frame. There may be fewer of them than Shape
// says.
type Grid struct {
	Shape, Kind string   // "(3, 4)"; the dtype, "" where each column has its own
	Columns     []string // labels
	Kinds       []string // dtypes of the columns, nil where all have Kind
	Labels      []string // of rows
	Rows        [][]string
}

// Grid reads an array or a data frame from the program's memory, at the live edge. It runs none of
// the program's code.
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

package trace

// children are the child processes of a program. Windows is not supported, see process.
type children struct{ of *Recording }

func newChildren() (*children, error) { return &children{}, nil }
func (c *children) option() string    { return "" }
func (c *children) accept()           {}
func (c *children) known() []*Child   { return nil }
func (c *children) close()            {}

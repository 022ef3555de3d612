//go:build unix

package trace

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

//go:embed sitecustomize.py
var siteCustomize string

// children accepts the child processes of a program, and those of its children.
type children struct {
	of     *Recording
	dir    string // has the socket and sitecustomize.py; only the user can read it
	socket *net.UnixListener
	joined sync.WaitGroup
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	list   []*Child // all that joined
	seen   []*Child // those that have run code of the user; the others belong to libraries
	closed bool
}

// newChildren opens the socket on which children join.
func newChildren() (*children, error) {
	dir, err := os.MkdirTemp("", "npdb-children-")
	if err != nil {
		return nil, err
	}
	c := &children{dir: dir}
	joining, err := tracerFiles.ReadFile("tracer/joining.py")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "sitecustomize.py"), append(joining, siteCustomize...), 0o600)
	}
	if err == nil {
		c.socket, err = net.ListenUnix("unix", &net.UnixAddr{Name: c.path(), Net: "unix"})
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

func (c *children) path() string { return filepath.Join(c.dir, "socket") }

// option encodes what the tracer must know to make children join.
func (c *children) option() string { return c.path() + "\n" + c.dir }

// accept lets children join until the socket is closed.
func (c *children) accept() {
	for {
		conn, err := c.socket.AcceptUnix()
		if err != nil {
			return
		}
		c.mu.Lock()
		if c.closed {
			_ = conn.Close()
		} else {
			c.joined.Go(func() { c.join(conn) })
		}
		c.mu.Unlock()
	}
}

// join gives a process that has connected its channels and the tracer, and follows it. A process
// that does not answer runs unrecorded.
func (c *children) join(conn *net.UnixConn) {
	child, roots, err := c.equip(conn)
	_ = conn.Close()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.of.opts.Limits.StartTime)
	defer cancel()
	defer context.AfterFunc(ctx, child.proc.kill)()
	a := &Attachment{opts: child.opts, proc: child.proc}
	if err := a.introduce(ctx, roots); err != nil {
		child.proc.free()
		_ = child.proc.memory.close()
		return
	}
	c.follow(child.Child, a)
}

// joining is a child whose channels are made.
type joining struct {
	*Child
	proc *process
	opts Options
}

// equip reads what a process says of itself, and sends it the descriptors and the loader's code.
func (c *children) equip(conn *net.UnixConn) (j joining, roots []string, err error) {
	const fixed = 5
	_ = conn.SetDeadline(time.Now().Add(c.of.opts.Limits.StartTime))
	hello, err := readFields(conn)
	if err != nil {
		return j, nil, err
	}
	if len(hello) < fixed {
		return j, nil, errMessage
	}
	o := c.of.opts
	o.Python, o.Terminal, o.Stdout, o.Stderr, o.Wrap, o.From, o.Thread = hello[3], nil, nil, nil, nil, "", ""
	o.Repeat, o.Branches, o.Budget, o.Begin, o.Keep, o.Stdin = false, false, Budget{}, nil, 0, strings.NewReader("")
	j.opts, j.Child = o, &Child{Args: hello[fixed:], Forked: hello[2] == "fork", of: c.of, state: ChildRuns, idle: make(chan struct{})}
	j.Pid, _ = strconv.Atoi(hello[0])
	if j.proc, err = c.channels(conn, o); err != nil {
		return j, nil, err
	}
	if j.proc.tracer, err = os.FindProcess(j.Pid); err != nil {
		return j, nil, err
	}
	loader, _ := tracerSource()
	_, err = fmt.Fprintf(conn, "%d, %d, bytes.fromhex('%x')\n%s", chunkCount, chunkSize(o), compiledCache(), loader)
	return j, append(o.roots(), strings.Split(hello[4], "\n")...), err
}

// channels makes the memory and the pipes of a child, and sends it its ends.
func (c *children) channels(conn *net.UnixConn, o Options) (p *process, err error) {
	p = &process{attached: true, child: true}
	if p.memory, err = newSharedMemory(chunkCount, chunkSize(o)); err != nil {
		return nil, err
	}
	var theirs ends
	var events, commands, credits *os.File
	if events, p.events, err = theirs.read(); err == nil {
		if commands, p.commands, err = theirs.write(); err == nil {
			credits, p.credits, err = theirs.write()
		}
	}
	defer theirs.close()
	if err == nil {
		fds := []int{int(p.memory.file.Fd()), int(events.Fd()), int(commands.Fd()), int(credits.Fd())}
		_, _, err = conn.WriteMsgUnix([]byte{1}, unix.UnixRights(fds...), nil)
	}
	if err != nil {
		p.free()
		return nil, errors.Join(err, p.memory.close())
	}
	return p, nil
}

// readFields reads fields after their total length, each after its own length.
func readFields(from io.Reader) ([]string, error) {
	const most = 16 << 20
	m, err := readMessage(io.MultiReader(strings.NewReader("x"), from), most)
	return m.fields, err
}

// follow records a child until it stops or ends.
func (c *children) follow(child *Child, a *Attachment) {
	child.rec = a.Begin("", child.Args...)
	ctx, halt := context.WithCancel(context.Background())
	child.halt = halt
	c.mu.Lock()
	child.Event = c.of.tree.Len() - 1
	c.list = append(c.list, child)
	closed := c.closed
	c.mu.Unlock()
	if c.of.proc.reaper != nil {
		c.of.proc.reaper.also(child.Pid)
	}
	if closed {
		a.proc.kill()
	}
	child.follow(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.seen = append(c.seen, child)
		child.Number = len(c.seen)
	})
}

// known returns the children that have run code of the user.
func (c *children) known() []*Child {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.seen)
}

// close ends all children and removes the socket.
func (c *children) close() {
	c.mu.Lock()
	c.closed = true
	list := slices.Clone(c.list)
	c.mu.Unlock()
	c.cancel()
	_ = c.socket.Close()
	for _, child := range list {
		child.rec.proc.kill()
	}
	c.joined.Wait()
	for _, child := range c.list { // no other goroutine uses the list any more
		child.halt()
		_ = child.rec.Close()
	}
	_ = os.RemoveAll(c.dir)
}

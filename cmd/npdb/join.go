package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/mcp"
)

const joinAbout = `npdb join shows a session of npdb mcp on this terminal: what an agent debugs. You see
each command of the agent and where it leads, and you can run commands yourself. The agent's
next answer lists them. q leaves; the session goes on.

ID is the session's id, such as s1. Without ID, npdb joins the only open session, or lists all.
If several npdb mcp run, ID is PID:s1.`

// joinFlags contains the values of npdb join's command line.
type joinFlags struct{ alone bool }

func newJoinCommand(stop *cli.Stopper) *cobra.Command {
	var f joinFlags
	cmd := &cobra.Command{
		Use:   "join [flags] [ID]",
		Short: "Join a session of an agent on the screen",
		Long:  joinAbout,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case runtime.GOOS == "windows":
				return errors.New("join needs Linux or macOS")
			case len(args) == 0:
				args = []string{""}
			}
			return f.run(stop.Ctx, args[0])
		},
	}
	cmd.Flags().BoolVar(&f.alone, "take-over", false, "keep the session for yourself: the agent's calls are refused until you leave")
	return cmd
}

// joinMessage is a message between npdb join and npdb mcp, encoded as one line of JSON. npdb join first sends
// List or Join. After Join, npdb join sends Keys and Size, and npdb mcp sends Out and End.
type joinMessage struct {
	List     bool         `json:"list,omitempty"`
	Sessions []mcp.Listed `json:"sessions,omitempty"`

	Join *joining `json:"join,omitempty"`
	Keys []byte   `json:"keys,omitempty"` // bytes that the terminal sent
	Size *[2]int  `json:"size,omitempty"` // columns and rows of the terminal
	Out  []byte   `json:"out,omitempty"`  // bytes to write to the terminal
	End  *string  `json:"end,omitempty"`  // the screen has exited; End is a line to print, with the reason
	Fail bool     `json:"fail,omitempty"` // End is an error
}

// joining is a request to join a session. It describes the terminal.
type joining struct {
	ID      string               `json:"id"`
	Alone   bool                 `json:"alone,omitempty"`
	Env     []string             `json:"env"` // see terminalEnv
	Profile colorprofile.Profile `json:"profile"`
	Size    [2]int               `json:"size"`
}

// agentServer is a running npdb mcp process.
type agentServer struct {
	pid      int
	path     string
	sessions []mcp.Listed
}

// socketName is the format of a socket's name. The number is the process id of npdb mcp.
const socketName = "mcp-%d.sock"

// agentServers returns this user's running npdb mcp processes, with their sessions.
func agentServers() (list []agentServer, err error) {
	err = eachSocket(func(path, name string) (pid int) {
		s := agentServer{path: path}
		if _, err := fmt.Sscanf(name, socketName, &s.pid); err != nil {
			return 0
		}
		if s.sessions, err = s.list(); err == nil {
			list = append(list, s)
		}
		return s.pid
	})
	return list, err
}

// list requests the server's open sessions.
func (s *agentServer) list() ([]mcp.Listed, error) {
	to, err := net.Dial("unix", s.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = to.Close() }()
	_ = to.SetDeadline(time.Now().Add(joinPatience)) // it may be stopped
	if err := json.NewEncoder(to).Encode(joinMessage{List: true}); err != nil {
		return nil, err
	}
	var m joinMessage
	err = json.NewDecoder(to).Decode(&m)
	return m.Sessions, err
}

// choose returns the server and the id of the session with this name. Without a name it returns the only
// open session.
func choose(servers []agentServer, name string) (*agentServer, string, error) {
	var at []*agentServer
	var ids, lines []string
	for i := range servers {
		s := &servers[i]
		for _, l := range s.sessions {
			full := fmt.Sprintf("%d:%s", s.pid, l.Session)
			lines = append(lines, fmt.Sprintf("  %-12s %s, mode %s", full, l.Program, l.Mode))
			if name == "" || name == l.Session || name == full {
				at, ids = append(at, s), append(ids, l.Session)
			}
		}
	}
	switch {
	case len(lines) == 0:
		return nil, "", errors.New("no agent has a session open: npdb mcp opens one when its agent debugs something")
	case len(ids) == 1:
		return at[0], ids[0], nil
	case len(ids) == 0:
		return nil, "", fmt.Errorf("there is no session %q; open sessions:\n%s", name, strings.Join(lines, "\n"))
	}
	return nil, "", fmt.Errorf("several sessions are open: name one, as npdb join ID:\n%s", strings.Join(lines, "\n"))
}

func (f *joinFlags) run(ctx context.Context, name string) error {
	if !hasScreen() {
		return errors.New("join shows a session on the screen, which needs a terminal")
	}
	servers, err := agentServers()
	if err != nil {
		return err
	}
	s, id, err := choose(servers, name)
	if err != nil {
		return err
	}
	to, err := net.Dial("unix", s.path)
	if err != nil {
		return err
	}
	defer func() { _ = to.Close() }()
	defer context.AfterFunc(ctx, func() { _ = to.Close() })()
	columns, rows, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return err
	}
	asked := joining{ID: id, Alone: f.alone, Env: terminalEnv(), Profile: colorprofile.Detect(os.Stdout, os.Environ()), Size: [2]int{columns, rows}}
	send := json.NewEncoder(to)
	if err := send.Encode(joinMessage{Join: &asked}); err != nil {
		return err
	}
	end, err := relay(to, send)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil // a signal ends npdb; the caller reports it
	case err != nil:
		return fmt.Errorf("npdb mcp with process id %d has ended: %w", s.pid, err)
	case end.Fail:
		return errors.New(*end.End)
	}
	fmt.Println(cli.EscapeLines(*end.End))
	return nil
}

// terminalEnv returns the environment variables that describe the terminal.
func terminalEnv() (env []string) {
	for _, name := range []string{"TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "NO_COLOR", "TMUX", "STY", "WT_SESSION", "SSH_TTY", "LANG", "LC_ALL", "LC_CTYPE"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// resetTerminal resets the terminal after npdb mcp has ended without doing so. It leaves the alternate
// screen, shows the cursor, and turns off mouse reports, bracketed paste and key reports.
const resetTerminal = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?2027l\x1b[<u\x1b[>4m\x1b[?25h\x1b[?1049l\x1b[m"

// relay connects this terminal to the screen that npdb mcp draws, until the screen exits. It returns the
// message that has End.
func relay(to net.Conn, send *json.Encoder) (end *joinMessage, err error) {
	before, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		return nil, err
	}
	defer func() {
		if end == nil {
			fmt.Print(resetTerminal)
		}
		err = errors.Join(err, term.Restore(int(os.Stdin.Fd()), before))
	}()
	messages := make(chan joinMessage)
	gone := make(chan struct{})
	defer close(gone)
	// This goroutine ends only when npdb exits, because Read cannot be interrupted.
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := os.Stdin.Read(buf)
			if err != nil {
				return
			}
			select {
			case messages <- joinMessage{Keys: append([]byte{}, buf[:n]...)}:
			case <-gone:
				return
			}
		}
	}()
	defer watchSize(func() {
		if columns, rows, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			select {
			case messages <- joinMessage{Size: &[2]int{columns, rows}}:
			case <-gone:
			}
		}
	})()
	go func() {
		for {
			select {
			case m := <-messages:
				if err := send.Encode(m); err != nil {
					return // the loop that reads from the connection reports the error
				}
			case <-gone:
				return
			}
		}
	}()
	get := json.NewDecoder(to)
	for {
		var m joinMessage
		if err := get.Decode(&m); err != nil {
			return nil, err
		}
		if m.End != nil {
			return &m, nil
		}
		if _, err := os.Stdout.Write(m.Out); err != nil {
			return nil, err
		}
	}
}

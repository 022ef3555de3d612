package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/npdb/npdb/cmd/npdb/cli"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/mcp"
)

const mcpAbout = `npdb mcp lets a coding agent debug through the Model Context Protocol. The agent
starts it with a setting like this one, and sends requests to its standard input:

    {"mcpServers": {"npdb": {"command": "npdb", "args": ["mcp"]}}}

With --http it listens on this machine instead, and prints its address and a token that each
request must carry ("Authorization: Bearer TOKEN"). The environment variable NPDB_MCP_TOKEN
sets the token.

Programs that the agent debugs run with your permissions. With --contain they run in a sandbox:
without network, with their folder read-only, and with nothing of yours but that folder. In
mode neural nothing runs.`

// mcpFlags contains the values of npdb mcp's command line.
type mcpFlags struct {
	http     string
	patience time.Duration
	contain  bool
}

func newMCPCommand(stop *cli.Stopper) *cobra.Command {
	var f mcpFlags
	cmd := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Let a coding agent debug (Model Context Protocol)",
		Long:  mcpAbout,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return f.run(cmd, stop) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.http, "http", "", "loopback `address` to listen on, such as 127.0.0.1:0; without it npdb uses standard input and output")
	fs.DurationVar(&f.patience, "patience", 20*time.Second, "how long a call waits for its command by default: after this `time` it answers that the command still runs")
	fs.BoolVar(&f.contain, "contain", false, "run programs in a sandbox of bubblewrap (Linux)")
	config.AddFlags(fs)
	return cmd
}

// run serves agents until the agent closes standard input or a signal ends npdb.
func (f *mcpFlags) run(cmd *cobra.Command, stop *cli.Stopper) (err error) {
	c, err := config.Load(cmd.Flags(), config.Path())
	if err != nil {
		return err
	}
	cli.Warn(c)
	opens := &agentPrograms{loaded: c}
	if f.contain {
		opens.sandboxes = &sandboxes{}
		defer opens.sandboxes.close()
	}
	s := mcp.New(mcp.Config{Version: cli.Version(), Patience: f.patience, Open: opens.open})
	defer func() { err = errors.Join(err, s.Close()) }()
	if runtime.GOOS != "windows" {
		unjoined, err := (&host{server: s, config: c}).listen(stop.Ctx)
		if err != nil {
			fmt.Fprintln(os.Stderr, cli.EscapeLines("npdb mcp: npdb join will not work: "+err.Error()))
		} else {
			defer unjoined()
		}
	}
	if f.http != "" {
		return f.listen(stop.Ctx, s)
	}
	in := mcp.Messages(os.Stdin, func(err error) {
		fmt.Fprintln(os.Stderr, cli.EscapeLines("npdb mcp: a line of standard input was skipped, because it is no JSON-RPC message: "+err.Error()))
	})
	if err := s.Run(stop.Ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: os.Stdout}); err != nil && stop.Ctx.Err() == nil {
		return err
	}
	return nil
}

// listen serves agents by HTTP.
func (f *mcpFlags) listen(ctx context.Context, s *mcp.Server) error {
	host, _, err := net.SplitHostPort(f.http)
	if err != nil {
		return fmt.Errorf("--http %s: give an address and a port, such as 127.0.0.1:0", f.http)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("--http %s: npdb mcp runs programs for whoever reaches it, so it listens on this machine only: give 127.0.0.1 or localhost", f.http)
	}
	token := os.Getenv("NPDB_MCP_TOKEN")
	if token == "" {
		token = rand.Text()
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.http)
	if err != nil {
		return fmt.Errorf("npdb mcp cannot listen on %s: %w", f.http, err)
	}
	server := &http.Server{Handler: s.Handler(token), ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	fmt.Printf("npdb mcp listens on http://%s, token %s\n", l.Addr(), token)
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

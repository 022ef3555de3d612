package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
)

// Listen opens a TCP address, such as "127.0.0.1:8000" (port 0 selects a free one). It refuses an
// address that other machines can reach, unless anywhere is true; then warning explains the risk.
// An address without a host is reachable only from this machine, unless anywhere is true.
func Listen(ctx context.Context, address string, anywhere bool) (l net.Listener, warning string, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", fmt.Errorf("%q is not an address to listen on, such as 127.0.0.1:8000: %w", address, err)
	}
	if host == "" && !anywhere {
		host = "127.0.0.1"
	}
	found, err := net.DefaultResolver.LookupIPAddr(ctx, orAll(host))
	if err != nil {
		return nil, "", fmt.Errorf("%s is not an address of this machine: %w", host, err)
	}
	local := true
	for _, at := range found {
		local = local && at.IP.IsLoopback()
	}
	if !local {
		if !anywhere {
			return nil, "", fmt.Errorf("%s can be reached from other machines, and the server runs the programs it is sent: "+
				"listen on 127.0.0.1, or say that any address is meant", host)
		}
		warning = "listening on " + net.JoinHostPort(host, port) + ": whoever can reach this address can have programs run on this machine. " +
			"Give a key, and keep the address behind a firewall"
	}
	var config net.ListenConfig
	l, err = config.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if errors.Is(err, syscall.EADDRINUSE) {
		err = fmt.Errorf("another server listens on %s already: --listen %s takes a free port (%w)",
			net.JoinHostPort(host, port), net.JoinHostPort(host, "0"), err)
	}
	return l, warning, err
}

func orAll(host string) string {
	if host == "" {
		return "0.0.0.0"
	}
	return host
}

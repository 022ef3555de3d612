package session_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// network is one host of an in-memory network, so that a test's clock stands still while
// data arrives. It is a net.Listener.
type network struct {
	name    string
	conns   chan net.Conn
	closed  chan struct{}
	failing atomic.Pointer[error] // error of new connections; nil for none
	secure  atomic.Pointer[tls.Config]
	dialled atomic.Int64
}

// proxyPort is the port at which a host is its own proxy.
const proxyPort = "3128"

// networks contains the hosts by name.
var networks sync.Map

func newNetwork(name string) *network {
	n := &network{name: name, conns: make(chan net.Conn), closed: make(chan struct{})}
	networks.Store(name, n)
	return n
}

// dial connects to a host in memory, as a transport's DialContext.
func dial(ctx context.Context, _, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	found, ok := networks.Load(host)
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	n := found.(*network)
	n.dialled.Add(1)
	if failing := n.failing.Load(); failing != nil {
		if errors.Is(*failing, errSilent) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return nil, *failing
	}
	here, there := net.Pipe()
	reset := &atomic.Bool{}
	var server net.Conn = &wire{there, reset}
	if port != proxyPort {
		server = n.wrapped(server)
	}
	select {
	case n.conns <- server:
		return &wire{here, reset}, nil
	case <-n.closed:
		return nil, refusal
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wrapped returns a connection in the host's form.
func (n *network) wrapped(c net.Conn) net.Conn {
	if own := n.secure.Load(); own != nil {
		return tls.Server(c, own)
	}
	return c
}

// Errors of connections.
var (
	errSilent = errors.New("nothing comes back")
	refusal   = error(&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)})
	noRoute   = error(&net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.EHOSTUNREACH)})
)

// unresolved returns a resolver's error for an unknown host.
func unresolved(host string) error {
	r := net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, noRoute }}
	_, err := r.LookupHost(context.Background(), host)
	return &net.OpError{Op: "dial", Net: "tcp", Err: err}
}

// Accept waits for the next connection.
func (n *network) Accept() (net.Conn, error) {
	select {
	case c := <-n.conns:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (n *network) Close() error {
	networks.Delete(n.name)
	close(n.closed)
	return nil
}

// Addr returns the host.
func (n *network) Addr() net.Addr { return &net.UnixAddr{Name: n.name, Net: "memory"} }

// wire is one end of a connection.
type wire struct {
	net.Conn
	reset *atomic.Bool // instead of closing it
}

// Reset breaks the connection, like a process that dies.
func (w *wire) Reset() {
	w.reset.Store(true)
	w.Close()
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	return n, w.failed("read", err)
}

func (w *wire) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	return n, w.failed("write", err)
}

func (w *wire) failed(op string, err error) error {
	if err != nil && w.reset.Load() {
		return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(op, syscall.ECONNRESET)}
	}
	return err
}

// inMemory makes predictors connect in memory until the test ends. Hosts whose names begin
// with "proxied" are reached through a proxy. It returns the servers' TLS configuration.
func inMemory(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	// A test's clock begins in 2000.
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"*.test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(certificate)
	before := http.DefaultTransport
	own := before.(*http.Transport).Clone()
	own.DialContext = dial
	own.TLSClientConfig = &tls.Config{RootCAs: trusted}
	own.Proxy = func(r *http.Request) (*url.URL, error) {
		if !strings.HasPrefix(r.URL.Hostname(), "proxied") {
			return nil, nil
		}
		return url.Parse(fmt.Sprintf("http://npdb:%s@%s", proxyPassword, net.JoinHostPort(r.URL.Hostname(), proxyPort)))
	}
	http.DefaultTransport = own
	t.Cleanup(func() { http.DefaultTransport = before })
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

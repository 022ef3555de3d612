package live

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/dsl"
	"github.com/npdb/npdb/dsl/vectors"
)

// The environment variables with the paths of the servers' programs.
const (
	llamaServer   = "NPDB_TEST_LLAMA_SERVER"
	ollamaProgram = "NPDB_TEST_OLLAMA"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// program returns the path in an environment variable. If the variable is not set, program skips
// the test.
func program(t testing.TB, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Skip(variable + " names no program: .ci/servers builds one")
	}
	return path
}

// freePort returns a port of this machine that is not in use.
func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// run starts a server, waits until it prints the text ready on its standard error, and stops it
// after the test.
func run(t testing.TB, ready string, c *exec.Cmd) {
	t.Helper()
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	up, over := make(chan bool, 1), make(chan struct{})
	var log strings.Builder // read only after over is closed
	go func() {
		defer close(over)
		for lines := bufio.NewReader(said); ; {
			line, err := lines.ReadString('\n')
			log.WriteString(line)
			if strings.Contains(line, ready) {
				select {
				case up <- true:
				default:
				}
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		if c.Process.Signal(os.Interrupt) != nil { // on an interrupt Ollama also stops its runners
			c.Process.Kill()
		}
		<-over
		c.Wait()
		if said := log.String(); t.Failed() {
			t.Logf("%s ended with: %s", c.Path, said[max(0, len(said)-2000):])
		}
	})
	select {
	case <-up:
	case <-over:
		t.Fatalf("%s ended before it was ready", c)
	case <-t.Context().Done():
		t.Fatalf("%s did not get ready", c)
	}
}

// llama starts llama-server with a model and returns its address.
func llama(t testing.TB, model string, options ...string) string {
	t.Helper()
	port := freePort(t)
	args := append([]string{"-m", model, "--host", "127.0.0.1", "--port", port, "-t", "2", "--no-ui", "-np", "1"}, options...)
	run(t, "listening on http", exec.Command(program(t, llamaServer), args...)) //nolint:gosec // a test's
	return "http://127.0.0.1:" + port + "/v1"
}

// ollama starts Ollama with a model named npdb-test and returns its address.
func ollama(t testing.TB, model, modelfile string) string {
	t.Helper()
	path, home, port := program(t, ollamaProgram), t.TempDir(), freePort(t)
	env := append(os.Environ(), "HOME="+home, "OLLAMA_HOST=127.0.0.1:"+port, "OLLAMA_MODELS="+filepath.Join(home, "models"))
	c := exec.Command(path, "serve") //nolint:gosec // a test's
	c.Env = env
	run(t, "Listening on", c)
	file := filepath.Join(home, "Modelfile")
	if err := os.WriteFile(file, []byte("FROM "+model+"\n"+modelfile), 0o600); err != nil {
		t.Fatal(err)
	}
	create := exec.CommandContext(t.Context(), path, "create", "npdb-test", "-f", file) //nolint:gosec // a test's
	create.Env = env
	if said, err := create.CombinedOutput(); err != nil {
		t.Fatalf("ollama create: %v\n%s", err, said)
	}
	return "http://127.0.0.1:" + port + "/v1"
}

// asking returns a predictor that sends requests to the server at base.
func asking(t testing.TB, base string, change func(*openai.Config)) *openai.Predictor {
	t.Helper()
	c := openai.Config{BaseURL: base, Logprobs: true}
	if change != nil {
		change(&c)
	}
	p, err := openai.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// carried exports the model in npdb's binary to a GGUF file whose matrices have the type kind.
func carried(t testing.TB, kind string) string {
	t.Helper()
	if os.Getenv(ollamaProgram) == "" {
		program(t, llamaServer) // without a server there is no use for the file
	}
	path := filepath.Join(t.TempDir(), kind+".gguf")
	export := exec.CommandContext(t.Context(), "python3", "-m", "lab.train.export", "backend/embedded/model.npdb", path, "--to", "gguf", "--type", kind) //nolint:gosec // a test's
	export.Dir = filepath.Join("..", "..")
	if python := os.Getenv("NPDB_TEST_NUMPY"); python != "" {
		export.Args[0], export.Path = python, python
	}
	if said, err := export.CombinedOutput(); err != nil {
		t.Fatalf("the carried model is exported by a python3 with NumPy (NPDB_TEST_NUMPY names one): %v\n%s", err, said)
	}
	return path
}

// posed is a request of a walk, with the true reply.
type posed struct {
	backend.Question
	want dsl.Reply
}

// walked returns the requests of the walks of dsl/vectors, in order.
func walked(t testing.TB) []posed {
	t.Helper()
	var all []posed
	for _, v := range vectors.All() {
		last, _, err := dsl.ND1.Read(v.Wire)
		if err != nil {
			t.Fatal(err)
		}
		from := len(all)
		for n := last; n.Parent() != nil; n = n.Parent() {
			if s, ok := n.Step(); ok && s.Action.Move != 0 {
				all = append(all, posed{backend.Question{At: n.Parent(), Action: s.Action}, s.Reply})
			}
		}
		slices.Reverse(all[from:])
	}
	return all
}

// post sends a request to a server directly, without npdb.
func post(t testing.TB, url, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	got, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	said, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

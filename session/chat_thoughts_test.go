package session_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/session"
	"github.com/npdb/npdb/session/nav"
	"github.com/npdb/npdb/trace"
)

// TestThoughtsOfNoState checks that a model's reasoning is shown also for an invalid
// reply, because it may explain it.
func TestThoughtsOfNoState(t *testing.T) {
	const declines = `{"outcome":"unknown","event":null,"line":null,"function":null,"stack":null,"locals":[],"names":null,"kind":null,"value":null,"exit_code":null}`
	for name, said := range map[string]string{
		"it declines":            fmt.Sprintf(`{"message":{"reasoning":"the file is not shown","content":%q},"finish_reason":"stop"}`, declines),
		"it only thinks":         `{"message":{"reasoning":"the file is not shown","content":""},"finish_reason":"length"}`,
		"its answer is no state": `{"message":{"reasoning":"the file is not shown","content":"{}"},"finish_reason":"stop"}`,
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				io.WriteString(w, `{"choices":[`+said+`],"usage":{"completion_tokens":5}}`)
			}))
			t.Cleanup(server.Close)
			p, err := openai.New(openai.Config{BaseURL: server.URL, Model: "nd", Dialect: openai.Chat, MaxTokens: 5, Retries: -1})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "prog.py")
			if err := os.WriteFile(path, []byte(neuralSource), 0o600); err != nil {
				t.Fatal(err)
			}
			s := started(t, session.Config{
				Options: trace.Options{Script: path}, Neural: &nav.Neural{Predictor: p},
			})
			s.First(t.Context())
			run(s, "n")
			if raw := run(s, "raw"); !strings.Contains(raw, "<think>\nthe file is not shown") {
				t.Errorf("raw shows %s", raw)
			}
		})
	}
}

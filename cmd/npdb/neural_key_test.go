//go:build unix

package main

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Credentials with characters that are escaped in addresses and JSON.
const (
	secretKey    = `sk-sEcr+t/42&<"x`
	secretHeader = "h3ad3r-s3cr3t"
	secretUser   = "us3r-s3cr3t"
	secretWord   = "p4ss-s3cr3t"
)

// TestKeysAppearNowhere lets a server repeat the key in every possible part of its
// responses, and searches for the key in everything that npdb writes.
func TestKeysAppearNowhere(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) string {
		sent := r.Header.Get("Authorization")
		w.Header().Set("X-Echo", sent)
		key := strings.TrimPrefix(sent, "Bearer ")
		return fmt.Sprintf("%s %s %s %q %s", sent, r.Header.Get("X-Token"), url.QueryEscape(key), key, jsonString(key))
	}
	masked := func(r *http.Request) string { return r.Header.Get("Authorization")[len("Bearer "):][:6] + "******x" }
	inJSON := func(status int, format string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			said := fmt.Sprintf(format, jsonString(echo(w, r)+" key "+masked(r)))
			w.WriteHeader(status)
			fmt.Fprint(w, said)
		}
	}
	text := func(status int, kind, format string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			said := fmt.Sprintf(format, echo(w, r))
			w.WriteHeader(status)
			fmt.Fprint(w, said)
		}
	}
	answers := []http.HandlerFunc{
		inJSON(401, `{"error":{"message":%s,"type":"invalid_request_error"}}`),
		inJSON(403, `{"error":%s}`),
		inJSON(404, `{"error":{"message":%s,"type":"NotFoundError"}}`),
		inJSON(400, `{"object":"error","message":%s,"type":"BadRequestError","code":400}`),
		inJSON(400, `{"error":{"message":%[1]s,"type":%[1]s,"param":%[1]s,"code":%[1]s}}`),
		inJSON(500, `{"detail":%s}`),
		inJSON(200, `{"error":{"message":%s,"code":500}}`),
		text(200, "text/event-stream", "data: {\"error\":{\"message\":\"%s\",\"code\":500}}\n\n"),
		text(200, "text/event-stream", "data: %s\n\n"),
		text(200, "text/html", "<html>%s</html>"),
		text(502, "text/plain", "%s"),
		func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://"+secretUser+":"+secretWord+"@elsewhere/?key="+url.QueryEscape(echo(w, r)))
			w.WriteHeader(307)
		},
	}
	// The key in the model's text: in a state, in prose, in a list of models.
	replies := []http.HandlerFunc{
		func(w http.ResponseWriter, r *http.Request) {
			value := strings.ReplaceAll(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+" "+r.Header.Get("X-Token"), `"`, `\"`)
			says(`<|line_sep|>{"x": "'`+value+`'"}<|action_sep|>2|y = 2`+"\n<|frame_sep|>", "stop")(w, r)
		},
		func(w http.ResponseWriter, r *http.Request) { says("You sent "+echo(w, r), "stop")(w, r) },
		func(w http.ResponseWriter, r *http.Request) { says("You sent "+echo(w, r), "length")(w, r) },
		func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/models" {
				fmt.Fprintf(w, `{"data":[{"id":%s}]}`, jsonString("nd "+echo(w, r)))
				return
			}
			right(w, r)
		},
	}
	for turn, how := range []string{"variable", "file", "configuration", "address"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			m := newModel(t, true)
			home := t.TempDir()
			write := func(name, text string) string {
				path := filepath.Join(home, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			base := "http://" + m.address + "/v1"
			env := []string{"NPDB_MODEL=nd", "NPDB_RETRIES=0"}
			held := "[model]\nheaders = ['X-Token: " + secretHeader + "']\n"
			switch how {
			case "variable":
				env = append(env, "OPENAI_API_KEY="+secretKey)
			case "file":
				env = append(env, "NPDB_KEY_FILE="+write("key", secretKey+"\n"))
			case "configuration":
				held += "key = '" + secretKey + "'\n"
			case "address":
				base = "http://" + secretUser + ":" + secretWord + "@" + m.address + "/v1"
			}
			env = append(env, "NPDB_BASE_URL="+base)
			config := write(".config/npdb/config.toml", held)
			program := write("prog.py", predictedProgram)

			var written strings.Builder // everything that npdb writes, together with the files below home
			for _, ui := range []string{"--plain", "--json"} {
				m.set(right)
				s := talkTo(t, home, npdbCommand(t, home, env, ui, program))
				ask := func(line string) string {
					if ui == "--json" {
						s.send(t, line)
						return s.line(t)
					}
					return s.plain(t, line)
				}
				if ui == "--json" {
					s.line(t)
				}
				for i, does := range answers {
					m.set(does)
					if got := ask("n"); !strings.Contains(got, m.address) {
						t.Errorf("answer %d: %s", i, got)
					}
					ask("raw")
					ask("info prog")
				}
				for _, does := range replies {
					m.set(does)
					ask("n")
					ask("raw")
					ask("info prog")
					ask("retry")
				}
				m.set(right)
				ask("n")
				s.quit(t)
				written.WriteString(s.said.String() + s.stderr.String())
			}
			for i, does := range slices.Concat(answers, replies) {
				m.set(does)
				args := [][]string{{"doctor", "model"}, {"doctor", "--json", "model", "configuration"}, {"--entry", "f(_)", program}}[(i+turn)%3]
				out, _ := npdbCommand(t, home, env, args...).CombinedOutput() // npdb fails here, as expected
				if len(out) == 0 {
					t.Errorf("answer %d: npdb %v says nothing", i, args)
				}
				written.Write(out)
			}
			m.set(replies[3])
			out, _ := npdbCommand(t, home, append(env[1:len(env):len(env)], "NPDB_MODEL="), "doctor").CombinedOutput() // with the name from the server's list
			written.Write(out)
			for _, args := range [][]string{{"config"}, {"--resume", program}, {"--max-tokens", "none", program}} {
				out, _ := npdbCommand(t, home, env, args...).CombinedOutput()
				written.Write(out)
			}
			m.server.Close()
			out, _ = npdbCommand(t, home, env, "doctor", "--json").CombinedOutput()
			written.Write(out)

			files := 0
			err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || path == config || filepath.Base(path) == "key" {
					return err
				}
				files++
				text, err := os.ReadFile(path)
				written.Write(text)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if files < 2 {
				t.Errorf("%d files under npdb's home: a journal should be there", files)
			}
			for _, secret := range []string{
				"sk-sEc", secretKey, url.QueryEscape(secretKey)[3:], secretHeader, secretUser, secretWord,
				base64.StdEncoding.EncodeToString([]byte(secretUser + ":" + secretWord)),
			} {
				if i := strings.Index(written.String(), secret); i >= 0 {
					t.Errorf("%s appears:\n…%s", secret, written.String()[max(i-200, 0):min(i+100, written.Len())])
				}
			}
		})
	}
}

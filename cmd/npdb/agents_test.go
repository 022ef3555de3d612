//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/npdb/npdb/backend/embedded"
	"github.com/npdb/npdb/internal/pythons"
)

// agents prepares the example agents in a new folder, with npdb on the PATH. It returns a function that makes
// commands in their folder.
func agents(t *testing.T, env ...string) func(program string, args ...string) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	folder := filepath.Join(home, "agents")
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("..", "..", "examples", "agents"))); err != nil {
		t.Fatal(err)
	}
	bank, err := os.ReadFile(filepath.Join("..", "..", "examples", "bank.py"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "bank.py"), bank, 0o600); err != nil {
		t.Fatal(err)
	}
	npdb, python := npdbCommand(t, home, nil).Path, pythons.Any(t)
	path := filepath.Dir(npdb) + string(os.PathListSeparator) + filepath.Dir(python) + string(os.PathListSeparator) + os.Getenv("PATH")
	return func(program string, args ...string) *exec.Cmd {
		if program == "python3" {
			program = python
		}
		cmd := exec.Command(program, args...)
		cmd.Dir = folder
		cmd.Env = append([]string{"HOME=" + home, "PATH=" + path, "NPDB_PYTHON=" + python, "GORACE=atexit_sleep_ms=0", "PYTHONDONTWRITEBYTECODE=1"}, env...)
		return cmd
	}
}

// TestAgentsPage plays the sessions of examples/agents/README.md.
func TestAgentsPage(t *testing.T) {
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "examples", "agents", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	sessions := regexp.MustCompile("(?s)```console\n\\$ (.*?)\n(.*?)```\n").FindAllSubmatch(page, -1)
	if len(sessions) != 4 {
		t.Fatalf("the page has %d sessions, not four", len(sessions))
	}
	findbug := filepath.Join(t.TempDir(), "findbug")
	if said, err := exec.Command("go", "build", "-o", findbug, "../../examples/agents/findbug").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	command := agents(t)
	for _, session := range sessions {
		line := strings.Replace(string(session[1]), "go run ./findbug", findbug, 1)
		words := strings.Fields(line)
		said, err := command(words[0], words[1:]...).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v", session[1], err)
		}
		if string(said) != string(session[2]) {
			t.Errorf("%s prints\n%s\nthe page says\n%s", session[1], said, session[2])
		}
	}
	said, err := command("python3", "self_repair.py", "--scripted", "--run").CombinedOutput()
	if err != nil || !strings.Contains(string(said), "CPython and the model agree.") {
		t.Errorf("--run: %v\n%s", err, said)
	}
}

// TestFindBugCalls checks that both agents find the wrong line of bank.py in at most six calls, and print the
// same.
func TestFindBugCalls(t *testing.T) {
	findbug := filepath.Join(t.TempDir(), "findbug")
	if said, err := exec.Command("go", "build", "-o", findbug, "../../examples/agents/findbug").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	command := agents(t)
	raises := filepath.Join(t.TempDir(), "raises.py")
	if err := os.WriteFile(raises, []byte("def half(n, d):\n    return n / d\n\nd = 3 - 3\nrates = [4, d]\nhalf(1, rates[1])\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{"../bank.py": "The wrong line is bank.py:42 balances[target] = received", raises: "The wrong line is raises.py:4 d = 3 - 3"} {
		var said [2]string
		for k, words := range [][]string{{"python3", "find_bug.py"}, {findbug}} {
			out, err := command(words[0], append(words[1:], program)...).CombinedOutput()
			if err != nil {
				t.Errorf("%v: %v", words, err)
			}
			said[k] = string(out)
		}
		if !strings.Contains(said[0], want) || said[0] != said[1] || strings.Contains(said[0], "\n7. ") {
			t.Errorf("%s: find_bug.py prints\n%s\nfindbug prints\n%s", program, said[0], said[1])
		}
	}
}

// TestFindBugWaits checks that both agents wait for a program that runs longer than a call of npdb's waits.
func TestFindBugWaits(t *testing.T) {
	findbug := filepath.Join(t.TempDir(), "findbug")
	if said, err := exec.Command("go", "build", "-o", findbug, "../../examples/agents/findbug").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	command := agents(t)
	folder := t.TempDir()
	slow, wrapper := filepath.Join(folder, "slow.py"), filepath.Join(folder, "impatient")
	if err := os.WriteFile(slow, []byte("for n in range(20_000):\n    pass\nzero = 0\nprint(1 / zero)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(wrapper, []byte("#!/bin/sh\nexec npdb \"$@\" --patience 5ms\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{{"python3", "find_bug.py", "--npdb", wrapper}, {findbug, "-npdb", wrapper}} {
		out, err := command(words[0], append(words[1:], slow)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "move action=wait") || !strings.Contains(string(out), "The wrong line is slow.py:4 print(1 / zero)") {
			t.Errorf("%v: %v\n%s", words, err, out)
		}
	}
}

// writer answers a chat with the drafts in turn, and keeps the requests.
func writer(t *testing.T, asked *[]string, drafts ...string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.URL.Path != "/v1/chat/completions" || len(drafts) == 0 {
			http.Error(w, "unexpected", http.StatusBadRequest)
			return
		}
		*asked = append(*asked, body.Messages[len(body.Messages)-1].Content)
		fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%s}}]}`, jsonString("Here it is:\n```python\n"+drafts[0]+"```\n"))
		drafts = drafts[1:]
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// world predicts that draft 1 returns 1 for each call, and that draft 2 returns the wanted value, whatever their
// source is.
func world(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/v1/models" {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"nd","object":"model","max_model_len":4096}]}`)
		return
	}
	var body struct{ Prompt string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, "unexpected", http.StatusBadRequest)
		return
	}
	_, action, _ := strings.Cut(body.Prompt[strings.LastIndex(body.Prompt, "<|debug_sep|>"):], ">")
	action, _, _ = strings.Cut(action, "<")
	action, _, _ = strings.Cut(action, " ")
	call, value := "result = mean([4, -2, 4])", "1"
	values := "[4, -2, 4]"
	if strings.Contains(body.Prompt, "result = mean([-5])") {
		call, values = "result = mean([-5])", "[-5]"
	}
	if strings.Contains(body.Prompt, "draft_two") {
		value = map[string]string{"[-5]": "0"}[values] + map[string]string{"[4, -2, 4]": "4"}[values]
	}
	reply := map[string]string{
		"step_over":       `<|return_sep|>{"result": "` + value + `"}<|action_sep|>5|` + call + "\n" + `<|arg_sep|>"None"<|frame_sep|>`,
		"breakpoint":      `<|line_sep|><|stack_sep|>[["<module>", 5]]{}<|action_sep|>5|` + call + "\n<|frame_sep|>",
		"step_into":       `<|call_sep|><|stack_sep|>"mean"{"values": "` + values + `"}<|action_sep|>1|def mean(values):` + "\n<|frame_sep|>",
		"step_return":     `<|return_sep|>{"values": ".."}<|action_sep|>2|    return draft_one(values)` + "\n" + `<|arg_sep|>"1"<|frame_sep|>`,
		"inv_step_over":   `<|line_sep|>{"values": ".."}<|action_sep|>2|    return draft_one(values)` + "\n<|frame_sep|>",
		"inv_step_return": `<|call_sep|>{"values": ".."}<|action_sep|>1|def mean(values):` + "\n<|frame_sep|>",
	}[action]
	says(reply, "stop")(w, r)
}

// TestSelfRepairLoop lets a scripted chat model write, and a scripted model predict. CPython would raise
// NameError for each draft, so the loop follows the predictions alone.
func TestSelfRepairLoop(t *testing.T) {
	m := newModel(t, true)
	m.set(world)
	var asked []string
	url := writer(t, &asked, "def mean(values)\n", "def mean(values):\n    return draft_one(values)\n", "def mean(values):\n    return draft_two(values)\n")
	command := agents(t, "NPDB_BASE_URL=http://"+m.address+"/v1", "NPDB_DIALECT=nd1")
	said, err := command("python3", "self_repair.py", "--url", url, "--model", "any").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, want := range []string{
		"gives 1 [predicted", "MEND: mean([4, -2, 4]) gives 1 instead of 4. It ends in line 2, return draft_one(values), with values = [4, -2, 4]",
		"It was called with: values = [4, -2, 4]", "mean([-5]) gives 0 [predicted", "All examples are predicted right. Nothing ran.",
	} {
		if !strings.Contains(string(said), want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if len(asked) != 3 || !strings.Contains(asked[1], "does not parse") || !strings.Contains(asked[2], "gives 1 instead of 4") {
		t.Errorf("the writer was asked %q", asked)
	}
}

// TestSelfRepairGivesUp checks that the loop ends after some drafts, with exit code 1, and reports a server that
// is not there.
func TestSelfRepairGivesUp(t *testing.T) {
	if !embedded.HasModel() {
		t.Skip("this build carries no model")
	}
	var asked []string
	bad := "def mean(values):\n    return 7\n"
	url := writer(t, &asked, bad, bad)
	command := agents(t)
	said, err := command("python3", "self_repair.py", "--url", url, "--rounds", "2").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "No draft of 2 was predicted right.") {
		t.Errorf("%v\n%s", err, said)
	}
	said, err = command("python3", "self_repair.py", "--url", url, "--rounds", "2").CombinedOutput() // has no more drafts
	if err == nil || !strings.Contains(string(said), "HTTPError") || strings.Contains(string(said), "Traceback") {
		t.Errorf("%v\n%s", err, said)
	}
}

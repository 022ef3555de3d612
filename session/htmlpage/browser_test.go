//go:build unix

package htmlpage

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var pictures = flag.String("pictures", "", "`folder` for pictures of the pages")

// chromium is a browser that is driven by its DevTools protocol, over a pair of pipes.
type chromium struct {
	to   *os.File
	from *bufio.Reader
	last int // id of the last request
}

// browser is a window of a Chromium.
type browser struct {
	*chromium
	t       *testing.T
	session string
	said    []string // what its page logs and requests
}

// openChromium starts the Chromium that NPDB_CHROMIUM names, or skips the test.
func openChromium(t *testing.T) *chromium {
	t.Helper()
	path := os.Getenv("NPDB_CHROMIUM")
	if path == "" {
		t.Skip("NPDB_CHROMIUM names no Chromium to show the page")
	}
	theirIn, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "npdb-chromium")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
		"--no-first-run", "--user-data-dir="+profile, "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirIn.Close()
	_ = theirOut.Close()
	t.Cleanup(func() {
		_ = to.Close() // it ends
		_ = cmd.Wait()
		_ = from.Close()
		_ = os.RemoveAll(profile) // its processes may still write there
	})
	return &chromium{to: to, from: bufio.NewReader(from)}
}

// window opens a window for a test.
func (c *chromium) window(t *testing.T) *browser {
	t.Helper()
	b := &browser{chromium: c, t: t}
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	t.Cleanup(func() {
		b.session = ""
		b.call("Target.closeTarget", map[string]any{"targetId": target.TargetID}, nil)
	})
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{
		"source": "window.violations = []; document.addEventListener('securitypolicyviolation', (e) => violations.push(e.violatedDirective))",
	}, nil)
	return b
}

// call sends a request and waits for its response. What the page logs and requests meanwhile is kept.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.last++
	request := map[string]any{"id": b.last, "method": method}
	if params != nil {
		request["params"] = params
	}
	if b.session != "" {
		request["sessionId"] = b.session
	}
	raw, err := json.Marshal(request)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(raw, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		raw, err := b.from.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: the browser has gone: %v", method, err)
		}
		var m struct {
			ID     int
			Method string
			Result json.RawMessage
			Error  json.RawMessage
			Params json.RawMessage
		}
		if err := json.Unmarshal(raw[:len(raw)-1], &m); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case m.Method == "Runtime.exceptionThrown", m.Method == "Log.entryAdded", m.Method == "Runtime.consoleAPICalled":
			b.said = append(b.said, string(m.Params))
		case m.Method == "Network.requestWillBeSent" && !strings.Contains(string(m.Params), `"type":"Document"`):
			b.said = append(b.said, string(m.Params))
		case m.ID == b.last && m.Error != nil:
			b.t.Fatalf("%s: %s", method, m.Error)
		case m.ID == b.last && result == nil:
			return
		case m.ID == b.last:
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
			return
		}
	}
}

// eval evaluates an expression in the page.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails)
	}
	return r.Result.Value
}

// size sets the size of the window, and whether the user prefers dark colors.
func (b *browser) size(width, height int, dark bool) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}, nil)
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.settle()
}

// show opens a page and waits until it shows the recording.
func (b *browser) show(page string) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	said := b.eval(`new Promise((done) => {
		const look = () => (document.page || document.getElementById('message')?.textContent ? done(document.getElementById('message').textContent) : setTimeout(look, 5));
		look();
	})`)
	if said != "" {
		b.t.Fatalf("the page says %v", said)
	}
}

// settle waits until the page has drawn what it was told.
func (b *browser) settle() {
	b.t.Helper()
	b.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
}

// press types keys, each a character or a name.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		down := map[string]any{"type": "keyDown", "key": key}
		if len([]rune(key)) == 1 {
			down["text"] = key
		} else if key == "Enter" {
			down["text"] = "\r"
		}
		b.call("Input.dispatchKeyEvent", down, nil)
		b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
	}
	b.settle()
}

// point returns a point of an element, as shares of its width and height.
func (b *browser) point(selector string, x, y float64) (float64, float64) {
	b.t.Helper()
	raw, err := json.Marshal([]any{selector, x, y})
	if err != nil {
		b.t.Fatal(err)
	}
	at, ok := b.eval("(([s, x, y]) => { const r = document.querySelector(s).getBoundingClientRect(); return [r.left + x * r.width, r.top + y * r.height]; })(" + string(raw) + ")").([]any)
	if !ok {
		b.t.Fatalf("no %s", selector)
	}
	return at[0].(float64), at[1].(float64)
}

// mouse makes a mouse event at a point of an element.
func (b *browser) mouse(kind, selector string, x, y float64) {
	b.t.Helper()
	px, py := b.point(selector, x, y)
	b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": px, "y": py, "button": "left", "buttons": 1, "clickCount": 1}, nil)
}

func (b *browser) click(selector string) {
	b.t.Helper()
	b.mouse("mousePressed", selector, .5, .5)
	b.mouse("mouseReleased", selector, .5, .5)
	b.settle()
}

// picture saves what the window shows, if pictures are wanted.
func (b *browser) picture(name string) {
	b.t.Helper()
	if *pictures == "" {
		return
	}
	var shot struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictures, name+".png"), raw, 0o600)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// quiet checks that the page asked for nothing, logged nothing and met no rule of its policy.
func (b *browser) quiet() {
	b.t.Helper()
	if n := b.eval("violations.length"); n != 0.0 {
		b.t.Errorf("violations of the policy: %v", b.eval("violations.join()"))
	}
	for _, said := range b.said {
		b.t.Errorf("the page said: %s", said)
	}
	b.said = nil
}

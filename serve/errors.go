package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// apiError is an error in the format of vLLM's servers.
type apiError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    int     `json:"code"`

	after time.Duration // value of the header Retry-After; 0 for none
}

func (e *apiError) Error() string { return e.Message }

func badRequest(param, format string, args ...any) *apiError {
	e := &apiError{Message: fmt.Sprintf(format, args...), Type: "BadRequestError", Code: http.StatusBadRequest}
	if param != "" {
		e.Param = &param
	}
	return e
}

func noModel(name string) *apiError {
	param := "model"
	return &apiError{Message: "The model `" + name + "` does not exist.", Type: "NotFoundError", Param: &param, Code: http.StatusNotFound}
}

// statusError returns an error with the standard text of an HTTP status.
func statusError(status int) *apiError {
	return &apiError{Message: http.StatusText(status), Type: http.StatusText(status), Code: status}
}

// busy returns an error that asks the client to retry later.
func busy(message string) *apiError {
	e := statusError(http.StatusServiceUnavailable)
	e.Message, e.after = message, time.Second
	return e
}

func internal(format string, args ...any) *apiError {
	return &apiError{Message: fmt.Sprintf(format, args...), Type: "InternalServerError", Code: http.StatusInternalServerError}
}

// tooLong returns vLLM's error for a prompt and answer that do not fit into the window.
func tooLong(window, prompt, most int) *apiError {
	if prompt >= window {
		return badRequest("", "This model's maximum context length is %d tokens. However, your request has %d input tokens. "+
			"Please reduce the length of the input messages.", window, prompt)
	}
	return badRequest("", "'max_tokens' or 'max_completion_tokens' is too large: %d. This model's maximum context length is %d tokens "+
		"and your request has %d input tokens (%d > %d - %d).", most, window, prompt, most, window, prompt)
}

func (e *apiError) write(w http.ResponseWriter) {
	if e.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int((e.after+time.Second-1)/time.Second)))
	}
	if e.Code == http.StatusUnauthorized { // vLLM's body for this status, which is not an error object
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeJSON(w, e.Code, map[string]string{"error": "Unauthorized"})
		return
	}
	writeJSON(w, e.Code, map[string]*apiError{"error": e})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	hurry(w)
	w.WriteHeader(status)
	_, _ = w.Write(marshal(v))
}

// hurry gives the client one minute to read the next write, so that a client that does not read
// cannot block the server.
func hurry(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute)) // other ResponseWriters may not support deadlines
}

// marshal returns JSON in which < is not escaped, like that of other servers.
func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // all responses can be encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

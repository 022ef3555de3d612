package serve

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

func (s *Server) version(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"version": s.config.Version})
}

// listedModel describes a model in the format of /v1/models.
type listedModel struct {
	ID      string  `json:"id"`
	Object  string  `json:"object"`
	Created int64   `json:"created"`
	OwnedBy string  `json:"owned_by"`
	Root    string  `json:"root"`
	Parent  *string `json:"parent"`
	Window  int     `json:"max_model_len"`
}

func (s *Server) listed(m *Model) listedModel {
	return listedModel{m.Name, "model", s.started.Unix(), "npdb", m.Name, nil, s.config.Window}
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	list := struct {
		Object string        `json:"object"`
		Data   []listedModel `json:"data"`
	}{Object: "list"}
	for i := range s.config.Models {
		list.Data = append(list.Data, s.listed(&s.config.Models[i]))
	}
	writeJSON(w, http.StatusOK, list)
}

// modelPath is the prefix of a model's path. The model's name follows, which may contain slashes.
const modelPath = "/v1/models/"

// oneModel responds with the model that the path names.
func (s *Server) oneModel(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, modelPath)
	m, err := s.model(name)
	if err != nil || name == "" {
		noModel(name).write(w)
		return
	}
	writeJSON(w, http.StatusOK, s.listed(m))
}

func (s *Server) tokenize(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Model      string  `json:"model"`
		Prompt     *string `json:"prompt"`
		AddSpecial *bool   `json:"add_special_tokens"`
		Strings    bool    `json:"return_token_strs"`
	}
	if !s.read(w, r, &q) {
		return
	}
	if _, err := s.model(q.Model); err != nil {
		fail(w, err)
		return
	}
	if q.Prompt == nil {
		badRequest("prompt", "prompt is required: a string").write(w)
		return
	}
	answer := struct {
		Count   int      `json:"count"`
		Window  int      `json:"max_model_len"`
		Tokens  []int    `json:"tokens"`
		Strings []string `json:"token_strs"`
	}{Window: s.config.Window, Tokens: s.tokens.encode(*q.Prompt, q.AddSpecial == nil || *q.AddSpecial)}
	answer.Count = len(answer.Tokens)
	if q.Strings {
		for _, id := range answer.Tokens {
			answer.Strings = append(answer.Strings, s.tokens.shown(id))
		}
	}
	writeJSON(w, http.StatusOK, answer)
}

func (s *Server) detokenize(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Model  string `json:"model"`
		Tokens []int  `json:"tokens"`
	}
	if !s.read(w, r, &q) {
		return
	}
	if _, err := s.model(q.Model); err != nil {
		fail(w, err)
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"prompt": s.tokens.decode(q.Tokens)})
}

// read decodes the JSON body of a request. If that fails, it sends the error response and returns
// false.
func (s *Server) read(w http.ResponseWriter, r *http.Request, into any) bool {
	text, err := s.body(r)
	if err == nil {
		if bad := json.Unmarshal(text, into); bad != nil {
			err = badRequest("", "The request is no JSON that can be read: %v", bad)
		}
	}
	if err != nil {
		fail(w, err)
	}
	return err == nil
}

// fail responds with an error, unless the client has disconnected.
func fail(w http.ResponseWriter, err error) {
	var known *apiError
	if errors.As(err, &known) {
		known.write(w)
		return
	}
	statusError(http.StatusServiceUnavailable).write(w)
}

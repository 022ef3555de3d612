package models

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/npdb/npdb/backend"
	"github.com/npdb/npdb/backend/openai"
	"github.com/npdb/npdb/config"
	"github.com/npdb/npdb/session"
)

// whyNeeds is the advice for a session without a chat model.
const whyNeeds = "give a chat model's address with --why (or NPDB_WHY, or base_url in the section why of the configuration), such as http://127.0.0.1:8080/v1, and its name with --why-model"

// Explaining returns the model that the command why asks. This is the model of the configuration's section why.
// Without that section it is the predicting model, unless the configured dialect is nd1 or cwm. The model in the
// npdb binary cannot explain.
func Explaining(c config.Config) (session.Explaining, error) {
	none := func(format string, arguments ...any) (session.Explaining, error) {
		return session.Explaining{Missing: fmt.Sprintf(format, arguments...)}, nil
	}
	named := c.Why.BaseURL != "" || c.Why.Name != ""
	switch d := openai.Dialect(c.Model.Dialect); {
	case c.Why.BaseURL == "" && c.Model.BaseURL == "":
		return none("there is no chat model to ask: %s", whyNeeds)
	case !named && (d == openai.ND1 || d == openai.CWM):
		return none("the configured model predicts states (model.dialect is %s), and why needs a chat model: %s", c.Model.Dialect, whyNeeds)
	}
	name := c.Why.Name
	if c.Why.BaseURL == "" {
		name = cmp.Or(name, c.Model.Name)
	}
	own, err := another(c, c.Why.BaseURL, name, c.Why.KeyFile)
	if err != nil {
		return session.Explaining{}, fmt.Errorf("the key of the model that explains: %w", err)
	}
	own.Model.Dialect = string(openai.Chat)
	o, err := ServerConfig(own.Model)
	if err != nil {
		return session.Explaining{}, err
	}
	talker, err := openai.New(o)
	var failed *backend.Error
	switch {
	case errors.As(err, &failed): // npdb is offline: why does not work, but all other commands do
		return none("%s", failed.Message)
	case err != nil:
		return session.Explaining{}, err
	}
	r, err := redactorFor(talker.Model().Away, c)
	return session.Explaining{Talker: talker, Missing: whyNeeds, Redact: r}, err
}

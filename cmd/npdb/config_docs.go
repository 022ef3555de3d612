// Code generated from the comments in config.go by go generate; DO NOT EDIT.

package main

// configDocs says what each setting is.
var configDocs = map[string]string{
	"mode":                     "Where states come from: \"neural\" asks the model and runs nothing, \"real\" has CPython run the program, \"both\" has the model walk beside CPython. Unset, it is neural where an endpoint is configured and real where none is.",
	"python":                   "The Python interpreter that runs programs. Unset, it is that of the active virtual environment, python3 or python.",
	"user_code":                "Globs of files to step into besides the program's folder. The flag --user-code adds to them.",
	"library_code":             "Globs of files to step over. The flag --library-code adds to them.",
	"redact":                   "Regular expressions (Go's syntax) of what is cut out of values before they are sent to a model. Program text is sent as it is.",
	"theme":                    "The colors of the screen: one of npdb's themes, of chroma's styles or of your own; npdb themes lists them. Without -dark or -light at its end the terminal's background decides.",
	"key_profile":              "Which keys do what: \"default\", \"pudb\" or one of your own profiles; npdb keys lists them.",
	"mouse":                    "Whether npdb takes the mouse from the start. Where it does not, the terminal selects text with it; the key % switches.",
	"line_values":              "Whether the values of a line's names stand at its end from the start. The key i switches.",
	"keys":                     "Keys of your own, on top of the profile's: a table of lists, each under the name of an action of docs/keys.md, [] for none.",
	"profiles":                 "Key profiles of your own: tables with a name, the profile that each starts from (base), and its keys.",
	"limits.events":            "How many states are recorded before the program is paused.",
	"limits.memory":            "How much memory they take before it is, such as \"512MB\".",
	"model.base_url":           "The address of an OpenAI-compatible server, such as \"http://127.0.0.1:8000/v1\", or of a socket, \"unix:///run/model.sock\". It is what makes an endpoint configured.",
	"model.name":               "The model's name on that server. Unset, it is the first that the server lists.",
	"model.key":                "The key the server asks for. Better kept in the environment or in a file of its own; a configuration that holds one should be readable by you alone (chmod 600), and npdb says so when it is not.",
	"model.key_file":           "A file that holds the key and nothing else.",
	"model.window":             "The most tokens of a text and its reply together. 0 asks the server.",
	"model.max_tokens":         "The most tokens of one reply. A state with many locals is long.",
	"model.temperature":        "How freely replies are drawn: 0 takes the likeliest token each time.",
	"model.top_p":              "Draws from the likeliest tokens that have this probability together. Unset, the server decides.",
	"model.seed":               "Makes draws repeatable on servers that heed it. Unset, none is sent.",
	"model.timeout":            "How long one request may take, such as \"90s\" or \"5m\".",
	"model.idle_timeout":       "How long a reply may pause between two pieces, the first one included.",
	"model.retries":            "How often a request that failed for a passing reason is sent again.",
	"model.logprobs":           "Asks for the probability of each token, from which npdb shows how sure the model is.",
	"model.prompt":             "How the text is sent: \"text\", or \"ids\" for token ids, which the server's /tokenize makes.",
	"model.stop_token_ids":     "Ids of tokens to stop at besides the text of frame_sep. nd/1's own frame_sep is 128100 in the vocabulary of CWM.",
	"model.add_special_tokens": "Whether the server puts its beginning-of-text token before the prompt. Unset, the server decides.",
	"model.tokens":             "How the model's vocabulary spells the tokens of nd/1, for a model that was trained with other names: frame_sep = \"<|reserved_special_token_1|>\". Tokens that are not listed keep the names of docs/nd1.md.",
	"model.extra":              "Further fields of the request's body, as the text of one JSON object, such as '{\"priority\": 1}'. They win over what npdb sends itself; null leaves out a field that a server refuses.",
	"model.headers":            "Further headers of the request, each as \"Name: value\". npdb shows their names only.",
}

package doctor

import "slices"

// Named describes a kind of fact. docs/doctor.md lists these descriptions.
type Named struct {
	Section, Name string
	Means         string
	Value         string // meaning of its value; "" if it has none
}

// Unfinished is the name of the only fact of a section that did not finish.
const Unfinished = "unfinished"

// Names returns descriptions of all possible facts.
func Names() []Named { return slices.Concat(names, ofSecond()) }

// ofOwn is the beginning of the description of a value that only the model in the binary has.
const ofOwn = "of npdb's own: "

var names = []Named{
	{"npdb", "version", "npdb's version, and the commit if the version does not contain it", "the version"},
	{"npdb", "go", "the version of Go that built npdb", ""},
	{"npdb", "system", "operating system, architecture, processors, distribution", "`os`, `arch`, `processors`"},

	{"configuration", "file", "the path of the configuration file, which need not exist", "the path"},
	{"configuration", "fault", "why the configuration cannot be used. npdb does not start then", ""},
	{"configuration", "warning", "a warning about the configuration that npdb prints at each start", ""},
	{"configuration", "setting", "a setting that is not the default; `which` is its key. Of keys and headers it only says that they are set, of `extra` it lists the fields", "`value`, `from`: a flag, a variable or the file"},

	{"python", "interpreter", "the Python that npdb would use, and why this one", "`path`, `why`"},
	{"python", "version", "its version, and whether npdb supports it and is tested with it", "the version"},
	{"python", "tracer", "whether npdb can trace a program in it: npdb stepped through a program of three lines", "milliseconds"},
	{"python", "frames", "the Python version whose frames a model predicts, from python_version, pyvenv.cfg, pyenv or the interpreter's path: before 3.12 a list, set or dict comprehension is a frame", "the version, or unknown"},
	{"python", "other", "another Python on the PATH", "`path`, `version`, `supported`"},

	{"terminal", "standard streams", "whether standard input and output are a terminal", "`input`, `output`"},
	{"terminal", "TERM", "the variable", "its text"},
	{"terminal", "COLORTERM", "the variable", "its text"},
	{"terminal", "encoding", "whether it is UTF-8, according to the environment", "true or false"},
	{"terminal", "around it", "tmux, screen, zellij, ssh, WSL", "a list of them"},
	{"terminal", "size", "columns and rows", "`columns`, `rows`"},
	{"terminal", "colors", "the number of colors, the theme that npdb chooses, the background", "`depth`, `theme`, `dark`, `asked`: the terminal has said its background"},
	{"terminal", "answers", "whether the terminal answers queries, and its name", "true or false"},
	{"terminal", "mouse", "whether it reports the mouse (mode 1006)", "true or false; none if the terminal does not say"},
	{"terminal", "clipboard", "whether copied text reaches the clipboard (OSC 52)", "true or false; none if the terminal does not say"},
	{"terminal", "keys", "whether it has the kitty keyboard protocol", "true or false"},

	{"containment", "bubblewrap", "the path of `bwrap`, and whether it runs", "true or false"},
	{"containment", "user namespaces", "whether npdb may create one: bubblewrap needs it, except for root", "true or false"},
	{"containment", "seccomp", "whether the kernel accepts a filter of system calls", "true or false"},
	{"containment", "trial", "the containment in which a program ran, or why there is none", "`bubblewrap`, `own user`, `limits`; false for none"},
	{"containment", "control group", "whether the total resources of a program's processes are limited", "`there`, or why not"},

	{"model", "model", "the model that npdb asks", ofOwn + "`name`, `bytes`"},
	{"model", "endpoint", "the server's address", ""},
	{"model", "dialect", "the configured dialect", ""},
	{"model", "remembered", "if that is `auto`: the newly detected dialect, the one before, and how to forget it", "`dialect`, `why`, `when`; `before`, the same for the one before; `unkept`: why it could not be saved"},
	{"model", "key", "whether a key is sent, and its source", "true or false"},
	{"model", "proxy", "whether npdb reaches a server on another machine through a proxy", ""},
	{"model", "others", "the server's other models", "a list of them"},
	{"model", "kernels", "what computes npdb's own model: AVX-512, AVX2, NEON or portable", ""},
	{"model", "measured", "the accuracy of npdb's own model in single steps, from [its card](model-card.md)", "`digest` of its file; `sets`: `name`, `programs` and `moves` (`n`, `same`)"},
	{"model", "answer", "whether npdb can step with the model", ofOwn + "milliseconds"},
	{"model", "capability", "one capability of the server; `which` is its name", "`name`; `verdict`: `yes`, `no`, `unknown`; `seen`; `means`"},
}

package doctor

import "slices"

// Named describes a fact, for docs/doctor.md.
type Named struct {
	Section, Name string
	Means         string
	Value         string // meaning of its value; "" if it has none
}

// Unfinished is the name of the only fact of a section that did not finish.
const Unfinished = "unfinished"

// Names returns all possible facts.
func Names() []Named { return slices.Concat(names, ofSecond()) }

// ofOwn begins the description of a value that only the model in the binary has.
const ofOwn = "of npdb's own: "

var names = []Named{
	{"npdb", "version", "npdb's version, and the commit where the version does not tell it", "the version"},
	{"npdb", "go", "the version of Go that built npdb", ""},
	{"npdb", "system", "operating system, architecture, processors, distribution", "`os`, `arch`, `processors`"},

	{"configuration", "file", "where the configuration's file is, or would be", "the path"},
	{"configuration", "fault", "why the configuration cannot be used. npdb does not start then", ""},
	{"configuration", "warning", "what npdb says of the configuration whenever it starts", ""},
	{"configuration", "setting", "a setting that is not the default; `which` is its key. Keys and headers are said to be set, no more, and of `extra` the fields' names", "`value`, `from`: a flag, a variable or the file"},

	{"python", "interpreter", "the Python that npdb would use, and why this one", "`path`, `why`"},
	{"python", "version", "what it says of itself, and whether npdb supports it", "the version"},
	{"python", "tracer", "whether npdb can trace a program in it: one of three lines was stepped through", "milliseconds"},
	{"python", "frames", "the Python version whose frames a model predicts, from python_version, pyvenv.cfg, pyenv or the interpreter's path: before 3.12 a list, set or dict comprehension is a frame", "the version, or unknown"},
	{"python", "other", "another Python on the PATH", "`path`, `version`, `supported`"},

	{"terminal", "standard streams", "whether standard input and output are a terminal", "`input`, `output`"},
	{"terminal", "TERM", "the variable", "its text"},
	{"terminal", "COLORTERM", "the variable", "its text"},
	{"terminal", "encoding", "whether it is UTF-8, as the environment has it", "true or false"},
	{"terminal", "around it", "tmux, screen, zellij, ssh, WSL", "a list of them"},
	{"terminal", "size", "columns and rows", "`columns`, `rows`"},
	{"terminal", "colors", "how many there are, the theme that npdb chooses, the background", "`depth`, `theme`, `dark`, `asked`: the terminal has said its background"},
	{"terminal", "answers", "whether the terminal answers questions, and what it calls itself", "true or false"},
	{"terminal", "mouse", "whether it reports the mouse (mode 1006)", "true or false; none where it does not say"},
	{"terminal", "clipboard", "whether what is copied comes to the clipboard (OSC 52)", "true or false; none where it does not say"},
	{"terminal", "keys", "whether it has the kitty keyboard protocol", "true or false"},

	{"containment", "bubblewrap", "where `bwrap` lies, and whether it runs", "true or false"},
	{"containment", "user namespaces", "whether npdb may have one: bubblewrap needs it, but for root", "true or false"},
	{"containment", "seccomp", "whether a filter of system calls is taken", "true or false"},
	{"containment", "trial", "in what a program was run contained, or why in none", "`bubblewrap`, `own user`, `limits`; false for none"},
	{"containment", "control group", "whether what a program's processes take together is limited", "`there`, or why not"},

	{"model", "model", "the model that npdb asks", ofOwn + "`name`, `bytes`"},
	{"model", "endpoint", "the server's address", ""},
	{"model", "dialect", "how the model is asked, as configured", ""},
	{"model", "remembered", "where that is `auto`: how npdb asks the model from now on, found out anew, what it was before, and how to forget it", "`dialect`, `why`, `when`; `before`, the same of what was remembered; `unkept`: why it could not be kept"},
	{"model", "key", "whether a key is sent, and where it is from", "true or false"},
	{"model", "proxy", "whether a server on another machine is asked by way of a proxy", ""},
	{"model", "others", "the server's other models", "a list of them"},
	{"model", "kernels", "what computes npdb's own model: AVX-512, AVX2, NEON or portable", ""},
	{"model", "measured", "how often npdb's own model is right in single steps, as [its card](model-card.md) has it", "`digest` of its file; `sets`: `name`, `programs` and `moves` (`n`, `same`)"},
	{"model", "answer", "whether npdb can step with the model", ofOwn + "milliseconds"},
	{"model", "capability", "one thing that the server can do or cannot; `which` is its name", "`name`; `verdict`: `yes`, `no`, `unknown`; `seen`; `means`"},
}

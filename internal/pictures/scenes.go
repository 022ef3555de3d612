package main

import "strings"

// scene is a session with npdb, and the file that shows it.
type scene struct {
	file  string // an SVG shows the last screen, a cast all of them
	title string
	args  []string // of npdb
	w, h  int
	files map[string]string // written into the folder of the session
	since int               // the first minor version of Python 3 that has the events of the file, 0 for all
	acts  []act
}

// act types keys and waits until the screen shows all texts.
type act struct {
	keys  string
	shows []string
}

// cast reports whether the file is a cast.
func (s *scene) cast() bool { return strings.HasSuffix(s.file, ".cast") }

const gcd = `def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


print(gcd(84, 36))
`

// bank is the name of the copy of examples/bank.py in a session's folder.
const bank = "bank.py"

// scenes lists the files of docs.
var scenes = []scene{
	{
		file: "docs/screen.svg", title: "npdb's screen: source, locals, stack, output and a timeline", args: []string{bank}, w: 120, h: 36, since: 10, // 3.9 reports the end of the generator parse too
		acts: []act{
			{"", []string{"<module>:1 ", "idle"}},
			{":b audit\r", []string{"Breakpoint 1 at bank.py:48", "idle"}},
			{"c", []string{" audit:48 ", "idle"}},
			{":display sum(balances.values())\r", []string{"watches", "660", "idle"}},
			{":rewind\r", []string{"<module>:1 ", "idle"}},
			{":tbreak 43, sum(balances.values()) != 600\r", []string{"Breakpoint 2 at bank.py:43", "idle"}},
			{"c", []string{" transfer:43 ", "idle"}},
			{"N", []string{" transfer:42 ", "idle"}},
			{"n", []string{" transfer:43 ", "was 540", "idle"}},
			{"2jj\r1", []string{"'dee'", "received"}},
		},
	},
	{
		file: "docs/reverse.svg", title: "Candidates for the call of gcd that returned 4",
		args: []string{"--returned", "4", "--entry", "gcd(_, _)", "gcd.py"}, w: 120, h: 36, files: map[string]string{"gcd.py": gcd},
		acts: []act{
			{"", []string{"return gcd:4 ", "idle"}},
			{"R", []string{"call gcd:1 ", "leads here · text", "( ) candidate", "idle"}},
		},
	},
	{file: "docs/tour.svg", title: "npdb tour: the panel at the cause of a failure", args: []string{"tour"}, w: 100, h: 30, acts: tour[:10]},
	{file: "docs/tour.cast", title: "npdb tour", args: []string{"tour"}, w: 80, h: 24, acts: tour},
}

// tour plays npdb tour.
var tour = []act{
	{"", []string{"tour 1 of 12", "idle"}},
	{"s", []string{"<module>:12 "}},
	{"s", []string{"<module>:21 "}},
	{"s", []string{"tour 2 of 12"}},
	{"jjjjjjjjjjjjjjb", []string{"tour 3 of 12", "●  18"}},
	{"c", []string{"tour 4 of 12"}},
	{"c", []string{"tour 5 of 12", "u d frames"}},
	{"N", []string{"tour 6 of 12"}},
	{"2jjjjj", []string{"tour 6 of 12"}},
	{"W", []string{"tour 7 of 12", "origin of count"}},
	{"jj\r", []string{"tour 8 of 12"}},
	{"1x", []string{"tour 9 of 12", "side by side"}},
	{"n", []string{"tour 10 of 12", "forward 1"}},
	{" ", []string{"tour 11 of 12", "given"}},
	{"S", []string{"tour 12 of 12", "inferred"}},
	{"R", []string{"tour the end", "call mean_price:12"}},
}

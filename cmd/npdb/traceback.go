package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"github.com/npdb/npdb/python/traceback"
	"github.com/npdb/npdb/session/crash"
	"github.com/npdb/npdb/trace"
)

// tracebackFlags holds the flags of a session that begins where a traceback ends.
type tracebackFlags struct {
	file string
	maps []string
	text string // what file holds
}

func (f *tracebackFlags) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.file, "traceback", "", "begin where the traceback in this `file` ends, - for standard input. rs, rn and rf then infer what came before")
	fs.StringArrayVar(&f.maps, "map", nil, "`FROM=TO`: where the files of a traceback are; repeatable")
}

// read reads the traceback. If it comes from standard input, commands come from the terminal, if there
// is one. commands reports that all commands are given.
func (f *tracebackFlags) read(commands bool) error {
	if f.file == "" {
		return nil
	}
	in := os.Stdin
	if f.file != "-" {
		opened, err := os.Open(f.file)
		if err != nil {
			return fmt.Errorf("the traceback cannot be read: %w", err)
		}
		defer opened.Close()
		in = opened
	}
	text, err := io.ReadAll(io.LimitReader(in, traceback.MaxSize+1))
	if err != nil {
		return fmt.Errorf("the traceback cannot be read: %w", err)
	}
	f.text = string(text)
	if f.file == "-" && !commands {
		if terminal, err := os.Open(terminalFile()); err == nil {
			os.Stdin = terminal
		}
	}
	return nil
}

func terminalFile() string {
	if runtime.GOOS == "windows" {
		return "CONIN$"
	}
	return "/dev/tty"
}

// begin sets the state that the traceback describes, and the program if none is given. It returns what
// the traceback leaves open.
func (f *tracebackFlags) begin(o *trace.Options) (notices []string, err error) {
	if f.file == "" {
		if len(f.maps) > 0 {
			return nil, fmt.Errorf("--map belongs to a traceback: give it with --traceback FILE")
		}
		return nil, nil
	}
	if o.Begin != nil || o.Entry != "" || o.From != "" {
		return nil, fmt.Errorf("--traceback says where the session begins: leave out --at, --returned, --raised, --entry and --from")
	}
	if notices, err = f.describe(o, f.text); err != nil {
		return nil, fmt.Errorf("--traceback %s: %s", f.file, strings.TrimSuffix(err.Error(), "."))
	}
	return notices, nil
}

// describe sets the state that the text of a traceback describes, and the program if none is given. It
// returns what the traceback leaves open.
func (f *tracebackFlags) describe(o *trace.Options, text string) (notices []string, err error) {
	finder := crash.Finder{Dir: o.Dir}
	for _, text := range f.maps {
		m, err := crash.ParseMap(text)
		if err != nil {
			return nil, err
		}
		finder.Maps = append(finder.Maps, m)
	}
	s, err := finder.Read(text)
	if err != nil {
		return nil, err
	}
	o.Begin = s.Begin
	if o.Script == "" && o.Module == "" && o.Code == "" {
		o.Script = s.Script
	}
	return s.Notices, nil
}

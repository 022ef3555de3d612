package main

import "strings"

// target is a system and an architecture that npdb is released for.
type target struct {
	system, machine string   // as GOOS and GOARCH name them
	wheel           []string // platform tags of the wheel
	node            string   // as process.platform and process.arch of Node.js name it
}

// targets lists all targets. The wheels for Linux serve glibc and musl, because the program is
// static. Go 1.26 needs macOS 12.
var targets = []target{
	{"linux", "amd64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}, "linux-x64"},
	{"linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}, "linux-arm64"},
	{"darwin", "amd64", []string{"macosx_12_0_x86_64"}, "darwin-x64"},
	{"darwin", "arm64", []string{"macosx_12_0_arm64"}, "darwin-arm64"},
	{"windows", "amd64", []string{"win_amd64"}, "win32-x64"},
}

func (t target) String() string { return t.system + "-" + t.machine }

// program returns the file name of npdb.
func (t target) program() string {
	if t.system == "windows" {
		return "npdb.exe"
	}
	return "npdb"
}

// archive returns the name of the archive without its suffix, which is also the folder in it.
func (t target) archive(v version) string { return "npdb-" + v.semantic() + "-" + t.String() }

// archiveFile returns the file name of the archive.
func (t target) archiveFile(v version) string {
	if t.system == "windows" {
		return t.archive(v) + ".zip"
	}
	return t.archive(v) + ".tar.gz"
}

// wheelFile returns the file name of the wheel.
func (t target) wheelFile(v version) string {
	return "npdb-" + v.python() + "-py3-none-" + strings.Join(t.wheel, ".") + ".whl"
}

// npmName returns the name of the npm package with the program.
func (t target) npmName() string { return "@npdb/" + t.node }

// npmFile returns the file name of that package, as npm pack forms it.
func (t target) npmFile(v version) string { return "npdb-" + t.node + "-" + v.semantic() + ".tgz" }

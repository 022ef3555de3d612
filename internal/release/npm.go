package main

import (
	"encoding/json"
	"os"
	"strings"
)

// npm writes the npm packages: for each target one that contains the program, and the package npdb.
// These are its optional dependencies, of which npm installs the one for the user's system.
func (r *release) npm() error {
	programs := map[string]string{}
	for _, t := range targets {
		programs[t.npmName()] = r.version.semantic()
		program, err := r.program(t)
		if err != nil {
			return err
		}
		system, processor, _ := strings.Cut(t.node, "-")
		about := r.manifest(t.npmName(), "The program npdb for "+t.node)
		about["os"], about["cpu"] = []string{system}, []string{processor}
		about["preferUnplugged"] = true
		err = r.npmPackage(t.npmFile(r.version), about, []file{
			{"bin/" + t.program(), program, executable}, {thirdParty, r.notices, plain},
		})
		if err != nil {
			return err
		}
	}
	script, err := os.ReadFile(r.path(templates, "npm", "npdb.js"))
	if err != nil {
		return err
	}
	readme, err := os.ReadFile(r.path(templates, "npm", "README.md"))
	if err != nil {
		return err
	}
	about := r.manifest("npdb", r.project.Description)
	about["bin"] = map[string]string{"npdb": "npdb.js"}
	about["engines"] = map[string]string{"node": ">=18"}
	about["optionalDependencies"] = programs
	return r.npmPackage(npmFile(r.version), about, []file{{"npdb.js", script, executable}, {"README.md", readme, plain}})
}

// npmFile returns the file name of the npm package npdb.
func npmFile(v version) string { return "npdb-" + v.semantic() + ".tgz" }

// manifest returns the fields of package.json that all packages have.
func (r *release) manifest(name, description string) map[string]any {
	return map[string]any{
		"name": name, "version": r.version.semantic(), "description": description, "license": r.project.License.Text,
		"homepage":   "https://github.com/npdb/npdb",
		"repository": map[string]string{"type": "git", "url": "git+https://github.com/npdb/npdb.git"},
	}
}

// npmPackage writes a package in the form of npm pack.
func (r *release) npmPackage(name string, about map[string]any, files []file) error {
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	files = append([]file{{"package.json", append(text, '\n'), plain}, {"LICENSE", r.license, plain}}, files...)
	for i := range files {
		files[i].name = "package/" + files[i].name
	}
	return r.tarball(name, files)
}

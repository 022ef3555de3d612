package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"text/template"
)

// nfpm makes the packages of Linux distributions. Later versions need a later Go than npdb's.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.41.3"

// packagers lists the kinds of packages, as nfpm names them. The first, deb, installs some files in
// other folders than the rest.
var packagers = []string{"deb", "rpm", "apk", "archlinux"}

// linux writes a package of each kind for each architecture of Linux.
func (r *release) linux() error {
	share := filepath.Join(r.work, "share")
	if err := r.stage(share); err != nil {
		return err
	}
	form, err := template.New("nfpm.yaml").Option("missingkey=error").ParseFiles(r.path(templates, "nfpm.yaml"))
	if err != nil {
		return err
	}
	for _, t := range targets {
		if t.system != "linux" {
			continue
		}
		var text bytes.Buffer
		if err := form.Execute(&text, map[string]any{
			"Machine": t.machine, "Version": r.version, "Program": r.programPath(t), "Share": share, "Others": packagers[1:],
		}); err != nil {
			return err
		}
		config := filepath.Join(r.work, "nfpm-"+t.machine+".yaml")
		if err := os.WriteFile(config, text.Bytes(), plain); err != nil {
			return err
		}
		for _, kind := range packagers {
			if err := r.run(nil, "go", "run", nfpm, "package", "--config", config, "--packager", kind, "--target", r.out+string(filepath.Separator)); err != nil {
				return err
			}
		}
	}
	return nil
}

// linuxFiles returns the file names of the packages for an architecture, as nfpm forms them.
func linuxFiles(t target, v version) []string {
	underscore, tilde, joined := v.Number, v.Number, v.Number
	if v.Candidate != "" { // each kind has its own spelling, which sorts a candidate before the release
		underscore, tilde, joined = v.Number+"_rc"+v.Candidate, v.Number+"~rc"+v.Candidate, v.Number+"rc"+v.Candidate
	}
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[t.machine]
	return []string{
		"npdb_" + tilde + "_" + t.machine + ".deb",
		"npdb-" + tilde + "-1." + machine + ".rpm",
		"npdb_" + underscore + "_" + machine + ".apk",
		"npdb-" + joined + "-1-" + machine + ".pkg.tar.zst",
	}
}

// stage writes the files that all packages contain, except the program, to a folder. It compresses
// the manual pages, as distributions do.
func (r *release) stage(folder string) error {
	files := append([]file{{"LICENSE", r.license, plain}, {thirdParty, r.notices, plain}}, r.scripts...)
	for _, page := range r.pages {
		packed, err := compressed(page.data)
		if err != nil {
			return err
		}
		files = append(files, file{"man1/" + page.name + ".gz", packed, plain})
	}
	for _, f := range files {
		path := filepath.Join(folder, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.data, f.mode); err != nil {
			return err
		}
	}
	return nil
}

// compressed returns data in gzip's format, without a time or a name.
func compressed(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// file is a file of an archive. Its time is that of the release, its owner root.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// The modes of files: of programs, and of all others.
const (
	executable fs.FileMode = 0o755
	plain      fs.FileMode = 0o644
)

// tarball writes files to a .tar.gz in the folder of the release.
func (r *release) tarball(name string, files []file) error {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(packed)
	for _, f := range files {
		head := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: r.time, Uname: "root", Gname: "root", Format: tar.FormatPAX}
		if err := w.WriteHeader(head); err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, name), out.Bytes(), plain)
}

// zip writes files to a zip file in the folder of the release.
func (r *release) zip(name string, files []file) error {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, f := range files {
		head := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.time}
		head.SetMode(f.mode) // with the file's type: otherwise pip does not make the program executable
		part, err := w.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, name), out.Bytes(), plain)
}

// archives writes an archive for each target: the program, the manual, the completion scripts.
func (r *release) archives() error {
	readme, err := os.ReadFile(r.path("README.md"))
	if err != nil {
		return err
	}
	common := []file{{"LICENSE", r.license, plain}, {thirdParty, r.notices, plain}, {"README.md", readme, plain}}
	for _, page := range r.pages {
		common = append(common, file{"man/man1/" + page.name, page.data, plain})
	}
	for _, script := range r.scripts {
		common = append(common, file{"completions/" + script.name, script.data, plain})
	}
	for _, t := range targets {
		program, err := r.program(t)
		if err != nil {
			return err
		}
		files := []file{{t.archive(r.version) + "/" + t.program(), program, executable}}
		for _, f := range common {
			files = append(files, file{t.archive(r.version) + "/" + f.name, f.data, f.mode})
		}
		if t.system != "windows" {
			err = r.tarball(t.archiveFile(r.version), files)
		} else {
			err = r.zip(t.archiveFile(r.version), files)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

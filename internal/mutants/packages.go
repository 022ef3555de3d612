package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// pkg is a package as the go command describes it.
type pkg struct {
	ImportPath, Dir, Export   string
	GoFiles                   []string
	TestImports, XTestImports []string
	DepOnly                   bool

	fset  *token.FileSet
	files []*ast.File
	texts map[string][]byte // by path
	deps  types.Importer
}

// load loads the packages that match the patterns.
func load(patterns []string) ([]*pkg, error) {
	args := append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,TestImports,XTestImports,DepOnly", "--"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	exports := map[string]string{}
	var named []*pkg
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(pkg)
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			named = append(named, p)
		}
	}
	for _, p := range named {
		p.fset, p.texts = token.NewFileSet(), map[string][]byte{}
		p.deps = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(exports[path])
		})
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			file, err := parser.ParseFile(p.fset, path, text, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			p.files, p.texts[path] = append(p.files, file), text
		}
		if !p.builds(nil) {
			return nil, fmt.Errorf("%s does not build", p.ImportPath)
		}
	}
	return named, nil
}

// sample returns n random mutants that compile.
func (p *pkg) sample(seed uint64, n int) []mutant {
	var all []mutant
	for _, file := range p.files {
		path := p.fset.File(file.FileStart).Name()
		all = append(all, find(path, p.texts[path], file)...)
	}
	name := fnv.New64()
	name.Write([]byte(p.ImportPath))
	random := rand.New(rand.NewPCG(seed, name.Sum64()))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var drawn []mutant
	for _, m := range all {
		if len(drawn) == n {
			break
		}
		if p.builds(&m) {
			drawn = append(drawn, m)
		}
	}
	slices.SortFunc(drawn, func(a, b mutant) int {
		if a.file != b.file {
			return strings.Compare(a.file, b.file)
		}
		return a.from - b.from
	})
	return drawn
}

// builds reports whether the package compiles, with a mutant or unchanged.
func (p *pkg) builds(m *mutant) bool {
	files := slices.Clone(p.files)
	if m != nil {
		file, err := parser.ParseFile(p.fset, m.file, m.applied(p.texts[m.file]), parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		for i, f := range files {
			if p.fset.File(f.FileStart).Name() == m.file {
				files[i] = file
			}
		}
	}
	failed := false
	check := types.Config{
		Importer: p.deps, Sizes: types.SizesFor("gc", runtime.GOARCH),
		Error: func(error) { failed = true },
	}
	_, err := check.Check(p.ImportPath, p.fset, files, nil)
	return err == nil && !failed
}

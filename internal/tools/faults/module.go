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
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// module is the module that faults are planted in.
type module struct {
	root     string
	packages map[string]*pkg // by folder below the root
	importer types.Importer  // of what they import, as compiled
}

// pkg is a package, as the go command lists it.
type pkg struct {
	ImportPath, Name, Dir string
	Export                string // the file of its compiled types
	GoFiles               []string
	Module                *struct {
		Main      bool
		GoVersion string
	}

	texts map[string]string // by path
	of    map[string][]function
}

// functions returns the functions of a file of the package, which has been read.
func (p *pkg) functions(path string) ([]function, error) {
	if of, ok := p.of[path]; ok {
		return of, nil
	}
	of, err := functions(p.texts[path])
	if err != nil {
		return nil, err
	}
	if p.of == nil {
		p.of = map[string][]function{}
	}
	p.of[path] = of
	return of, nil
}

// loadModule reads all packages below root, and compiles what they import.
func loadModule(root string) (*module, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,Module", "./...", "os", "strconv") // chooser imports these
	list.Dir, list.Env, list.Stderr = root, environment(), os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	m := &module{root: root, packages: map[string]*pkg{}}
	exports := map[string]string{}
	for listed := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := listed.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if p.Module == nil || !p.Module.Main {
			continue
		}
		dir, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		m.packages[filepath.ToSlash(dir)] = &p
	}
	m.importer = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	return m, nil
}

// read returns the files of the package by path, except tests.
func (p *pkg) read() (map[string]string, error) {
	if p.texts != nil {
		return p.texts, nil
	}
	texts := map[string]string{}
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		texts[path] = string(text)
	}
	p.texts = texts
	return texts, nil
}

// check returns why the package does not compile if some of its files are replaced.
func (m *module) check(p *pkg, replaced map[string]string) (*token.FileSet, []types.Error) {
	texts := maps.Clone(p.texts)
	maps.Copy(texts, replaced)
	fset := token.NewFileSet()
	var found []types.Error
	var files []*ast.File
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		file, err := parser.ParseFile(fset, path, texts[path], parser.SkipObjectResolution)
		if err != nil {
			found = append(found, types.Error{Fset: fset, Msg: err.Error()})
		}
		files = append(files, file)
	}
	config := types.Config{GoVersion: "go" + p.Module.GoVersion, Importer: m.importer, Error: func(err error) {
		if problem := (types.Error{}); errors.As(err, &problem) {
			found = append(found, problem)
		}
	}}
	_, _ = config.Check(p.ImportPath, fset, files, nil) // Error has all
	return fset, found
}

// failing returns why edits do not compile in their package, for those that do not.
func (m *module) failing(p *pkg, edits []*edit) (map[*edit]error, error) {
	failed := map[*edit]error{}
	replaced, parts := copies(p, edits)
	fset, problems := m.check(p, replaced)
	for _, problem := range problems {
		at := fset.Position(problem.Pos)
		i := slices.IndexFunc(parts, func(of part) bool {
			return of.path == at.Filename && of.start <= at.Offset && at.Offset < of.end
		})
		if i < 0 {
			return nil, problem
		}
		if failed[parts[i].of] == nil {
			failed[parts[i].of] = problem
		}
	}
	for _, e := range edits {
		if e.bodies != nil {
			continue
		}
		if _, problems := m.check(p, map[string]string{e.path: e.text}); len(problems) > 0 {
			failed[e] = problems[0]
		}
	}
	return failed, nil
}

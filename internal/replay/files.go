package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Directories is the environment variable that names further directories.
const Directories = "KUBEMATH_VECTORS"

// File is a recorded file.
type File struct {
	Path  string // <system>/<question>.json
	Cases []json.RawMessage
}

// Roots returns testdata and the directories of the environment variable.
func Roots() []string {
	roots := []string{"testdata"}
	for _, dir := range filepath.SplitList(os.Getenv(Directories)) {
		if dir != "" {
			roots = append(roots, dir)
		}
	}
	return roots
}

// Read returns the recorded files below a directory, sorted by path. Files that are not JSON are
// ignored. Known tells which paths there are; a file at another one, a file that is not an array of
// cases, or holds none, and a directory without any file are errors, which come all together. The
// files that could be read are returned in any case.
func Read(dir fs.FS, known func(path string) bool) ([]File, error) {
	paths, err := fs.Glob(dir, "*/*.json")
	if err != nil {
		return nil, err
	}
	stray, err := fs.Glob(dir, "*.json")
	if err != nil {
		return nil, err
	}
	paths = append(paths, stray...)
	slices.Sort(paths)
	var files []File
	var faults []error
	if len(paths) == 0 {
		faults = append(faults, errors.New("no recorded files"))
	}
	for _, p := range paths {
		if !known(p) {
			faults = append(faults, fmt.Errorf("%s: no test knows this file", p))
			continue
		}
		cases, err := readCases(dir, p)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", p, err))
			continue
		}
		files = append(files, File{path.Clean(p), cases})
	}
	return files, errors.Join(faults...)
}

func readCases(dir fs.FS, path string) ([]json.RawMessage, error) {
	data, err := fs.ReadFile(dir, path)
	if err != nil {
		return nil, err
	}
	var cases []json.RawMessage
	if err := json.Unmarshal(data, &cases); err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, errors.New("no cases")
	}
	return cases, nil
}

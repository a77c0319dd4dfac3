// Command follow lists what has changed from one version of Kubernetes to another, of what this project is made after.
//
//	go run ./follow [-from VERSION] [-diff] [-test=false] VERSION
//
// It fetches the modules of both versions, and prints each function, method, type, variable and constant that differs, of
// those that it follows: those that docs/from-upstream.md, docs/decisions and the code of this module name, and what they
// use of their packages. Below are the feature gates whose defaults differ, and that internal/release or a file of these
// declarations names. Then it compares kubemath with the release of VERSION, as .ci/conformance does.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	root       = "../.."
	kubernetes = "k8s.io/kubernetes"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "follow:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("follow", flag.ContinueOnError)
	from := flags.String("from", "", "the `version` of Kubernetes to begin with, by default that of go.mod")
	differences := flags.Bool("diff", false, "print what differs of each declaration")
	test := flags.Bool("test", true, "compare kubemath with the release of VERSION")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("usage: follow [-from VERSION] [-diff] [-test=false] VERSION, such as v1.38.0")
	}
	list, err := followed(root)
	if err != nil {
		return err
	}
	if *from == "" {
		*from, err = required()
		if err != nil {
			return err
		}
	}
	older, newer := "v"+strings.TrimPrefix(*from, "v"), "v"+strings.TrimPrefix(flags.Arg(0), "v")
	var trees [2]tree
	for i, version := range []string{older, newer} {
		trees[i], err = fetch(version, list.modules())
		if err != nil {
			return err
		}
	}
	own, err := text(filepath.Join(root, "internal/release"))
	if err != nil {
		return err
	}
	result, err := compare(trees[0], trees[1], list, own)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "from %s to %s\n", older, newer)
	result.print(out, *differences)
	if !*test {
		return nil
	}
	return conformance(minorOf(newer), out)
}

// required returns the version of Kubernetes in go.mod.
func required() (string, error) {
	version, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", kubernetes).Output()
	return strings.TrimSpace(string(version)), err
}

// minorOf returns 1.36 for v1.36.3.
func minorOf(version string) string {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// fetch downloads modules of a version of Kubernetes. Those that its staging directory publishes have its minor version
// behind a zero.
func fetch(version string, modules []string) (tree, error) {
	t := tree{minor: minorOf(version), modules: map[string]string{}}
	args := []string{"mod", "download", "-json"}
	for _, module := range modules {
		if module == kubernetes {
			args = append(args, module+"@"+version)
			continue
		}
		args = append(args, module+"@v0."+strings.TrimPrefix(version, "v1."))
	}
	command := exec.Command("go", args...)
	command.Env = append(os.Environ(), "GOTOOLCHAIN=auto") // a newer version may need a newer Go
	out, failed := command.Output()
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for decoder.More() {
		var m struct{ Path, Dir, Error string }
		if err := decoder.Decode(&m); err != nil {
			return tree{}, errors.Join(failed, err)
		}
		if m.Error != "" {
			return tree{}, errors.New(m.Error)
		}
		t.modules[m.Path] = m.Dir
	}
	return t, failed
}

// conformance compares kubemath with a release, if there is a module file with its version.
func conformance(release string, out io.Writer) error {
	command := exec.Command(filepath.Join(root, ".ci/conformance"), "-kubernetes", release)
	if release != "1.37" {
		if _, err := os.Stat("kubernetes-" + release + ".mod"); err != nil {
			const missing = "\nThere is no module file for %s yet, so nothing was compared: see docs/extending.md.\n"
			fmt.Fprintf(out, missing, release)
			return nil
		}
	}
	command.Stdout, command.Stderr = out, os.Stderr
	return command.Run()
}

// text returns the files of a directory, without tests.
func text(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		all.Write(content)
	}
	return all.String(), nil
}

// sortedKeys returns the keys of a map, sorted.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

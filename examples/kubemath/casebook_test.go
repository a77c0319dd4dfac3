package main_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// subjects are what marked cases wait for.
var subjects = []string{"versions", "placement", "controllers", "shared quotas", "tekton", "capsule", "habits of kubectl"}

// situation is a question that somebody has asked, and what the program answers.
type situation struct {
	question, source string
	marked           string // the subject that it waits for; empty if the answer is right
	runs             []commandLine
}

// commandLine is one run of the program, and what is right about it.
type commandLine struct {
	args        []string
	exit        int
	want, never []string // texts of the output, in this order, and texts that it does not have
}

// TestCases runs the case book: each folder of testdata/cases is a situation that a person has met. CONTRIBUTING.md says how a
// report becomes a case. The wants of a case are written by hand, from who says that the answer is right; screen.txt
// holds the layout still, and -update writes it. A case that waits for a subject fails as soon as its answer is right.
func TestCases(t *testing.T) {
	folders, err := filepath.Glob("testdata/cases/*/case.txt")
	testkit.OK(t, err)
	kinds, marks := map[string]int{}, map[string]int{}
	for _, file := range folders {
		folder := filepath.Dir(file)
		s, err := readSituation(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		kinds[s.runs[0].args[0]]++
		if s.marked != "" {
			marks[s.marked]++
		}
		t.Run(filepath.Base(folder), func(t *testing.T) { s.check(t, folder) })
	}
	for _, c := range libraryCases {
		kinds["library"]++
		if c.marked != "" {
			marks[c.marked]++
		}
		t.Run("library: "+c.name, c.check)
	}
	t.Logf("%d cases: %s", len(folders)+len(libraryCases), counts(kinds))
	t.Logf("marked: %s", counts(marks))
}

func counts(of map[string]int) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(&b, "%s %d, ", name, of[name])
	}
	return strings.TrimSuffix(b.String(), ", ")
}

// check runs the command lines of a situation in its folder.
func (s *situation) check(t *testing.T, folder string) {
	t.Chdir(folder)
	var screen strings.Builder
	var wrong []string
	for _, line := range s.runs {
		got := golden.Run(subcommands.Run, "", line.args...)
		fmt.Fprintf(&screen, "$ kubemath %s\n%s%sexit code %d\n", strings.Join(line.args, " "), got.Stderr, got.Stdout, got.Code)
		wrong = append(wrong, line.faults(got)...)
	}
	switch {
	case s.marked != "" && len(wrong) == 0:
		t.Errorf("the answer is right now, but the case is still marked with %q", s.marked)
	case s.marked == "":
		for _, fault := range wrong {
			t.Error(fault)
		}
	}
	golden.Compare(t, "screen.txt", screen.String())
}

// faults returns what is wrong about an output, in words.
func (l *commandLine) faults(got golden.Result) (faults []string) {
	output := collapsed(got.Stderr + "\n" + got.Stdout)
	if got.Code != l.exit {
		faults = append(faults, fmt.Sprintf("%v: exit code %d, want %d", l.args, got.Code, l.exit))
	}
	rest := output
	for _, want := range l.want {
		_, after, found := strings.Cut(rest, collapsed(want))
		if !found {
			faults = append(faults, fmt.Sprintf("%v: %q is not in the output, or not in this order", l.args, want))
			continue
		}
		rest = after
	}
	for _, never := range l.never {
		if strings.Contains(output, collapsed(never)) {
			faults = append(faults, fmt.Sprintf("%v: %q is in the output", l.args, never))
		}
	}
	return faults
}

// collapsed returns a text with one blank wherever it has some, so that it does not depend on where lines end.
func collapsed(text string) string { return strings.Join(strings.Fields(text), " ") }

// readSituation reads a file of lines "key: value". Empty lines, and those that begin with #, are comments.
func readSituation(file string) (*situation, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := &situation{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if err := s.set(text); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return s, s.complete()
}

// set sets what one line says.
func (s *situation) set(text string) (err error) {
	name, value, _ := strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	if name == "run" {
		s.runs = append(s.runs, commandLine{args: strings.Fields(value), exit: -1})
		return nil
	}
	switch name {
	case "question":
		s.question = value
		return nil
	case "source":
		s.source = value
		return nil
	case "marked":
		s.marked = value
		return nil
	}
	if len(s.runs) == 0 {
		return fmt.Errorf("%s before the first run", name)
	}
	run := &s.runs[len(s.runs)-1]
	switch name {
	case "exit":
		run.exit, err = strconv.Atoi(value)
	case "want":
		run.want = append(run.want, value)
	case "never":
		run.never = append(run.never, value)
	default:
		err = fmt.Errorf("unknown key %q", name)
	}
	return err
}

// complete returns an error if something is missing, without which a case says nothing.
func (s *situation) complete() error {
	switch {
	case s.question == "" || s.source == "":
		return fmt.Errorf("no question, or no source that says what is right")
	case s.marked != "" && !slices.Contains(subjects, s.marked):
		return fmt.Errorf("marked: %q is none of %q", s.marked, subjects)
	case len(s.runs) == 0:
		return fmt.Errorf("no run")
	}
	for _, run := range s.runs {
		if run.exit < 0 || len(run.args) == 0 || len(run.want) == 0 {
			return fmt.Errorf("run %v: no subcommand, exit or want", run.args)
		}
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func sorted(lines []string) []string {
	slices.Sort(lines)
	return lines
}

// line is a package of the table.
type line struct {
	pkg           string
	before, after *outcome
	explained     map[string]failure
	flaky         []string // tests that passed when they were run again
	withoutUs     []string // tests that also fail before
}

// printTests prints the table of the tests.
func printTests(out io.Writer, lines []line) {
	fmt.Fprintln(out, "| package | before | after | failing | cases | why |")
	fmt.Fprintln(out, "|---|--:|--:|---|--:|---|")
	for _, l := range lines {
		fmt.Fprintf(out, "| %s | %d | %d |  |  |  |\n", l.pkg, l.before.count(), l.after.count())
		for _, test := range l.after.leaves() {
			why, cases := "UNEXPLAINED", 1
			if f, ok := l.explained[test]; ok {
				why, cases = because(f.reason, f.decision), max(1, len(f.cases))
			}
			fmt.Fprintf(out, "| | | | %s | %d | %s |\n", test, cases, why)
		}
		for _, skipped := range l.before.skips() {
			fmt.Fprintf(out, "| | | | %s | | skipped before and after: %s |\n", skipped.test, skipped.reason)
		}
		for _, test := range l.withoutUs {
			fmt.Fprintf(out, "| | | | %s | | fails without kubemath, too |\n", test)
		}
		for _, test := range l.flaky {
			fmt.Fprintf(out, "| | | | %s | | failed once, and passed when it was run again |\n", test)
		}
	}
}

// skip is a test that skips itself, and why.
type skip struct{ test, reason string }

// skips returns the skipped tests, sorted, each with the last line that it printed.
func (o outcome) skips() (all []skip) {
	for _, test := range slices.Sorted(maps.Keys(o.skipped)) {
		reason := "it does not say why"
		if said := reports(o.printed[test]); len(said) > 0 {
			reason = strings.TrimSpace(reportLine.ReplaceAllString(said[len(said)-1], ""))
		}
		all = append(all, skip{test, strings.Join(strings.Fields(reason), " ")})
	}
	return all
}

func because(reason string, decided decision) string {
	return fmt.Sprintf("%s (%s)", reason, decided)
}

// printCalls prints the counts of the adapters.
func printCalls(out io.Writer, calls counts, known []difference) {
	explained := map[string]difference{}
	for _, d := range known {
		explained[d.function] = d
	}
	fmt.Fprintln(out, "| function | agreed | differed | why |")
	fmt.Fprintln(out, "|---|--:|--:|---|")
	var agreed, differed int
	var forwarded []string
	for _, function := range calls.functions() {
		t := calls[function]
		agreed += t.agreed
		differed += len(t.differed)
		if t.forwarded > 0 {
			forwarded = append(forwarded, fmt.Sprintf("%d × %s", t.forwarded, function))
			continue
		}
		why := ""
		if d, ok := explained[function]; ok && len(t.differed) > 0 {
			why = because(d.reason, d.decision)
		} else if len(t.differed) > 0 {
			why = "UNEXPLAINED"
		}
		fmt.Fprintf(out, "| %s | %d | %d | %s |\n", function, t.agreed, len(t.differed), why)
	}
	fmt.Fprintf(out, "| all | %d | %d | |\n", agreed, differed)
	if len(forwarded) > 0 {
		fmt.Fprintf(out, "\nLeft to upstream, as kubemath does not answer it:\n  %s\n", strings.Join(forwarded, "\n  "))
	}
}

// buildCache returns how many bytes Go's build cache has.
func buildCache() (int64, error) {
	dir, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return 0, err
	}
	return size(strings.TrimSpace(string(dir)))
}

// size returns how many bytes the files below a directory have.
func size(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // deleted meanwhile, or not there yet
		}
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes, err
}

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// why are the words of rows that no subcommand answers.
var why = map[string]string{
	"Kubernetes": "the API server may choose either answer",
	"controller": "only a controller asks: what it writes, cleans up or wakes",
	"flag":       "it is set by a flag of the kubelet that the program does not have",
	"gone":       "the flag is gone from Tekton",
	"node":       "only an agent on the node asks",
	"page":       "the playground shows the objects",
	"proposed":   "the document proposes it, and Tekton does not do it",
	"update":     "it is about an update or a deletion, which pool does not read",
}

// document is a document of Kubernetes, Tekton or Capsule, as the file rows.txt of its folder has it.
type document struct {
	amounts []string // all that it has but for dates, versions and issues
	rows    []row
}

// row is a rule, a number or an example of a document.
type row struct {
	number        int
	rule, library string
	without       string      // why no subcommand answers it
	run           commandLine // what does
	section       string      // the first words of a part of the output, or "" for all of it
	want          []string    // texts in this order; those that begin with ! are not there
}

// TestDocumentsByProgram runs each row of the documents through the program. Its answers are written by hand, from the
// document; where the document is wrong, the rule says so, and docs/decisions.md why. The library is named that answers
// the row: its tests have the numbers as well. A number of the document that is in no row, and in no input of it, fails.
func TestDocumentsByProgram(t *testing.T) {
	api, err := os.ReadFile("../../docs/api.txt")
	testkit.OK(t, err)
	files, _ := filepath.Glob("testdata/documents/*/rows.txt") // the pattern is valid
	seen := map[int]bool{}
	for _, file := range files {
		folder := filepath.Dir(file)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			d, err := readDocument(file)
			testkit.OK(t, err)
			for _, r := range d.rows {
				if seen[r.number] || !isExported(string(api), r.library) {
					t.Errorf("row %d is a duplicate, or %s is not in docs/api.txt", r.number, r.library)
				}
				seen[r.number] = true
			}
			d.checkAmounts(t, folder)
			t.Chdir(folder)
			d.check(t)
		})
	}
	for n := 1; n <= max(218, len(seen)); n++ {
		if !seen[n] {
			t.Errorf("there is no row %d", n)
		}
	}
}

// isExported reports whether the list of the API has a function or a type.
func isExported(api, name string) bool {
	dot := strings.LastIndex(name, ".")
	found, err := regexp.MatchString(`(?m)^`+regexp.QuoteMeta(name[:max(dot, 0)])+`: (func|type) `+regexp.QuoteMeta(name[dot+1:])+`\b`, api)
	return err == nil && found
}

// check runs the command lines, each of them once, and looks for what the rows want.
func (d *document) check(t *testing.T) {
	results, without := map[string]golden.Result{}, 0
	for _, r := range d.rows {
		if r.without != "" {
			without++
			continue
		}
		line := strings.Join(r.run.args, " ")
		got, ran := results[line]
		if !ran {
			got = golden.Run(subcommands.Run, "", r.run.args...)
			results[line] = got
		}
		testkit.Equal(t, got.Code, r.run.exit, line, "exit code")
		for _, fault := range r.faults(got.Stdout) {
			t.Errorf("row %d, %s: kubemath %s: %s", r.number, r.rule, line, fault)
		}
	}
	t.Logf("%d rows by the program, %d by the library alone", len(d.rows)-without, without)
}

// faults returns what is wrong about the part of an output that a row is about.
func (r *row) faults(output string) (faults []string) {
	part := collapsed(sectionOf(output, r.section))
	if part == "" {
		return []string{"there is no " + r.section}
	}
	rest := part
	for _, want := range r.want {
		if never, isNever := strings.CutPrefix(want, "!"); isNever {
			if strings.Contains(part, never) {
				faults = append(faults, fmt.Sprintf("%q is there", never))
			}
			continue
		}
		_, after, found := strings.Cut(rest, collapsed(want))
		if !found {
			faults = append(faults, fmt.Sprintf("%q is not there, or not in this order", want))
			continue
		}
		rest = after
	}
	return faults
}

// sectionOf returns the part of an output that begins with a line of these first words, up to the next line that begins
// with a capital, as each title of an object does.
func sectionOf(output, words string) string {
	if words == "" {
		return output
	}
	var part []string
	for line := range strings.Lines(output) {
		isTitle := line[0] >= 'A' && line[0] <= 'Z'
		begins := strings.HasPrefix(line, words) && !strings.HasPrefix(line[len(words):], "-")
		switch {
		case len(part) > 0 && isTitle:
			return strings.Join(part, "")
		case len(part) > 0 || begins:
			part = append(part, line)
		}
	}
	return strings.Join(part, "")
}

// checkAmounts fails if an amount of the document is in no row, and in no file that a row reads.
func (d *document) checkAmounts(t *testing.T, folder string) {
	var text strings.Builder
	files, _ := filepath.Glob(filepath.Join(folder, "*.yaml"))
	for _, file := range files {
		content, err := os.ReadFile(file)
		testkit.OK(t, err)
		text.Write(content)
	}
	for _, r := range d.rows {
		text.WriteString(r.rule + "\n" + strings.Join(r.want, "\n") + "\n")
	}
	known := regexp.MustCompile(`[0-9][0-9.]*(e\+[0-9]+)?[A-Za-z%]*`).FindAllString(text.String(), -1)
	if len(d.amounts) == 0 {
		t.Error("the document has no amounts")
	}
	for _, amount := range d.amounts {
		if !slices.Contains(known, amount) {
			t.Errorf("no row has the %s of the document", amount)
		}
	}
}

// readDocument reads a file of rows: NUMBER | RULE | LIBRARY | SECTION | WANTS, or -WHY instead of the last two.
func readDocument(file string) (d *document, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d = &document{}
	run := commandLine{exit: -1}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case key == "" || strings.HasPrefix(line, "#") || key == "others":
		case key == "amounts":
			d.amounts = strings.Fields(value)
		case key == "run":
			run = commandLine{args: strings.Fields(value), exit: -1}
		case key == "exit":
			run.exit, err = strconv.Atoi(value)
		default:
			err = d.add(strings.TrimSpace(line), run)
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	return d, nil
}

// add adds a row, which the command line before it answers.
func (d *document) add(line string, run commandLine) (err error) {
	fields := strings.Split(line, " | ")
	if len(fields) < 4 {
		return fmt.Errorf("a row has four or five parts")
	}
	r := row{rule: fields[1], library: fields[2], run: run, section: fields[3]}
	r.number, err = strconv.Atoi(fields[0])
	if reason, is := strings.CutPrefix(fields[3], "-"); is {
		if why[reason] == "" {
			return fmt.Errorf("unknown reason %q", reason)
		}
		r.without = reason
	} else if len(fields) != 5 || len(run.args) == 0 || run.exit < 0 {
		return fmt.Errorf("no texts that are wanted, or no command line with an exit code")
	} else {
		r.want = strings.Split(fields[4], " ; ")
	}
	d.rows = append(d.rows, r)
	return err
}

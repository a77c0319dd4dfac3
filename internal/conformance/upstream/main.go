// Command upstream runs Kubernetes' own unit tests with kubemath inside.
//
// It copies the modules that hold the tests from the module cache into a temporary directory,
// renames functions there (PodRequests becomes upstreamPodRequests), and adds files in which a function
// of the old name calls kubemath. These adapters, in testdata/adapters, also call the original, on
// copies, and count how often the two agree and whether an input was changed. The test files are not
// changed. They run before and after, and every test that passes before and fails after has to be
// explained in known.go, by a decision (docs/decisions.md); every explanation must still be needed.
//
// Usage, in internal/conformance:
//
//	go run ./upstream [-kubernetes RELEASE] [-pre-release] [-packages EXPRESSION] [-after] [-record] [-table] [-bench EXPRESSION] [-dir DIRECTORY] [-keep]
//	go run ./upstream -adopters [-packages EXPRESSION] [-dir DIRECTORY] [-keep] DIRECTORY[=VERSION]… [MODULE@VERSION]…
package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	release := flag.String("kubernetes", "1.37", "the `release` of Kubernetes: 1.36, 1.37 or 1.38")
	preRelease := flag.Bool("pre-release", false, "run only the tests of component-helpers in the newest version before a release")
	packages := flag.String("packages", "", "run only packages whose path matches this expression")
	after := flag.Bool("after", false, "run the tests with kubemath only")
	below := flag.String("dir", os.TempDir(), "where the temporary directory is made")
	keep := flag.Bool("keep", false, "keep the temporary directory, and print where it is")
	record := flag.Bool("record", false, "write upstream's answers for the project's own tests, instead of comparing them")
	writeTable := flag.Bool("table", false, "write the table of compatibility in docs/versions.md, instead of comparing it; needs a run of everything")
	bench := flag.String("bench", "", "instead of the tests, run the benchmarks that match this expression, before and with kubemath")
	adopters := flag.Bool("adopters", false, "instead of Kubernetes, test the projects whose directories are the arguments: see .ci/adopters")
	flag.Parse()

	dir, err := os.MkdirTemp(*below, "kubemath-upstream-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	clean := func() { _ = os.RemoveAll(dir) }
	if *keep {
		fmt.Println(dir)
		clean = func() {}
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-interrupted
		clean()
		os.Exit(1)
	}()
	if releases[*release] == "" {
		fmt.Fprintf(os.Stderr, "-kubernetes %s: must be one of %s\n", *release, strings.Join(slices.Sorted(maps.Keys(releases)), ", "))
		os.Exit(1)
	}
	r := run{dir: dir, release: *release, packages: *packages, skipBefore: *after, record: *record, writeTable: *writeTable, bench: *bench}
	todo := r.all
	if r.bench != "" {
		todo = r.benchmarks
	}
	if *preRelease {
		todo = r.preRelease
	}
	if *adopters {
		todo = func() ([]string, error) { return r.adopt(flag.Args()) }
	}
	faults, err := todo()
	clean()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, fault := range faults {
		fmt.Fprintln(os.Stderr, "\n"+fault)
	}
	if len(faults) > 0 {
		fmt.Fprintf(os.Stderr, "\n%d faults\n", len(faults))
		os.Exit(1)
	}
}

// run is one run of the command.
type run struct {
	dir        string // temporary
	release    string
	packages   string
	skipBefore bool
	record     bool // replace what is recorded
	writeTable bool // replace the table of compatibility
	bench      string
}

// complete reports whether everything runs.
func (r run) complete() bool { return r.packages == "" && !r.skipBefore }

// benchmarks runs the benchmarks of a release.
func (r run) benchmarks() (faults []string, err error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	return nil, r.benchmark(kubernetesWorld(r.release), root)
}

func (r run) all() (faults []string, err error) {
	started := time.Now()
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	cachedBefore, err := buildCache()
	if err != nil {
		return nil, err
	}
	faults = checkDecisions(root, knownDecisions())

	if r.writeTable && !r.complete() {
		return nil, errors.New("-table needs a run of everything")
	}
	lines, counted, more, err := r.world(kubernetesWorld(r.release), root)
	if err != nil {
		return nil, err
	}
	faults = append(faults, more...)
	printTests(os.Stdout, lines)
	known := differencesOf(r.release)
	if !r.complete() {
		known = only(known, counted)
	}
	faults = append(faults, checkCalls(counted, known)...)
	fmt.Println()
	printCalls(os.Stdout, counted, known)
	if r.complete() {
		fault, err := r.compatibility(root, comparedOf(r.release, lines, counted))
		if err != nil {
			return nil, err
		}
		if fault != "" {
			faults = append(faults, fault)
		}
	}
	used, err := size(r.dir)
	if err != nil {
		return nil, err
	}
	cached, err := buildCache()
	if err != nil {
		return nil, err
	}
	fmt.Printf("\n%s, %d MB of copies, which are deleted, and %d MB more in Go's build cache\n", time.Since(started).Round(time.Second), used>>20, max(0, cached-cachedBefore)>>20)
	return faults, nil
}

// only returns the differences of functions that were called, and differed.
func only(known []difference, calls counts) (some []difference) {
	for _, d := range known {
		if t := calls[d.function]; t != nil && len(t.differed) > 0 {
			some = append(some, d)
		}
	}
	return some
}

// world runs the tests of a world before and after.
func (r run) world(w world, root string) (lines []line, counted counts, faults []string, err error) {
	w.packages, err = matching(w.packages, r.packages)
	if err != nil || len(w.packages) == 0 {
		return nil, nil, nil, err
	}
	started := time.Now()
	progress := func(what string) {
		fmt.Fprintf(os.Stderr, "%s: %s after %s\n", w.name, what, time.Since(started).Round(time.Second))
	}
	dir := filepath.Join(r.dir, strings.ReplaceAll(w.name, " ", "-"))
	calls := filepath.Join(dir, "calls")
	if err := os.MkdirAll(calls, 0o755); err != nil {
		return nil, nil, nil, err
	}
	b, err := w.build(dir, root)
	if err != nil {
		return nil, nil, nil, err
	}
	progress("copied")
	before := map[string]*outcome{}
	for _, pkg := range w.packages {
		before[pkg] = &outcome{}
	}
	if !r.skipBefore {
		before, err = b.test(w.packages, "", calls)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, pkg := range w.packages {
			if _, err := b.settle(pkg, before[pkg], calls); err != nil {
				return nil, nil, nil, err
			}
		}
		progress("tested as it is")
	}
	for _, rec := range recordings {
		if !slices.Contains(w.packages, rec.pkg) {
			continue
		}
		fault, err := rec.record(b, root, r.record)
		if err != nil {
			return nil, nil, nil, err
		}
		if fault != "" {
			faults = append(faults, fault)
		}
	}
	if err := b.adapt(); err != nil {
		return nil, nil, nil, err
	}
	after, err := b.test(w.packages, "", calls)
	if err != nil {
		return nil, nil, nil, err
	}
	progress("tested with kubemath")
	for _, pkg := range w.packages {
		l := line{pkg: pkg + " " + b.version(pkg), before: before[pkg], after: after[pkg]}
		if broken := l.before.broken; broken != "" {
			faults = append(faults, fmt.Sprintf("%s: the tests do not run without kubemath either:\n%s", pkg, broken))
		}
		l.withoutUs = l.withoutKubemath()
		l.flaky, err = b.settle(pkg, l.after, calls)
		if err != nil {
			return nil, nil, nil, err
		}
		var more []string
		more, l.explained = check(pkg, l.before, l.after, b.known)
		faults = append(faults, more...)
		lines = append(lines, l)
	}
	counted, err = readCalls(calls)
	return lines, counted, faults, err
}

// preRelease runs the tests of component-helpers in the newest available pre-release. Its results
// are printed and are not failures, because the version may still change.
func (r run) preRelease() ([]string, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	versions, err := preReleases("componenthelpers")
	if err != nil {
		return nil, err
	}
	for _, version := range versions {
		w := componentHelpersAt(version)
		lines, counted, faults, err := r.world(w, root)
		if err != nil {
			fmt.Printf("\n%s could not be tested: %v\n", w.name, err)
			continue
		}
		fmt.Printf("\n%s, which is reported and not required:\n", w.name)
		printTests(os.Stdout, lines)
		fmt.Println()
		printCalls(os.Stdout, counted, nil)
		for _, fault := range append(faults, checkCalls(counted, nil)...) {
			fmt.Println(fault)
		}
		break
	}
	return nil, nil
}

// withoutKubemath takes out of the failures the tests that fail before, too, and returns them.
func (l *line) withoutKubemath() (tests []string) {
	for test := range l.after.failed {
		if l.before.failed[test] {
			tests = append(tests, test)
			delete(l.after.failed, test)
		}
	}
	return sorted(tests)
}

// matching returns the texts that match an expression.
func matching(texts []string, expression string) (some []string, err error) {
	re, err := regexp.Compile(expression)
	for _, text := range texts {
		if err == nil && re.MatchString(text) {
			some = append(some, text)
		}
	}
	return some, err
}

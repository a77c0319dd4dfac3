package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kubemath/kubemath/internal/conformance/upstream/beside"
)

// measured is the result of an upstream benchmark.
type measured struct{ nanoseconds, allocations float64 }

// benchmarks are what benchmarks have printed, by package and name.
type benchmarks map[string]measured

// parseBenchmarks reads the output of go test -bench -benchmem. Of several runs, the fastest counts.
func parseBenchmarks(out io.Reader) (benchmarks, error) {
	all := benchmarks{}
	pkg := ""
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		switch {
		case len(fields) == 2 && fields[0] == "pkg:":
			pkg = fields[1]
		case len(fields) >= 4 && strings.HasPrefix(fields[0], "Benchmark"):
			name, _ := cutProcessors(fields[0])
			var m measured
			for i := 2; i+1 < len(fields); i += 2 {
				value, err := strconv.ParseFloat(fields[i], 64)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", lines.Text(), err)
				}
				switch fields[i+1] {
				case "ns/op":
					m.nanoseconds = value
				case "allocs/op":
					m.allocations = value
				}
			}
			all.keepFastest(benchmarks{pkg + " " + name: m})
		}
	}
	return all, lines.Err()
}

// cutProcessors returns the name of a benchmark without the suffix for the number of processors.
func cutProcessors(name string) (string, bool) {
	i := strings.LastIndexByte(name, '-')
	if i < 0 {
		return name, false
	}
	if _, err := strconv.Atoi(name[i+1:]); err != nil {
		return name, false
	}
	return name[:i], true
}

// compile compiles the tests of packages that have benchmarks into a directory, and returns the
// programs by package.
func (b *built) compile(packages []string, into string) (map[string]string, error) {
	programs := map[string]string{}
	for i, pkg := range packages {
		dir, err := b.directory(pkg)
		if err != nil {
			return nil, err
		}
		has, err := hasBenchmarks(dir)
		if err != nil {
			return nil, err
		}
		if !has {
			continue
		}
		program := filepath.Join(into, fmt.Sprintf("%d.test", i))
		if _, err := b.golang("test", "-mod=mod", "-trimpath", "-vet=off", "-c", "-o", program, pkg); err != nil {
			return nil, err
		}
		programs[pkg] = program
	}
	return programs, nil
}

// hasBenchmarks reports whether the tests in a directory have benchmarks.
func hasBenchmarks(dir string) (bool, error) {
	tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return false, err
	}
	for _, test := range tests {
		source, err := os.ReadFile(test)
		if err != nil {
			return false, err
		}
		if bytes.Contains(source, []byte("\nfunc Benchmark")) {
			return true, nil
		}
	}
	return false, nil
}

// runBenchmarks runs the program of a package in its directory, as go test does, and returns its output.
func (b *built) runBenchmarks(pkg, program, calls string, args ...string) ([]byte, error) {
	dir, err := b.directory(pkg)
	if err != nil {
		return nil, err
	}
	command := exec.Command(program, append([]string{"-test.run=^$", "-test.timeout=60m"}, args...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), beside.Directory+"="+calls)
	command.Stderr = nil // logs
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", pkg, strings.Join(args, " "), err, out)
	}
	return out, nil
}

// reaching is a benchmark that calls adapters, and which of their functions.
type reaching struct {
	pkg, name string
	functions []string
}

// reach returns the benchmarks that match an expression and call adapters in the measured part, and the
// names of the others, each with the reason.
func (b *built) reach(programs map[string]string, expression *regexp.Regexp) (reached []reaching, others []string, err error) {
	for _, pkg := range slices.Sorted(maps.Keys(programs)) {
		listed, err := b.runBenchmarks(pkg, programs[pkg], b.dir, "-test.list=^Benchmark")
		if err != nil {
			return nil, nil, err
		}
		for _, name := range strings.Fields(string(listed)) {
			if !strings.HasPrefix(name, "Benchmark") || !expression.MatchString(name) {
				continue
			}
			functions, why, err := b.asks(pkg, name, programs[pkg])
			switch {
			case err != nil:
				return nil, nil, err
			case why != "":
				others = append(others, fmt.Sprintf("%s %s %s", pkg, name, why))
			default:
				reached = append(reached, reaching{pkg, name, functions})
			}
		}
	}
	return reached, others, nil
}

// asks returns the functions of adapters that a benchmark calls in the measured part, or why it seems to
// call none. The number of calls before that part does not grow with the number of rounds.
func (b *built) asks(pkg, name, program string) (functions []string, why string, err error) {
	var counted [2]counts
	for i, rounds := range []string{"3x", "5x"} { // 1x runs it once, and all others once more
		calls, err := os.MkdirTemp(b.dir, "calls-")
		if err != nil {
			return nil, "", err
		}
		if _, err := b.runBenchmarks(pkg, program, calls, "-test.bench=^"+name+"$", "-test.benchtime="+rounds); err != nil {
			return nil, "fails, with upstream's functions beside kubemath's", nil
		}
		counted[i], err = readCalls(calls)
		if err != nil {
			return nil, "", err
		}
	}
	few, many := counted[0], counted[1]
	for _, function := range many.functions() {
		if few[function] == nil || many[function].calls() > few[function].calls() {
			functions = append(functions, function)
		}
	}
	switch {
	case len(many) == 0:
		why = "reaches none"
	case len(functions) == 0:
		why = "asks " + strings.Join(many.functions(), ", ") + " before what it measures"
	}
	return functions, why, nil
}

// calls returns how often the function was called.
func (t *tally) calls() int { return t.agreed + t.forwarded + len(t.differed) }

// rounds is how often each benchmark runs before and after, in turn: so temporary load affects
// both. The fastest counts.
const rounds = 3

// measure runs benchmarks unchanged and with kubemath, in turn.
func (b *built) measure(reached []reaching, theirs, ours map[string]string) (before, after benchmarks, err error) {
	before, after = benchmarks{}, benchmarks{}
	for range rounds {
		for _, r := range reached {
			for _, side := range []struct {
				programs map[string]string
				all      benchmarks
			}{{theirs, before}, {ours, after}} {
				out, err := b.runBenchmarks(r.pkg, side.programs[r.pkg], b.dir, "-test.bench=^"+r.name+"$", "-test.benchmem")
				if err != nil {
					return nil, nil, err
				}
				printed, err := parseBenchmarks(bytes.NewReader(out))
				if err != nil {
					return nil, nil, err
				}
				side.all.keepFastest(printed)
			}
		}
	}
	return before, after, nil
}

// keepFastest adds the benchmarks of another run, those that are faster or new.
func (all benchmarks) keepFastest(others benchmarks) {
	for key, m := range others {
		if old, ok := all[key]; !ok || m.nanoseconds < old.nanoseconds {
			all[key] = m
		}
	}
}

// printBenchmarks prints the table of the benchmarks: unchanged, and with kubemath.
func printBenchmarks(out io.Writer, before, after benchmarks) {
	fmt.Fprintln(out, "| package | benchmark | theirs | ours | ratio | allocations | ours |")
	fmt.Fprintln(out, "|---|---|--:|--:|--:|--:|--:|")
	for _, key := range slices.Sorted(maps.Keys(before)) {
		pkg, name, _ := strings.Cut(key, " ")
		b := before[key]
		a, ok := after[key]
		if !ok {
			fmt.Fprintf(out, "| %s | %s | %s | did not run | | %.0f | |\n", pkg, name, inTime(b.nanoseconds), b.allocations)
			continue
		}
		ratio := "–"
		if a.nanoseconds > 0 {
			ratio = fmt.Sprintf("%.2f", b.nanoseconds/a.nanoseconds)
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %.0f | %.0f |\n", pkg, name, inTime(b.nanoseconds), inTime(a.nanoseconds), ratio, b.allocations, a.allocations)
	}
}

// inTime returns nanoseconds in a suitable unit.
func inTime(nanoseconds float64) string {
	switch {
	case nanoseconds >= 1e9:
		return fmt.Sprintf("%.2f s", nanoseconds/1e9)
	case nanoseconds >= 1e6:
		return fmt.Sprintf("%.2f ms", nanoseconds/1e6)
	case nanoseconds >= 1e4:
		return fmt.Sprintf("%.1f µs", nanoseconds/1e3)
	}
	return fmt.Sprintf("%.0f ns", nanoseconds)
}

// benchmark runs the benchmarks of a world that call adapters, before and after, with adapters that call
// only kubemath.
func (r run) benchmark(w world, root string) error {
	expression, err := regexp.Compile(r.bench)
	if err != nil {
		return err
	}
	packages, err := matching(slices.Concat(w.packages, w.benchmarked), r.packages)
	if err != nil || len(packages) == 0 {
		return err
	}
	dir, err := os.MkdirTemp(r.dir, "benchmarks-")
	if err != nil {
		return err
	}
	b, err := w.build(dir, root)
	if err != nil {
		return err
	}
	var programs [3]map[string]string // unchanged, with adapters that compare, and with adapters that do not
	for i, prepare := range []func() error{
		func() error { return nil },
		b.adapt,
		b.adaptLean,
	} {
		into, err := os.MkdirTemp(dir, "programs-")
		if err != nil {
			return err
		}
		if err := prepare(); err != nil {
			return err
		}
		programs[i], err = b.compile(packages, into)
		if err != nil {
			return err
		}
	}
	fmt.Printf("\n%s:\n\n", w.name)
	reached, others, err := b.reach(programs[1], expression)
	if err != nil {
		return err
	}
	if len(reached) == 0 {
		fmt.Println("No benchmark asks an adapter.")
	} else {
		before, after, err := b.measure(reached, programs[0], programs[2])
		if err != nil {
			return err
		}
		printBenchmarks(os.Stdout, before, after)
		fmt.Println()
		for _, r := range reached {
			fmt.Printf("%s %s asks for %s.\n", r.pkg, r.name, strings.Join(r.functions, ", "))
		}
	}
	if len(others) > 0 {
		fmt.Printf("\nNot measured, since they ask no adapter:\n  %s\n", strings.Join(others, "\n  "))
	}
	return nil
}

package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/kubemath/kubemath/internal/conformance/upstream/beside"
)

// measured is what a benchmark of upstream's has printed.
type measured struct{ nanoseconds, allocations float64 }

// benchmarks are what benchmarks have printed, by package and name.
type benchmarks map[string]measured

// parseBenchmarks reads what go test -bench -benchmem prints. Of several runs, the fastest counts.
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
			key := pkg + " " + name
			if old, ok := all[key]; !ok || m.nanoseconds < old.nanoseconds {
				all[key] = m
			}
		}
	}
	return all, lines.Err()
}

// cutProcessors returns the name of a benchmark without the number of processors behind it.
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

// bench runs the benchmarks of packages that an expression selects.
func (b *built) bench(packages []string, expression, calls string) (benchmarks, error) {
	args := []string{"test", "-mod=mod", "-trimpath", "-vet=off", "-timeout=60m", "-run=^$", "-bench=" + expression, "-benchmem", "-count=3"}
	command := exec.Command("go", append(args, packages...)...)
	command.Dir = b.dir
	command.Env = append(os.Environ(), beside.Directory+"="+calls)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	all, err := parseBenchmarks(out)
	if failed := command.Wait(); err == nil && failed != nil {
		err = fmt.Errorf("go test -bench: %w", failed)
	}
	return all, err
}

// printBenchmarks prints the table of the benchmarks: upstream's as they are, and with kubemath.
func printBenchmarks(out io.Writer, before, after benchmarks) {
	fmt.Fprintln(out, "| benchmark | before | with kubemath | ratio | allocations before | with kubemath |")
	fmt.Fprintln(out, "|---|--:|--:|--:|--:|--:|")
	for _, key := range slices.Sorted(maps.Keys(before)) {
		b := before[key]
		a, ok := after[key]
		if !ok {
			fmt.Fprintf(out, "| %s | %.0f ns | did not run | | %.0f | |\n", key, b.nanoseconds, b.allocations)
			continue
		}
		ratio := "–"
		if a.nanoseconds > 0 {
			ratio = fmt.Sprintf("%.2f", b.nanoseconds/a.nanoseconds)
		}
		fmt.Fprintf(out, "| %s | %.0f ns | %.0f ns | %s | %.0f | %.0f |\n", key, b.nanoseconds, a.nanoseconds, ratio, b.allocations, a.allocations)
	}
}

// benchmark runs the benchmarks of a world before and after, with adapters that ask kubemath alone.
func (r run) benchmark(w world, root string) error {
	var err error
	if w.packages, err = matching(w.packages, r.packages); err != nil || len(w.packages) == 0 {
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
	calls, err := os.MkdirTemp(dir, "calls-")
	if err != nil {
		return err
	}
	before, err := b.bench(w.packages, r.bench, calls)
	if err != nil {
		return err
	}
	b.lean = true
	if err := b.adapt(); err != nil {
		return err
	}
	after, err := b.bench(w.packages, r.bench, calls)
	if err != nil {
		return err
	}
	fmt.Printf("\n%s:\n\n", w.name)
	printBenchmarks(os.Stdout, before, after)
	return nil
}

package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
)

func main() {
	root := flag.String("root", "../..", "the `folder` of the module")
	dir := flag.String("faults", "faults/planted", "the `folder` of the faults")
	n := flag.Int("n", 0, "plant only so many, drawn by the seed (0: all)")
	seed := flag.Uint64("seed", 1, "which faults are drawn")
	run := flag.String("run", "", "plant only faults whose file or name matches the `regexp`")
	parallel := flag.Int("parallel", 2, "plant so many at a time")
	all := flag.Bool("v", false, "tell of each fault, also of those that were noticed")
	flag.Parse()

	faults, err := load(*dir)
	if err != nil {
		fail(err)
	}
	matches, err := regexp.Compile(*run)
	if err != nil {
		fail(err)
	}
	faults = slices.DeleteFunc(faults, func(f fault) bool { return !matches.MatchString(f.file + ": " + f.name) })
	if *n > 0 && *n < len(faults) {
		rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
		faults = faults[:*n]
		fmt.Printf("seed %d: %d faults\n", *seed, *n)
	}
	if len(faults) == 0 {
		fail(fmt.Errorf("no fault matches %q", *run))
	}
	outcomes := plantAll(*root, faults, *parallel, *all)
	if report(faults, outcomes) {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "faults:", err)
	os.Exit(2)
}

// plantAll returns the result for each fault. It prints undetected faults, or all, immediately.
func plantAll(root string, faults []fault, parallel int, all bool) []outcome {
	outcomes := make([]outcome, len(faults))
	var wait sync.WaitGroup
	var print sync.Mutex
	next := make(chan int)
	for range max(parallel, 1) {
		wait.Go(func() {
			for i := range next {
				var err error
				outcomes[i], err = plant(root, &faults[i])
				print.Lock()
				if all || outcomes[i] != noticed {
					fmt.Printf("%s: %s: %s\n", outcomes[i], faults[i].file, faults[i].name)
				}
				if err != nil {
					fmt.Println(err)
				}
				print.Unlock()
			}
		})
	}
	for i := range faults {
		next <- i
	}
	close(next)
	wait.Wait()
	return outcomes
}

// report prints a table by package, and reports whether any fault was not detected.
func report(faults []fault, outcomes []outcome) (failed bool) {
	counts := map[string]map[outcome]int{}
	total := map[outcome]int{}
	for i, f := range faults {
		dir := path.Dir(f.file)
		if counts[dir] == nil {
			counts[dir] = map[outcome]int{}
		}
		counts[dir][outcomes[i]]++
		total[outcomes[i]]++
	}
	dirs := make([]string, 0, len(counts))
	for dir := range counts {
		dirs = append(dirs, dir)
	}
	slices.SortFunc(dirs, strings.Compare)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "package\tnoticed\tsurvived\tbroken\t")
	for _, dir := range dirs {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", dir, counts[dir][noticed], counts[dir][survived], counts[dir][broken])
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t\n", total[noticed], total[survived], total[broken])
	w.Flush()
	return total[noticed] != len(faults)
}

package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"path"
	"regexp"
	"runtime"
	"slices"
	"syscall"
	"time"
)

func main() {
	root := flag.String("root", "../..", "the `folder` of the module")
	dir := flag.String("faults", "faults/planted", "the `folder` of the faults")
	n := flag.Int("n", 0, "plant only so many, drawn by the seed (0: all)")
	seed := flag.Uint64("seed", 1, "which faults are drawn")
	run := flag.String("run", "", "plant only faults whose package or name matches the `regexp`")
	parallel := flag.Int("parallel", runtime.GOMAXPROCS(0), "plant so many at a time")
	per := flag.Int("per", sitesPerFault, "one in so many places of a function has a fault that is made by an operator")
	hand := flag.Bool("hand", false, "plant only faults that are written by hand")
	excepted := flag.Bool("excepted", false, "plant the exceptions, to see which of them tests notice")
	all := flag.Bool("v", false, "tell of each fault, also of those that were noticed")
	write := flag.Bool("write", false, "update the folder of the faults: which tests noticed faults, and exceptions that are stale or noticed")
	flag.Parse()
	if *write && !*excepted && (*n > 0 || *hand || *run != "" || *per != sitesPerFault || flag.NArg() > 0) {
		fail(errors.New("-write is for all faults, or for exceptions"))
	}
	packages := flag.Args()
	for i := range packages {
		packages[i] = path.Clean(packages[i])
	}

	m, err := loadModule(*root)
	if err != nil {
		fail(err)
	}
	faults, err := loadFaults(m, *dir, packages, max(*per, 1), *excepted)
	if err != nil {
		fail(err)
	}
	if *hand {
		faults = slices.DeleteFunc(faults, func(f fault) bool { return f.site != nil })
	}
	faults, err = some(faults, *run, *n, *seed)
	if err != nil {
		fail(err)
	}
	finish := func(*planter) error { return nil }
	switch {
	case *write && *excepted:
		finish = func(p *planter) error {
			return errors.Join(p.dropNoticed(*dir, faults), p.writeFirst(*dir, faults, p.first))
		}
	case *write:
		finish = func(p *planter) error {
			return errors.Join(p.writeFirst(*dir, faults, nil), dropStale(*dir, faults))
		}
	}
	ok, err := plantFaults(m, *dir, faults, *parallel, *all, finish)
	if err != nil {
		fail(err)
	}
	if !ok {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "faults:", err)
	os.Exit(2)
}

// some returns the faults that match, or n of these.
func some(faults []fault, matching string, n int, seed uint64) ([]fault, error) {
	matches, err := regexp.Compile(matching)
	if err != nil {
		return nil, err
	}
	faults = slices.DeleteFunc(faults, func(f fault) bool { return !matches.MatchString(f.String()) })
	if len(faults) == 0 {
		return nil, fmt.Errorf("there is no fault that matches %q, or the packages have none", matching)
	}
	if n > 0 && n < len(faults) {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
		faults = faults[:n]
		fmt.Printf("seed %d: %d faults\n", seed, n)
	}
	return faults, nil
}

// plantFaults prints what became of the faults of a folder, and reports whether all is well.
func plantFaults(
	m *module, dir string, faults []fault, parallel int, all bool, finish func(*planter) error,
) (ok bool, err error) {
	folder, err := os.MkdirTemp("", "faults-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(folder)
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM)
	go func() { // which runs no deferred call
		<-ended
		os.RemoveAll(folder)
		os.Exit(2)
	}()
	p, err := newPlanter(m, faults, folder, 10*time.Second)
	if err != nil {
		return false, err
	}
	if p.first, err = readFirst(dir); err != nil {
		return false, err
	}
	p.plantAll(parallel, func(i int) {
		if all || p.outcomes[i] != noticed {
			fmt.Printf("%s: %s\n", p.outcomes[i], &faults[i])
		}
		if p.why[i] != nil {
			fmt.Println("\t", p.why[i])
		}
	})
	fmt.Print(p.table(faults))
	if err := finish(p); err != nil {
		return false, err
	}
	return p.ok(), nil
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sitesPerFault is how many sites of a function have one fault, unless a flag says otherwise.
const sitesPerFault = 20

// choose returns one in so many sites of each function, and at least one: of different operators if possible, and
// otherwise by their keys. So the choice in one function does not depend on any other, and hardly on its own other
// statements.
func choose(all []site, per int) []site {
	of := map[string][]site{}
	for _, s := range all {
		name := s.path + "\n" + s.function
		of[name] = append(of[name], s)
	}
	var chosen []site
	for _, name := range slices.Sorted(maps.Keys(of)) {
		sites := slices.SortedFunc(slices.Values(of[name]), func(a, b site) int { return strings.Compare(a.key, b.key) })
		before := map[string]int{} // how many of the same operator come before
		rank := map[string]int{}
		for _, s := range sites {
			rank[s.key] = before[s.operator]
			before[s.operator]++
		}
		slices.SortStableFunc(sites, func(a, b site) int { return cmp.Compare(rank[a.key], rank[b.key]) })
		chosen = append(chosen, sites[:(len(sites)+per-1)/per]...)
	}
	return chosen
}

// chosenFaults returns the faults that operators make in a package: those of the choice that compile.
func (m *module) chosenFaults(dir string, tests []string, per int) ([]fault, error) {
	p := m.packages[dir]
	all, err := m.sites(p)
	if err != nil {
		return nil, err
	}
	if tests == nil {
		tests = []string{dir}
	}
	good, bad := map[string]bool{}, map[string]bool{}
	for {
		var faults []fault
		var edits []*edit
		chosen := choose(slices.DeleteFunc(slices.Clone(all), func(s site) bool { return bad[s.key] }), per)
		for i := range chosen {
			s := &chosen[i]
			f := fault{name: fmt.Sprintf("%s: %s [%s]", s.place(), s.what, s.key), pkg: dir, tests: tests, site: s}
			faults = append(faults, f)
			if good[s.key] {
				continue
			}
			e, err := newEdit(&f, p)
			if err != nil {
				return nil, err
			}
			e.id = len(edits) + 1
			edits = append(edits, e)
		}
		if len(edits) == 0 {
			return faults, nil
		}
		failed, err := m.failing(p, edits)
		if err != nil {
			return nil, err
		}
		for _, e := range edits {
			good[e.site.key], bad[e.site.key] = failed[e] == nil, failed[e] != nil
		}
	}
}

// exceptionsFile lists the sites that are not planted, next to the faults. A line has the package, the key, the edit and
// the reason, with tabs between them.
const exceptionsFile = "exceptions.tsv"

type exception struct{ pkg, key, edit, reason string }

// readExceptions returns the exceptions of a folder.
func readExceptions(dir string) ([]exception, error) {
	text, err := os.ReadFile(filepath.Join(dir, exceptionsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var all []exception
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 4 || parts[3] == "" {
			return nil, fmt.Errorf("%s: want a package, a key, an edit and a reason: %q", exceptionsFile, line)
		}
		all = append(all, exception{parts[0], parts[1], parts[2], parts[3]})
	}
	return all, nil
}

// dropStale drops the exceptions that are stale faults.
func dropStale(dir string, faults []fault) error {
	return dropExceptions(dir, func(e *exception) bool {
		return slices.ContainsFunc(faults, func(f fault) bool { return f.pkg == e.pkg && f.name == e.String() })
	})
}

// dropNoticed drops the exceptions that tests notice.
func (p *planter) dropNoticed(dir string, faults []fault) error {
	by := map[string]bool{}
	for i := range faults {
		by[faults[i].known()] = p.outcomes[i] == noticed
	}
	return dropExceptions(dir, func(e *exception) bool { return by[e.pkg+": "+e.key] })
}

// dropExceptions writes the exceptions of a folder again, without some.
func dropExceptions(dir string, drop func(e *exception) bool) error {
	all, err := readExceptions(dir)
	if err != nil || all == nil {
		return err
	}
	var b strings.Builder
	for i := range all {
		if e := &all[i]; !drop(e) {
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", e.pkg, e.key, e.edit, e.reason)
		}
	}
	return os.WriteFile(filepath.Join(dir, exceptionsFile), []byte(b.String()), 0o644)
}

// String returns what lists call the exception if it is stale.
func (e *exception) String() string { return fmt.Sprintf("exception: %s [%s]", e.edit, e.key) }

// except returns the faults without the exceptions. An exception of a fault that is not among them is a stale fault.
func except(faults []fault, exceptions []exception) []fault {
	by := map[[2]string]*exception{}
	for i, e := range exceptions {
		by[[2]string{e.pkg, e.key}] = &exceptions[i]
	}
	var kept []fault
	for _, f := range faults {
		if f.site != nil {
			if key := [2]string{f.pkg, f.site.key}; by[key] != nil {
				delete(by, key)
				continue
			}
		}
		kept = append(kept, f)
	}
	for _, e := range exceptions {
		if by[[2]string{e.pkg, e.key}] != nil {
			kept = append(kept, fault{name: e.String(), pkg: e.pkg})
		}
	}
	return kept
}

// program are the packages below examples that hold rules, and not only layout: people read their answers.
var program = []string{
	"examples/internal/annotation", "examples/internal/comparison", "examples/internal/inventory",
	"examples/internal/listing", "examples/internal/origin", "examples/internal/pipelinerun",
	"examples/internal/podreport/manifest", "examples/internal/podreport/report", "examples/internal/poolmetrics",
	"examples/internal/quantity", "examples/internal/resourcepool", "examples/internal/taskrun", "examples/internal/top",
	"examples/kubemath/internal/diff", "examples/kubemath/internal/explain", "examples/kubemath/internal/nodes",
	"examples/kubemath/internal/quotause", "examples/kubemath/internal/resize", "examples/kubemath/internal/room",
	"examples/kubemath/internal/schedulerconfig", "examples/kubemath/internal/table", "examples/kubemath/internal/tree",
	"examples/playground/internal/answer", "examples/playground/internal/coschedule",
}

// kernels returns the packages whose functions operators change.
func (m *module) kernels() []string {
	var all []string
	for _, dir := range slices.Sorted(maps.Keys(m.packages)) {
		top, below, _ := strings.Cut(dir, "/")
		forTests := []string{"arch", "golden", "measure", "replay", "testkit", "vectors"}
		if (top != "examples" || slices.Contains(program, dir)) && !(top == "internal" && slices.Contains(forTests, below)) && filepath.Base(dir) != "pooltest" {
			all = append(all, dir)
		}
	}
	return all
}

// loadFaults returns all faults of some packages, or of all if there are none: those in the files of a folder, and those
// of the operators at one in so many sites, without the exceptions. Or it returns the exceptions.
func loadFaults(m *module, dir string, packages []string, per int, excepted bool) ([]fault, error) {
	faults, tests, err := load(dir)
	if err != nil {
		return nil, err
	}
	in := func(pkg string) bool { return len(packages) == 0 || slices.Contains(packages, pkg) }
	faults = slices.DeleteFunc(faults, func(f fault) bool { return !in(f.pkg) })
	for _, kernel := range m.kernels() {
		if !in(kernel) {
			continue
		}
		made, err := m.chosenFaults(kernel, tests[kernel], per)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kernel, err)
		}
		faults = append(faults, made...)
	}
	exceptions, err := readExceptions(dir)
	if err != nil {
		return nil, err
	}
	exceptions = slices.DeleteFunc(exceptions, func(e exception) bool { return !in(e.pkg) })
	kept := except(faults, exceptions)
	if excepted {
		planted := map[string]bool{}
		for i := range kept {
			planted[kept[i].name] = true
		}
		return slices.DeleteFunc(faults, func(f fault) bool { return planted[f.name] }), nil
	}
	return kept, nil
}

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/internal/conformance/fromupstream"
)

// An adopter is a project that has functions like those of kubemath. Its adapters are in
// testdata/adopters, below its name, by package.
type adopter struct {
	name   string
	module string

	// heading is that of its table in docs/from-upstream.md, "" if it has none.
	heading string

	// beside are packages that are tested although no function of theirs is replaced, because they call
	// one.
	beside []string
}

// adopters are the projects that are known, the quickest to compile first.
var adopters = []adopter{
	{name: "descheduler", module: "sigs.k8s.io/descheduler", heading: "Descheduler"},
	{name: "vertical-pod-autoscaler", module: "k8s.io/autoscaler/vertical-pod-autoscaler", heading: "Vertical Pod Autoscaler", beside: []string{"pkg/admission-controller/resource/pod/recommendation", "pkg/recommender/routines"}},
	{name: "capsule", module: "github.com/projectcapsule/capsule", heading: "Capsule's resource pools"},
	{name: "tekton", module: "github.com/tektoncd/pipeline", heading: "Tekton Pipelines", beside: []string{"pkg/pod"}},
	{name: "cluster-autoscaler", module: "sigs.k8s.io/cluster-autoscaler", heading: "Cluster autoscaler"},
	{name: "kueue", module: "sigs.k8s.io/kueue", heading: "Kueue", beside: []string{
		"pkg/cache/hierarchy", "pkg/cache/queue", "pkg/cache/queue/afs", "pkg/cache/scheduler/was", "pkg/scheduler", "pkg/scheduler/flavorassigner",
		"pkg/scheduler/preemption", "pkg/scheduler/preemption/common", "pkg/scheduler/preemption/fairsharing",
	}},
	{name: "volcano", module: "volcano.sh/volcano", heading: "Volcano"},
	{name: "karpenter", module: "sigs.k8s.io/karpenter", heading: "Karpenter"},
}

// checkout is a directory with the sources of a project.
type checkout struct {
	adopter
	dir, version string
}

// adopt tests projects before and with kubemath in place of functions of theirs. Directories of other
// modules replace these modules.
func (r run) adopt(args []string) (faults []string, err error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	checkouts, replaced, err := checkoutsOf(args)
	if err != nil {
		return nil, err
	}
	rows, err := fromupstream.Rows(filepath.Join(root, fromUpstream))
	if err != nil {
		return nil, err
	}
	var decisions []decision
	for _, f := range adopterFailures {
		decisions = append(decisions, f.decision)
	}
	faults = checkDecisions(root, decisions)
	var results []adopted
	for _, c := range checkouts {
		looked, stale, err := staleRows(c, rows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		faults = append(faults, stale...)
		result, more, err := r.adoptOne(c, replaced, root)
		result.looked = looked
		if err != nil {
			result.broken = err.Error()
			more = append(more, fmt.Sprintf("%s could not be tested: %v", c.name, err))
		}
		results = append(results, result)
		faults = append(faults, more...)
	}
	printAdopted(os.Stdout, results)
	return faults, nil
}

// checkoutsOf reads the arguments: directories, each with its version if it does not know it itself, and
// modules to use in a version that the project does not ask for, as MODULE@VERSION.
func checkoutsOf(args []string) (checkouts []checkout, replaced map[string]string, err error) {
	replaced = map[string]string{}
	for _, arg := range args {
		if module, _, ok := strings.Cut(arg, "@"); ok && !exists(arg) {
			replaced[module] = arg
			continue
		}
		dir, version, _ := strings.Cut(arg, "=")
		dir, err = filepath.Abs(dir)
		if err != nil {
			return nil, nil, err
		}
		out, err := exec.Command("go", "mod", "edit", "-print", filepath.Join(dir, "go.mod")).Output()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: no go.mod that can be read: %w", dir, err)
		}
		module := moduleOf(string(out))
		i := slices.IndexFunc(adopters, func(a adopter) bool { return a.module == module })
		if i < 0 {
			replaced[module] = dir
			continue
		}
		if version == "" {
			version = versionOf(dir)
		}
		checkouts = append(checkouts, checkout{adopters[i], dir, version})
	}
	if len(checkouts) == 0 {
		return nil, nil, errors.New("no directory of a project that is known")
	}
	slices.SortStableFunc(checkouts, func(a, b checkout) int { return order(a) - order(b) })
	return checkouts, replaced, nil
}

// exists reports whether an argument, which may end with a version, is a directory.
func exists(arg string) bool {
	dir, _, _ := strings.Cut(arg, "=")
	_, err := os.Stat(dir)
	return err == nil
}

func order(c checkout) int {
	return slices.IndexFunc(adopters, func(a adopter) bool { return a.name == c.name })
}

func moduleOf(goMod string) string {
	for line := range strings.Lines(goMod) {
		if module, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			return strings.Trim(module, `"`)
		}
	}
	return ""
}

// versionOf returns the commit of a work tree, or the version in the path of the module cache.
func versionOf(dir string) string {
	if _, version, ok := strings.Cut(filepath.Base(dir), "@"); ok {
		return version
	}
	out, err := exec.Command("git", "-C", dir, "rev-parse", "--short=9", "HEAD").Output()
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(out))
}

// adopted is what is known of a project afterwards.
type adopted struct {
	checkout
	functions []string
	lines     []line
	gone, new int // lines of code
	looked    int // names of docs/from-upstream.md
	broken    string
}

// adoptOne tests a project before and after.
func (r run) adoptOne(c checkout, replaced map[string]string, root string) (result adopted, faults []string, err error) {
	result.checkout = c
	adapters, err := adoptersOf(files, c.adopter)
	if err != nil || len(adapters) == 0 {
		return result, nil, err
	}
	dir := filepath.Join(r.dir, c.name)
	calls := filepath.Join(r.dir, c.name+"-calls")
	if err := os.MkdirAll(calls, 0o755); err != nil {
		return result, nil, err
	}
	if err := copyProject(dir, c.dir); err != nil {
		return result, nil, err
	}
	b := &built{dir: dir, known: adopterFailures, asTheyAre: true}
	edit := []string{"mod", "edit", "-require=" + kubemath + "@v0.0.0", "-replace=" + kubemath + "=" + root}
	for _, module := range slices.Sorted(maps.Keys(replaced)) {
		edit = append(edit, "-replace="+module+"="+replaced[module])
	}
	if _, err := b.golang(edit...); err != nil {
		return result, nil, err
	}
	for pkg := range adapters {
		b.packages = append(b.packages, c.module+"/"+pkg)
	}
	for _, pkg := range c.beside {
		b.packages = append(b.packages, c.module+"/"+pkg)
	}
	slices.Sort(b.packages)
	b.packages, err = matching(slices.Compact(b.packages), r.packages)
	if err != nil || len(b.packages) == 0 {
		return result, nil, err
	}
	before, err := b.test(b.packages, "", calls)
	if err != nil {
		return result, nil, err
	}
	for _, pkg := range slices.Sorted(maps.Keys(adapters)) {
		names, gone, ours, err := adaptCounted(filepath.Join(dir, pkg), adapters[pkg])
		if err != nil {
			return result, nil, err
		}
		for _, name := range names {
			result.functions = append(result.functions, path.Base(pkg)+"."+string(name))
		}
		result.gone, result.new = result.gone+gone, result.new+ours
	}
	after, err := b.test(b.packages, "", calls)
	if err != nil {
		return result, nil, err
	}
	for _, pkg := range b.packages {
		l := line{pkg: pkg, before: before[pkg], after: after[pkg]}
		if l.before.broken != "" {
			faults = append(faults, fmt.Sprintf("%s: the tests do not run without kubemath either:\n%s", pkg, l.before.broken))
		}
		l.withoutUs = l.withoutKubemath()
		l.flaky, err = b.settle(pkg, l.after, calls)
		if err != nil {
			return result, nil, err
		}
		var more []string
		more, l.explained = check(pkg, l.before, l.after, adopterFailures)
		faults = append(faults, more...)
		result.lines = append(result.lines, l)
	}
	return result, faults, nil
}

// adoptersOf returns the adapters of a project, by package below its module and name of the file.
func adoptersOf(source fs.FS, a adopter) (map[string]map[string][]byte, error) {
	below, err := filesBelow(source, path.Join("testdata/adopters", a.name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	adapters := map[string]map[string][]byte{}
	for file, content := range below {
		pkg := path.Dir(file)
		if adapters[pkg] == nil {
			adapters[pkg] = map[string][]byte{}
		}
		adapters[pkg][path.Base(file)] = content
	}
	return adapters, err
}

// adaptCounted puts adapters into a package, and counts the lines that go and come with them.
func adaptCounted(dir string, adapters map[string][]byte) (names []declared, gone, ours int, err error) {
	for _, file := range slices.Sorted(maps.Keys(adapters)) {
		functions, err := functionsOf(file, adapters[file])
		if err != nil {
			return nil, 0, 0, err
		}
		names = append(names, functions...)
		ours += countedLines(string(adapters[file]))
	}
	var replaced []declared
	replaced, gone, err = goneWith(dir, names, adapters)
	if err != nil {
		return nil, 0, 0, err
	}
	return replaced, gone, ours, adapt(dir, adapters)
}

// copyProject copies a project without what git and go mod vendor have put there.
func copyProject(to, from string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == ".git" || entry.Name() == "vendor" || entry.Type()&fs.ModeSymlink != 0 {
			continue
		}
		if err := copyEntry(filepath.Join(to, entry.Name()), filepath.Join(from, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// copyEntry copies a file or a directory. Links are followed to files, and others are left out.
func copyEntry(to, from string) error {
	return filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := to + strings.TrimPrefix(file, from)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() {
			return nil //nolint:nilerr // a link to nothing, or to a directory
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, info.Mode().Perm()|0o200)
	})
}

// printAdopted prints the table of the projects, and below it the failing tests.
func printAdopted(out io.Writer, results []adopted) {
	fmt.Fprintln(out, "| project | version | functions replaced | tests before | passed after | their lines that go | ours that come | names looked up |")
	fmt.Fprintln(out, "|---|---|--:|--:|--:|--:|--:|--:|")
	for _, r := range results {
		if len(r.lines) == 0 {
			why := "no adapters"
			if r.broken != "" {
				why = "not built"
			}
			fmt.Fprintf(out, "| %s | %s | %s | | | | | %d |\n", r.name, r.version, why, r.looked)
			continue
		}
		before, after := 0, 0
		for _, l := range r.lines {
			before, after = before+l.before.count(), after+l.after.count()
		}
		fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %d | %d | %d |\n", r.name, r.version, len(r.functions), before, after, r.gone, r.new, r.looked)
	}
	for _, r := range results {
		if len(r.lines) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s: %s\n\n", r.name, strings.Join(r.functions, ", "))
		printTests(out, r.lines)
	}
}

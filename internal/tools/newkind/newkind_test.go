package newkind

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "embed"
)

// root is that of the module, seen from here.
const root = "../../.."

// edit replaces text in a file. The text has to occur exactly the given number of times.
type edit struct {
	file, from, to string
	times          int
}

// The planted kind: an init container that is started and not waited for. It runs at the same time
// as the app containers, but not at the same time as any init container.
var planted = []edit{
	{"internal/podwalk/containers.go", "restartPolicy Always\n)", "restartPolicy Always\n\tBackground Kind = 5     // after the pod itself\n)", 1},
	{"computeresources/containers.go", "\tPod                     // spec.resources", "\tPod                     // spec.resources\n\tBackground", 1},
}

var repairs = []edit{
	{"internal/podwalk/containers.go", "\treturn Init\n", "\tif c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyOnFailure {\n\t\treturn Background\n\t}\n\treturn Init\n", 1},
	{"internal/podwalk/containers.go", "case App, Sidecar:", "case App, Background, Sidecar:", 1},
	{"internal/podwalk/containers.go", "case App, Init:", "case App, Background, Init:", 1},
	{"internal/podwalk/sum.go", "case App:", "case App, Background:", 3},
	{"computeresources/containers.go", "\tcase Pod:\n\t\treturn \"pod\"\n", "\tcase Pod:\n\t\treturn \"pod\"\n\tcase Background:\n\t\treturn \"background container\"\n", 1},
	{"computeresources/containers.go", "case Init, Sidecar:", "case Init, Sidecar, Background:", 2},
	{"computeresources/containers.go", "case App, Init, Sidecar:", "case App, Init, Sidecar, Background:", 1},
	{"computeresources/containers.go", "enum.Unmarshal(k, text, Pod)", "enum.Unmarshal(k, text, Background)", 1},
	{"internal/ordering/ordering.go", "case computeresources.Init, computeresources.Sidecar:", "case computeresources.Init, computeresources.Sidecar, computeresources.Background:", 1},
	{"quota/admit/solver/ranges.go", "case podwalk.Init, podwalk.Sidecar:", "case podwalk.Init, podwalk.Sidecar, podwalk.Background:", 1},
	{"quota/admit/solver/sums.go", "case podwalk.App:", "case podwalk.App, podwalk.Background:", 1},
	{"affinity/steps/step.go", "case computeresources.Init, computeresources.Sidecar, computeresources.Pod:", "case computeresources.Init, computeresources.Sidecar, computeresources.Pod, computeresources.Background:", 1},
	{"limitrange/defaults.go", "case computeresources.Init, computeresources.Sidecar:", "case computeresources.Init, computeresources.Sidecar, computeresources.Background:", 2},
	{"computeresources/validateresize.go", "case podwalk.App, podwalk.Init:", "case podwalk.App, podwalk.Init, podwalk.Background:", 1},
	{"qos/evictionmessage.go", "case computeresources.Init, computeresources.Pod:", "case computeresources.Init, computeresources.Pod, computeresources.Background:", 1},
}

// branching are the packages that know kinds. All others that look at containers fold over
// what these yield.
var branching = []string{
	"affinity/steps", "computeresources",
	"internal/ordering", "internal/podwalk", "limitrange",
	"qos", "quota/admit/solver",
}

// answers is a test of the new kind, for the repaired copy.
//
//go:embed testdata/answers_test.go.txt
var answers []byte

func TestAnotherKindOfContainer(t *testing.T) {
	dir := copyOfTree(t)
	if out, err := lint(t, dir); err != nil {
		t.Fatalf("the linter finds something before anything is planted: %v\n%s", err, out)
	}

	apply(t, dir, planted)
	out, err := lint(t, dir)
	if err == nil {
		t.Fatal("the linter does not find the kind that was added")
	}
	if got := packagesIn(out); !slices.Equal(got, branching) {
		t.Errorf("the linter finds it in %q, want %q:\n%s", got, branching, out)
	}

	apply(t, dir, repairs)
	if out, err := lint(t, dir); err != nil {
		t.Fatalf("the linter finds something after the repair: %v\n%s", err, out)
	}
	test := filepath.Join(dir, "internal", "newkind", "answers_test.go")
	if err := os.MkdirAll(filepath.Dir(test), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(test, answers, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := run(dir, "go", "test", "./internal/newkind"); err != nil {
		t.Errorf("the answers about the new kind: %v\n%s", err, out)
	}
}

// docs/extending.md names the files that were repaired, all of them, and at most eleven.
func TestExtendingNamesThePlaces(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "extending.md"))
	if err != nil {
		t.Fatal(err)
	}
	for heading, atMost := range map[string]int{
		"Kubernetes adds a kind of container":  11,
		"Kubernetes adds a pod-level resource": 10,
		"Kubernetes adds a type of LimitRange": 10,
	} {
		named := placesUnder(string(text), heading)
		if len(named) == 0 || len(named) > atMost {
			t.Errorf("%s: %d places are named, want 1 to %d", heading, len(named), atMost)
		}
		for _, name := range named {
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("%s: %v", heading, err)
			}
		}
	}
	repaired := map[string]bool{}
	for _, e := range append(slices.Clone(planted), repairs...) {
		repaired[e.file] = true
	}
	want := slices.Sorted(maps.Keys(repaired))
	if got := placesUnder(string(text), "Kubernetes adds a kind of container"); !slices.Equal(got, want) {
		t.Errorf("docs/extending.md names %q, the repair touches %q", got, want)
	}
}

// placesUnder returns the files that the list below a heading names, sorted.
func placesUnder(text, heading string) (files []string) {
	_, section, _ := strings.Cut(text, "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	file := regexp.MustCompile("`([a-z/]+\\.go)`")
	for _, line := range strings.Split(section, "\n") {
		if item, ok := strings.CutPrefix(line, "- "); ok {
			for _, match := range file.FindAllStringSubmatch(item, -1) {
				files = append(files, match[1])
			}
		}
	}
	slices.Sort(files)
	return files
}

// copyOfTree returns a copy of the code of the module, without its tests and the modules below
// it.
func copyOfTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir(root, func(from string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, from)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if entry.IsDir() {
			if name != "." && (strings.HasPrefix(entry.Name(), ".") || isModule(from)) {
				return fs.SkipDir
			}
			return os.MkdirAll(to, 0o755)
		}
		code := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		if !code && name != "go.mod" && name != "go.sum" {
			return nil
		}
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func apply(t *testing.T, dir string, edits []edit) {
	t.Helper()
	for _, e := range edits {
		name := filepath.Join(dir, e.file)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(data, []byte(e.from)); got != e.times {
			t.Fatalf("%s has %q %d times, want %d", e.file, e.from, got, e.times)
		}
		if err := os.WriteFile(name, bytes.ReplaceAll(data, []byte(e.from), []byte(e.to)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// lint runs the linter over a tree, as CI does.
func lint(t *testing.T, dir string) ([]byte, error) {
	t.Helper()
	tool, err := run(".", "go", "tool", "-n", "exhaustive")
	if err != nil {
		t.Fatalf("%v\n%s", err, tool)
	}
	return run(dir, strings.TrimSpace(string(tool)), "-typeonly", `^github\.com/kubemath/kubemath/`, "./...")
}

// packagesIn returns the packages of the files that a linter names, sorted.
func packagesIn(out []byte) []string {
	packages := map[string]bool{}
	file := regexp.MustCompile(`(?m)^(?:.*/001/)?([^ :]+\.go):\d+:\d+: `)
	for _, match := range file.FindAllSubmatch(out, -1) {
		packages[path.Dir(string(match[1]))] = true
	}
	return slices.Sorted(maps.Keys(packages))
}

func run(dir, name string, args ...string) ([]byte, error) {
	command := exec.Command(name, args...)
	command.Dir = dir
	return command.CombinedOutput()
}

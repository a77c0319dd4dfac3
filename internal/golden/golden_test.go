package golden_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// program writes its input and its arguments.
func program(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	in, err := io.ReadAll(stdin)
	fmt.Fprint(stdout, string(in), err)
	fmt.Fprint(stderr, args)
	return 3
}

func TestRun(t *testing.T) {
	want := golden.Result{Code: 3, Stdout: "in<nil>", Stderr: "[a b]"}
	testkit.Equal(t, golden.Run(program, "in", "a", "b"), want)
}

func TestRefuses(t *testing.T) {
	says := func(code int, out, err string) golden.Program {
		return func(_ []string, _ io.Reader, stdout, stderr io.Writer) int {
			io.WriteString(stdout, out)
			io.WriteString(stderr, err)
			return code
		}
	}
	for _, test := range []struct {
		name    string
		program golden.Program
		want    int
	}{
		{"as expected", says(3, "", "no such flag\nusage"), 0},
		{"with another code", says(1, "", "no such flag\nusage"), 1},
		{"for another reason", says(3, "", "usage\nno such flag"), 1},
		{"and works on", says(3, "done", "no such flag"), 1},
	} {
		f := &failures{TB: t}
		golden.Refuses(f, test.program, 3, "no such flag", "-x")
		if f.n != test.want {
			t.Errorf("%s: %d failures, want %d", test.name, f.n, test.want)
		}
	}
}

// failures replaces a test and counts its failures.
type failures struct {
	testing.TB
	n int
}

func (f *failures) Helper()               {}
func (f *failures) Errorf(string, ...any) { f.n++ }

func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "golden.txt")
	testkit.OK(t, os.WriteFile(file, []byte("as it was\n"), 0o600))
	f := &failures{TB: t}
	golden.Compare(f, file, "as it was\n")
	if f.n != 0 {
		t.Error("the same differs")
	}
	golden.Compare(f, file, "as it is\n")
	if f.n != 1 {
		t.Error("another is the same")
	}
	*golden.Update = true
	defer func() { *golden.Update = false }()
	golden.Compare(f, file, "as it is\n")
	if written, err := os.ReadFile(file); err != nil || string(written) != "as it is\n" || f.n != 1 {
		t.Errorf("wrote %q, %v", written, err)
	}
}

func TestAnswers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answers.txt")
	testkit.OK(t, os.WriteFile(file, []byte("== one: -a b: exit code 3\n[-a b]in<nil>"), 0o600))
	golden.Answers(t, program, file, [][3]string{{"one", "in", "-a b"}})
}

// lines writes whether the cluster is there, then a line for each argument, without those that are named again after "no".
func lines(args []string, _ io.Reader, stdout, _ io.Writer) int {
	cluster, err := os.ReadFile("cluster.yaml")
	fmt.Fprintf(stdout, "%t %v\n", strings.Contains(string(cluster), "kind: Node"), err)
	for _, arg := range args {
		if !slices.Contains(args, "no"+arg) {
			fmt.Fprintln(stdout, arg)
		}
	}
	return len(args)
}

func TestVariants(t *testing.T) {
	file := filepath.Join(t.TempDir(), "variants.txt")
	want := "== -a -b: exit code 2\ntrue <nil>\n-a\n-b\n" +
		"== -a -b -c: exit code 3, unlike without -c:\n+ -c\n" +
		"== -a -bc: exit code 2\ntrue <nil>\n-a\n-bc\n" +
		"== -a -b -c no-b -d: exit code 5, unlike without no-b -d:\n- -b\n+ no-b\n+ -d\n" +
		"== -a -b no-b no-a: exit code 4\ntrue <nil>\nno-b\nno-a\n"
	testkit.OK(t, os.WriteFile(file, []byte(want), 0o600))
	golden.Variants(t, lines, file, "-a -b", "-a -b -c", "-a -bc", "-a -b -c no-b -d", "-a -b no-b no-a")
}

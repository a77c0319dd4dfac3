package subcommands_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A block of a document shows a command and what it prints, or some lines of that. Errors come first.
var screen = regexp.MustCompile("(?ms)^```\n\\$ kubemath([^\n|]*?)(?: \\| sed -n '(\\d+),(\\d+)p')?\n(.*?)^```\n")

// The screens of the documents are what the program prints. With -update, they are written.
func TestScreens(t *testing.T) {
	pages := map[string]int{"../../../../docs/kubemath.md": 9, "../../README.md": 1, "../nodes/README.md": 1}
	for name, least := range pages {
		text, err := os.ReadFile(name)
		testkit.OK(t, err)
		count := 0
		got := screen.ReplaceAllStringFunc(string(text), func(block string) string {
			count++
			parts := screen.FindStringSubmatch(block)
			head, _, _ := strings.Cut(block, "\n$")
			command, _, _ := strings.Cut(block[len(head)+1:], "\n")
			return fmt.Sprintf("%s\n%s\n%s```\n", head, command, printed(t, strings.Fields(parts[1]), parts[2], parts[3]))
		})
		if count < least {
			t.Errorf("%s: %d screens, want %d or more", name, count, least)
		}
		if got == string(text) {
			continue
		}
		if !*golden.Update {
			t.Errorf("%s: screens differ from what the program prints: go test -update writes them", name)
		} else if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// printed returns the given lines of what the program prints, in the folder of the test data, all if there are none.
func printed(t *testing.T, args []string, from, to string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err == nil {
		err = os.Chdir("../podreport")
	}
	testkit.OK(t, err)
	defer os.Chdir(dir)
	got := golden.Run(subcommands.Run, "", args...)
	if got.Code == 1 || got.Code > 2 {
		t.Fatalf("%v: exit code %d: %s", args, got.Code, got.Stderr)
	}
	lines := strings.SplitAfter(got.Stdout, "\n")
	if from != "" {
		first, _ := strconv.Atoi(from) // digits
		last, _ := strconv.Atoi(to)
		if first < 1 || last > len(lines) || first > last {
			t.Fatalf("%v: lines %d to %d of %d", args, first, last, len(lines))
		}
		lines = lines[first-1 : last]
	}
	return got.Stderr + strings.TrimSuffix(strings.Join(lines, ""), "\n") + "\n" // sed does not read what is said
}

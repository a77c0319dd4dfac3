package subcommands_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kubemath/kubemath/examples/kubemath/internal/subcommands"
	"github.com/kubemath/kubemath/internal/golden"
)

// The help of each subcommand fits a screen of 80 columns and 24 lines, and says the flags that all have, and the exit
// codes.
func TestHelpFitsAScreen(t *testing.T) {
	whole := golden.Run(subcommands.Run, "", "-h")
	screens := map[string]string{"kubemath": whole.Stdout}
	for _, s := range subcommands.All() {
		if got := golden.Run(subcommands.Run, "", s.Name, "-h"); got.Code != 0 {
			t.Errorf("%s: exit code %d", s.Name, got.Code)
		} else {
			screens[s.Name] = got.Stderr
		}
		if !strings.Contains(whole.Stdout, "\n  "+s.Name+" ") {
			t.Errorf("the help does not list %s", s.Name)
		}
	}
	for name, screen := range screens {
		for _, want := range []string{"-f ", "-n NAMESPACE", "-A", "\n  0  ", "\n  1  ", "\n  2  ", "\n  3  "} {
			if !strings.Contains(screen, want) {
				t.Errorf("%s: no %q in\n%s", name, want, screen)
			}
		}
		if n := strings.Count(screen, "\n"); n > 24 {
			t.Errorf("%s: %d lines:\n%s", name, n, screen)
		}
		for line := range strings.Lines(screen) {
			if n := utf8.RuneCountInString(line) - 1; n > 80 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}

func TestSubcommands(t *testing.T) {
	report := golden.Run(subcommands.Run, "", "report")
	if got := golden.Run(subcommands.Run, ""); got != report || !strings.Contains(got.Stdout, "Deployment shop/storefront") {
		t.Errorf("without a subcommand: exit code %d\n%s", got.Code, got.Stdout)
	}
	if got := golden.Run(subcommands.Run, "", "-o", "json"); !strings.HasPrefix(got.Stdout, "{") {
		t.Errorf("flags alone: exit code %d\n%s", got.Code, got.Stdout)
	}
	for _, args := range [][]string{{"help"}, {"--help"}} {
		if got := golden.Run(subcommands.Run, "", args...); got.Code != 0 || !strings.HasPrefix(got.Stdout, "Kubemath ") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	got := golden.Run(subcommands.Run, "", "reports")
	if got.Code != 1 || got.Stdout != "" || !strings.HasPrefix(got.Stderr, "kubemath: \"reports\" is not a subcommand: did you mean report?\n") {
		t.Errorf("%+v", got)
	}
	for name, want := range map[string]string{"dif": ": did you mean diff?\n", "node": ": did you mean nodes?\n", "tekno": ": did you mean tekton?\n",
		"poool": ": did you mean pool?\n", "rpeort": ": did you mean report?\n", "apply": "\n", "d": "\n", "reportable": "\n"} {
		if got := golden.Run(subcommands.Run, "", name); !strings.HasPrefix(got.Stderr, "kubemath: \""+name+"\" is not a subcommand"+want) {
			t.Errorf("%+v", got)
		}
	}
}

package testkit_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
)

// RAPID_CHECKS and RAPID_SEED set how many random objects a property draws, and which, in every
// package that draws any: rapid reads them itself. CI relies on that.
func TestEnvironmentReachesRapid(t *testing.T) {
	if os.Getenv("TESTKIT_DRAWS") != "" {
		drawAndPrint(t)
		return
	}
	draws := func(checks, seed string) []string {
		t.Helper()
		cmd := exec.Command(os.Args[0], "-test.run=^TestEnvironmentReachesRapid$", "-test.v")
		cmd.Env = append(os.Environ(), "TESTKIT_DRAWS=1", "RAPID_CHECKS="+checks, "RAPID_SEED="+seed)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return regexp.MustCompile(`(?m)^drawn: .*$`).FindAllString(string(out), -1)
	}
	seven := draws("7", "5")
	if len(seven) != 7 {
		t.Errorf("RAPID_CHECKS=7: %d draws: %v", len(seven), seven)
	}
	if again := draws("7", "5"); strings.Join(again, "\n") != strings.Join(seven, "\n") {
		t.Errorf("one seed draws %v, then %v", seven, again)
	}
	if other := draws("7", "6"); strings.Join(other, "\n") == strings.Join(seven, "\n") {
		t.Errorf("RAPID_SEED=5 and RAPID_SEED=6 draw %v", seven)
	}
	if more := draws("250", "5"); len(more) != 250 {
		t.Errorf("RAPID_CHECKS=250: %d draws", len(more))
	}
}

func drawAndPrint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := testkit.Quantity().Draw(t, "quantity")
		fmt.Println("drawn:", q.AsDec())
	})
}

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kubemath/kubemath/internal/testkit"
)

// asProgram makes the test binary run as the program.
const asProgram = "KUBEMATH_MAIN"

// Ctrl-C while the standard input is read ends the program, without a report.
func TestInterrupt(t *testing.T) {
	if os.Getenv(asProgram) != "" {
		os.Args = []string{"kubemath", "-f", "-"}
		main()
	}
	if runtime.GOOS == "windows" {
		t.Skip("it has no such signal")
	}
	child := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
	child.Env = append(os.Environ(), asProgram+"=1")
	stdin, err := child.StdinPipe()
	testkit.OK(t, err)
	var stdout, stderr bytes.Buffer
	child.Stdout, child.Stderr = &stdout, &stderr
	testkit.OK(t, child.Start())
	// A document is read once the next one begins, so the program is now running and waiting for
	// input.
	io.WriteString(stdin, "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: app}]}\n"+"---\n"+strings.Repeat("# a comment\n", 20_000))
	time.Sleep(100 * time.Millisecond)
	child.Process.Signal(os.Interrupt)
	var exit *exec.ExitError
	if err := child.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("%v, want exit code 130; stderr %q", err, stderr.String())
	}
	if stdout.Len() > 0 {
		t.Errorf("it wrote %q", stdout.String())
	}
}

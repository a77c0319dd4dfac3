package measure

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// Tests make much garbage beside a small heap. Collecting it less often saves a third of their time.
// Benchmarks, and programs that are no tests, are measured as they are, and GOGC is respected.
func init() {
	benchmarks := slices.ContainsFunc(os.Args, func(arg string) bool {
		_, pattern, isSet := strings.Cut(arg, "-test.bench=")
		return isSet && pattern != ""
	})
	if testing.Testing() && !benchmarks && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

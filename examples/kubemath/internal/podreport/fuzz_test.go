package podreport_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// FuzzReport runs the program on arbitrary input: it writes a report or errors, and its output is
// always valid JSON.
func FuzzReport(f *testing.F) {
	names, err := fs.Glob(samples, "samples/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		data, err := samples.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	for _, name := range []string{"testdata/rejected.yaml", "testdata/quotas.yaml", "testdata/unusual.yaml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]")
	f.Add(strings.Repeat("[", 1000))
	f.Fuzz(func(t *testing.T, manifests string) {
		if len(manifests) > maxFuzzed {
			return // too large to be fast
		}
		got := runWith(manifests, "-f", "-", "-o", "json")
		if got.Code < 0 || got.Code > 2 {
			t.Errorf("exit code %d", got.Code)
		}
		if !json.Valid([]byte(got.Stdout)) {
			t.Errorf("output is not JSON:\n%s", got.Stdout)
		}
		for _, args := range [][]string{{"-node-cpu", "2"}} {
			if got := runWith(manifests, append([]string{"-f", "-"}, args...)...); got.Stdout == "" {
				t.Errorf("nothing with %v", args)
			}
		}
	})
}

const maxFuzzed = 8192

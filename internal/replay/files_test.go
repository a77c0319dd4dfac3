package replay_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/kubemath/kubemath/internal/replay"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestRead(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	tests := []struct {
		name   string
		dir    fstest.MapFS
		want   []string // paths
		faults []string
	}{
		{"cases", fstest.MapFS{"b/y.json": file(`[{},{}]`), "a/x.json": file(`[1]`), "README.md": file("")}, []string{"a/x.json", "b/y.json"}, nil},
		{"nothing", fstest.MapFS{"README.md": file("")}, nil, []string{"no recorded files"}},
		{"unknown", fstest.MapFS{"a/x.json": file(`[1]`), "a/unknown.json": file(`[1]`)}, []string{"a/x.json"}, []string{"a/unknown.json: no test knows this file"}},
		{"without a system", fstest.MapFS{"x.json": file(`[1]`)}, nil, []string{"x.json: no test knows this file"}},
		{"empty", fstest.MapFS{"a/x.json": file(`[]`), "b/y.json": file(`null`)}, nil, []string{"a/x.json: no cases", "b/y.json: no cases"}},
		{"no array", fstest.MapFS{"a/x.json": file(`{}`)}, nil, []string{"a/x.json: json: cannot unmarshal"}},
		{"cut off", fstest.MapFS{"a/x.json": file(`[{}`)}, nil, []string{"a/x.json: unexpected end of JSON input"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files, err := replay.Read(test.dir, func(path string) bool { return path == "a/x.json" || path == "b/y.json" })
			var got, faults []string
			for _, f := range files {
				got = append(got, f.Path)
			}
			if err != nil {
				faults = strings.Split(err.Error(), "\n")
			}
			testkit.NoDiff(t, got, test.want, "files")
			if len(faults) != len(test.faults) {
				t.Fatalf("faults %q, want %q", faults, test.faults)
			}
			for i, want := range test.faults {
				if !strings.HasPrefix(faults[i], want) {
					t.Errorf("fault %q, want %q", faults[i], want)
				}
			}
		})
	}
}

func TestRoots(t *testing.T) {
	t.Setenv(replay.Directories, "one::two")
	testkit.NoDiff(t, replay.Roots(), []string{"testdata", "one", "two"})
}

package command

import (
	"errors"
	"flag"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestParse(t *testing.T) {
	both := errors.New("-a and -b exclude one another")
	for _, c := range []struct {
		name   string
		args   []string
		check  func() error
		code   int
		writes string
	}{
		{"nothing", nil, nil, OK, ""},
		{"files", []string{"-f", "a", "-f", "b"}, func() error { return nil }, OK, ""},
		{"help", []string{"-h"}, nil, OK, "the usage\n"},
		{"unknown flag", []string{"-g"}, nil, Unread, "flag provided but not defined: -g\nthe usage\n"},
		{"argument", []string{"-f", "a", "b"}, func() error { return both }, Unread, "name: unexpected argument \"b\": files are given with -f\n"},
		{"together", []string{"-f", "a"}, func() error { return both }, Unread, "name: -a and -b exclude one another\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var written strings.Builder
			var files []string
			flags := flag.NewFlagSet("name", flag.ContinueOnError)
			flags.SetOutput(&written)
			flags.Usage = func() { io.WriteString(&written, "the usage\n") }
			flags.Func("f", "", Append(&files))
			err := Parse(flags, c.args, io.Discard, c.check)
			if code := CodeOf(err); code != c.code || written.String() != c.writes {
				t.Errorf("code %d, wrote %q; want %d, %q", code, &written, c.code, c.writes)
			}
			if c.name == "files" && !slices.Equal(files, []string{"a", "b"}) {
				t.Errorf("files are %q", files)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	var written, complained strings.Builder
	flags := flag.NewFlagSet("name", flag.ContinueOnError)
	flags.SetOutput(&complained)
	flags.Bool("version", false, "")
	err := Parse(flags, []string{"-version", "no file"}, &written, nil)
	if code := CodeOf(err); code != OK || !errors.Is(err, ErrVersion) || !strings.HasPrefix(written.String(), "name ") || complained.Len() > 0 {
		t.Errorf("code %d, %v, wrote %q and %q", code, err, &written, &complained)
	}
}

func TestVersionOf(t *testing.T) {
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}
	for _, test := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "name (unknown version)"},
		{&debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: commit}, "name v1.2.3 go1.26"},
		{&debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "(devel)"}, Settings: commit}, "name (devel) abc go1.26"},
		{&debug.BuildInfo{GoVersion: "go1.26"}, "name (devel) go1.26"},
	} {
		testkit.Equal(t, versionOf("name", test.info), test.want)
	}
}

package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// Each flag has a field of its own, by both names.
func TestFlags(t *testing.T) {
	none := Common{Format: "text"}
	with := func(set func(*Common)) (c Common) {
		c = none
		set(&c)
		return c
	}
	file := with(func(c *Common) { c.Files = []string{"a"} })
	for args, want := range map[string]Common{
		"":                                  none,
		"-f a -filename b --f c":            with(func(c *Common) { c.Files = []string{"a", "b", "c"} }),
		"-f a -no-render":                   with(func(c *Common) { c.Files, c.NoRender = []string{"a"}, true }),
		"-f a -n shop":                      with(func(c *Common) { c.Files, c.Namespace = []string{"a"}, "shop" }),
		"-namespace shop":                   with(func(c *Common) { c.Namespace, c.Cluster = "shop", true }),
		"-A":                                with(func(c *Common) { c.All, c.Cluster = true, true }),
		"--all-namespaces":                  with(func(c *Common) { c.All, c.Cluster = true, true }),
		"-cluster":                          with(func(c *Common) { c.Cluster = true }),
		"-kubeconfig k -request-timeout 5s": with(func(c *Common) { c.Kubectl, c.Cluster = []string{"--kubeconfig=k", "--request-timeout=5s"}, true }),
		"-as a -context b":                  with(func(c *Common) { c.Kubectl, c.Cluster = []string{"--as=a", "--context=b"}, true }),
		"-f a -strict":                      with(func(c *Common) { c.Files, c.Strict = []string{"a"}, true }),
		"-f a -o json":                      with(func(c *Common) { c.Files, c.Format = []string{"a"}, "json" }),
		"-f a --output json":                with(func(c *Common) { c.Files, c.Format = []string{"a"}, "json" }),
		"-f a -kubernetes v1.35.2":          with(func(c *Common) { c.Files, c.Kubernetes.Release = []string{"a"}, "1.35" }),
		"-f a -sort-by cpu -o wide":         with(func(c *Common) { c.Files, c.Format, c.Rows.SortBy = []string{"a"}, "wide", "cpu" }),
		"-f a -no-headers -o csv":           with(func(c *Common) { c.Files, c.Format, c.Rows.NoHeaders = []string{"a"}, "csv", true }),
		"-f a -cluster":                     file, // files are read instead
	} {
		var c Common
		var says strings.Builder
		NewFlags(&c, "test", "", "", "", io.Discard, &says, "text", "wide", "csv", "json")
		testkit.OK(t, c.Parse(strings.Fields(args), nil))
		wantSays := ""
		if args == "" {
			wantSays = "kubemath: these are samples: -f FILE reads manifests, and -cluster a cluster\n"
		}
		testkit.Equal(t, says.String(), wantSays, args)
		c.flags, c.stdout, c.formats = nil, nil, nil
		testkit.Equal(t, fmt.Sprintf("%+v", c), fmt.Sprintf("%+v", want), args)
	}
}

// What is wrong with an argument is said, in words of the flag, and nothing is read.
func TestWrongFlags(t *testing.T) {
	ofCheck := errors.New("of the subcommand")
	for args, want := range map[string]string{
		"-n Shop":              `invalid value "Shop" for flag -n: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
		"-n -Shop-":            `invalid value "-Shop-" for flag -n: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
		"-kubernetes newest":   `invalid value "newest" for flag -kubernetes: `,
		"-f a -A":              "kubemath: -A reads the cluster, and cannot be given with -f",
		"-f a -sort-by b":      "kubemath: -sort-by and -no-headers are for rows: -o text has none",
		"-f a -context c":      "kubemath: of the subcommand", // which is asked first
		"-f a -cluster":        "kubemath: of the subcommand",
		"-A -n a -sort-by cpu": "kubemath: -A and -n cannot be given together",
	} {
		var c Common
		var says strings.Builder
		flags := NewFlags(&c, "test", "", "", "", io.Discard, &says, "text")
		flags.Usage = func() {}
		err := c.Parse(strings.Fields(args), func() error { return ofCheck })
		if CodeOf(err) != Unread || !strings.HasPrefix(says.String(), want) {
			t.Errorf("%s: %v, says %s, want %s", args, err, &says, want)
		}
	}
	for args, want := range map[string]string{"-cluster": "-f is missing: what changes", "-context c": "-f is missing: what changes", "-n a": "-f is missing: what changes", "-f a -on b": "<nil>", "-f a": "<nil>"} {
		var c Common
		NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
		c.Apply("what changes")
		testkit.Equal(t, fmt.Sprint(c.Parse(strings.Fields(args), nil)), want, args)
	}
}

// The usage has the flags of the subcommand below the common ones, in 80 columns, and -o only if there is a choice.
func TestUsage(t *testing.T) {
	const codes = "\nexit codes:\n  0  success\n  1  invalid arguments, or no file\n"
	for _, test := range []struct {
		rejected, formats, want string
	}{
		{"refused", "text json", "  -o FORMAT       text, json\n  -depth N        how deep N is\n" +
			"  -long           a usage that is longer than what is left of a line of 80, so\n                  it goes on below\n" +
			codes + "  2  refused\n  3  the program itself failed, or the output could not be written\n"},
		{"", "text", "  -depth N        how deep N is\n" +
			"  -long           a usage that is longer than what is left of a line of 80, so\n                  it goes on below\n" +
			codes + "  3  the program itself failed, or the output could not be written\n"},
	} {
		var out, says strings.Builder
		parse := func(arg string) error {
			var c Common
			flags := NewFlags(&c, "test", "The summary.", "no file", test.rejected, &out, &says, strings.Fields(test.formats)...)
			flags.Int("depth", 0, "how deep `N` is")
			flags.Bool("long", false, "a usage that is longer than what is left of a line of 80, so it goes on below")
			return c.Parse([]string{arg}, nil)
		}
		testkit.Equal(t, parse("-h"), flag.ErrHelp, "error")
		testkit.NoDiff(t, says.String(), "The summary.\n\nusage: kubemath test [flags]\n\n"+commonUsage+test.want)
		testkit.Equal(t, parse("-list-flags"), flag.ErrHelp, "error")
		want := "-A\n--all-namespaces\n--as\n--cluster\n--context\n--depth\n-f\n--field-selector\n--filename\n--kubeconfig\n--kubernetes\n-l\n--long\n-n\n--namespace\n--no-headers\n--no-render\n"
		if test.formats != "text" {
			want += "-o\n--output\n"
		}
		testkit.NoDiff(t, out.String(), want+"--request-timeout\n--selector\n--sort-by\n--strict\n--version\n")
	}
}

// All namespaces are read, and only what is in one is shown, or in none.
func TestShowsNamespace(t *testing.T) {
	for _, test := range []struct {
		of, name string
		want     bool
	}{{"", "shop", true}, {"", "", true}, {"shop", "shop", true}, {"shop", "blog", false}, {"shop", "", true}} {
		c := Common{Namespace: test.of, Format: "text"}
		testkit.Equal(t, c.ShowsNamespace(test.name), test.want, test)
	}
}

// Labels, fields and taints narrow an answer; a column, resources and namespaces do not select objects.
func TestNarrows(t *testing.T) {
	for args, want := range map[string]bool{"": false, "-l a": true, "-field-selector metadata.name=a": true, "-sort-by a": false, "-resources cpu": false, "-namespace-labels a": false} {
		var c Common
		flags := NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
		c.Narrow()
		testkit.OK(t, flags.Parse(strings.Fields(args)))
		testkit.Equal(t, c.Rows.Narrows(), want, args)
	}
	testkit.Equal(t, (&Rows{Taints: []string{"a"}}).Narrows(), true)
	r := Rows{Taints: []string{"gpu"}}
	r.Selector, _ = metav1.LabelSelectorAsSelector(&metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}})
	node := &corev1.Node{Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: "gpu"}}}}
	testkit.Equal(t, r.Selects(node), false, "a taint without the label")
	node.Labels = map[string]string{"a": "b"}
	testkit.Equal(t, r.Selects(node), true, "both")
}

// A program has its standard input and output. A value that cannot be written is its own failure, and what is said last does not make the exit code smaller.
func TestSession(t *testing.T) {
	var out, says strings.Builder
	program := Answering(func(args []string, stdout, stderr io.Writer) (string, error) {
		fmt.Fprint(stdout, "parsed\n")
		fmt.Fprint(stderr, "odd\n")
		return args[0], nil
	}, func(of string, s *Session) {
		text, err := io.ReadAll(s.Stdin)
		testkit.OK(t, err)
		fmt.Fprintf(s.Stdout, "large %s\n", text)
		s.WriteString("answer to " + of + "\x1b\n")
		s.Say(Rejected, "%d\x1b refused", 2)
		s.Exit(Unread)
	})
	testkit.Equal(t, program([]string{"x"}, strings.NewReader("in"), &out, &says), Rejected)
	testkit.Equal(t, out.String(), "parsed\nlarge in\nanswer to x\\u001b\n")
	testkit.Equal(t, says.String(), "odd\nkubemath: 2\\u001b refused\n")
	for name, write := range map[string]func(*Session){"JSON": func(s *Session) { s.JSON(func() {}) }, "YAML": func(s *Session) { s.YAML(func() {}) }} {
		says.Reset()
		code := Answering(func([]string, io.Writer, io.Writer) (int, error) { return 0, nil }, func(_ int, s *Session) { write(s) })(nil, nil, io.Discard, &says)
		testkit.Equal(t, code, Failed, name)
		testkit.Equal(t, strings.Contains(says.String(), "kubemath: json: "), true, name, says.String())
	}
	for err, want := range map[error]int{flag.ErrHelp: OK, ErrVersion: OK, errors.New("wrong"): Unread} {
		code := Answering(func([]string, io.Writer, io.Writer) (int, error) { return 0, err }, func(int, *Session) { t.Error("answered") })(nil, nil, io.Discard, io.Discard)
		testkit.Equal(t, code, want, err)
	}
}

package command

import (
	"io"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/listing"
)

// parsed returns the common flags of arguments, and what is said about them.
func parsed(t *testing.T, formats []string, args ...string) (c Common, says string) {
	t.Helper()
	var stderr strings.Builder
	flags := NewFlags(&c, "test", "", "", "", io.Discard, &stderr, formats...)
	flags.Usage = func() {}
	if err := c.Parse(append([]string{"-f", "x"}, args...), nil); err != nil && stderr.Len() == 0 {
		t.Errorf("%v is not said", err)
	}
	return c, stderr.String()
}

func TestSelects(t *testing.T) {
	pod := func() *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Labels: map[string]string{"app": "web"}},
			Spec:   corev1.PodSpec{NodeName: "n1", RestartPolicy: corev1.RestartPolicyAlways, SchedulerName: "s", ServiceAccountName: "sa", HostNetwork: true},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1", NominatedNodeName: "n2"}}
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}, Spec: corev1.NodeSpec{Unschedulable: true}}
	for _, test := range []struct {
		flag, value string
		object      metav1.Object
		want        bool
	}{
		{"-l", "app=web", pod(), true},
		{"-l", "app in (db, web),!tier", pod(), true},
		{"--selector", "app!=web", pod(), false},
		{"-l", "app", node, false},
		{"--field-selector", "metadata.name=web,metadata.namespace=shop", pod(), true},
		{"--field-selector", "metadata.name==db", pod(), false},
		{"--field-selector", "metadata.namespace!=shop", pod(), false},
		{"--field-selector", "spec.nodeName=n1", pod(), true},
		{"--field-selector", "spec.restartPolicy=Never", pod(), false},
		{"--field-selector", "spec.restartPolicy=Always", pod(), true},
		{"--field-selector", "spec.schedulerName=s", pod(), true},
		{"--field-selector", "spec.serviceAccountName=sa", pod(), true},
		{"--field-selector", "spec.hostNetwork=true", pod(), true},
		{"--field-selector", "status.phase=Running", pod(), true},
		{"--field-selector", "status.phase!=Running", pod(), false},
		{"--field-selector", "status.podIP=10.0.0.1", pod(), true},
		{"--field-selector", "status.nominatedNodeName=n2", pod(), true},
		{"--field-selector", "spec.unschedulable=true", node, true},
		{"--field-selector", "spec.unschedulable=false", node, false},
		{"--field-selector", "spec.nodeName=n1", node, false}, // it has no such field
		{"-A=false", "", node, true},
	} {
		args := []string{test.flag, test.value}
		if test.value == "" {
			args = args[:1]
		}
		c, says := parsed(t, []string{"text"}, args...)
		if got := c.Rows.Selects(test.object); got != test.want || says != "" {
			t.Errorf("%v: %v, says %q", args, got, says)
		}
	}
}

// A taint has a key, and may have a value and an effect, whichever that is. What is no node has none, and is not shown.
func TestSelectsTaints(t *testing.T) {
	node := func(taints ...corev1.Taint) metav1.Object { return &corev1.Node{Spec: corev1.NodeSpec{Taints: taints}} }
	gpu, spot := corev1.Taint{Key: "gpu", Value: "a", Effect: corev1.TaintEffectNoExecute}, corev1.Taint{Key: "spot", Effect: corev1.TaintEffectPreferNoSchedule}
	for _, test := range []struct {
		taints string
		object metav1.Object
		want   bool
	}{
		{"*", node(gpu), true}, {"*", node(spot), true}, {"*", node(), false}, {"!*", node(), true}, {"!*", node(spot), false},
		{"gpu", node(spot, gpu), true}, {"gpu=a", node(gpu), true}, {"gpu=b", node(gpu), false}, {"gpu=a:NoExecute", node(gpu), true},
		{"gpu:NoSchedule", node(gpu), false}, {"gpu:NoExecute", node(gpu), true}, {"spot:PreferNoSchedule", node(spot), true},
		{"spot=", node(spot), true}, {"!spot", node(spot), false}, {"!spot", node(gpu), true}, {"gpu,!spot", node(gpu, spot), false}, {"gpu,!spot", node(gpu), true},
		{"gpu", &corev1.Pod{}, false}, {"!gpu", &corev1.Pod{}, false},
	} {
		r := Rows{Taints: strings.Split(test.taints, ",")}
		if got := r.Selects(test.object); got != test.want {
			t.Errorf("%s of %v: %v", test.taints, test.object, got)
		}
	}
}

// Files are read instead of a cluster. Who asks for all namespaces of it may be answered from the current one.
func TestWhatIsRead(t *testing.T) {
	if c, says := parsed(t, []string{"text"}, "-cluster"); c.Cluster || says != "" {
		t.Errorf("files and a cluster are read: %s", says)
	}
	for _, args := range [][]string{{"-A", "-context", "c"}, {"-cluster", "-context", "c"}, {"-n", "shop", "-context", "c"}} {
		var c Common
		NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
		if err := c.Parse(args, nil); err != nil {
			t.Fatal(err)
		}
		whole := c.WholeCluster()
		if less := whole.Narrower; !whole.All || whole.Namespace != "" || less.All || less.Namespace != c.Namespace || len(less.Kubectl) != 1 {
			t.Errorf("%q: all %v of %q, or else %+v", args, whole.All, whole.Namespace, whole.Narrower)
		}
	}
}

// What reads all namespaces of a cluster is not to read files, or one of them; and flags of kubectl are for what it reads.
func TestContradictions(t *testing.T) {
	const files = "files are read instead of a cluster: -A, -kubeconfig, -context, -as and -request-timeout cannot be given"
	for args, want := range map[string]string{
		"-A -f x":              "-A reads the cluster, and cannot be given with -f",
		"-A -n shop":           "-A and -n cannot be given together",
		"-f x -context c":      files,
		"-f x -cluster -as c":  files,
		"-on x":                "-f is missing: what changes",
		"-on x -f y -A":        files,
		"-on x -f y -as admin": files,
	} {
		var c Common
		NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
		if strings.HasPrefix(args, "-on") {
			c.Apply("what changes")
		}
		if err := c.Parse(strings.Fields(args), nil); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
	var c Common
	NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
	measured := func() error { c.Measured = true; return nil }
	if err := c.Parse([]string{"-f", "x", "-context", "c"}, measured); err != nil || c.Cluster {
		t.Errorf("usage of a context, for files: %v", err)
	}
}

// A change is for the cluster of kubectl, unless -on names another one.
func TestClusterOfChange(t *testing.T) {
	for args, want := range map[string]bool{"-f x": true, "-f x -A": true, "-f x -on y": false, "": false} {
		var c Common
		NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
		c.Apply("what changes")
		if err := c.Parse(strings.Fields(args), nil); err != nil || c.Cluster != want {
			t.Errorf("%s: %v, %v", args, c.Cluster, err)
		}
	}
}

func TestRowsOfFlags(t *testing.T) {
	all := []string{"text", "wide", "json", "csv", "name"}
	for _, test := range []struct {
		formats []string
		args    string
		format  string
		says    string
	}{
		{all, "", "text", ""},
		{all, "--no-headers", "wide", ""},
		{all, "--sort-by cpu", "wide", ""},
		{all, "--sort-by cpu -o csv", "csv", ""},
		{all, "-o json", "json", ""},
		{all, "--sort-by cpu -o json", "json", "kubemath: -sort-by and -no-headers are for rows: -o json has none\n"},
		{[]string{"text"}, "--no-headers", "text", "kubemath: -sort-by and -no-headers are for rows: -o text has none\n"},
		{all, "-o cvs", "text", "invalid value \"cvs\" for flag -o: none of text, wide, json, csv, name\n"},
		{all, "-o nmae", "text", "invalid value \"nmae\" for flag -o: none of text, wide, json, csv, name: did you mean name?\n"},
		{all, "-l a=b=c", "text", "invalid value \"a=b=c\" for flag -l: found '=', expected: ',' or 'end of string'\n"},
		{all, "--field-selector spec.nodename=a", "text", "invalid value \"spec.nodename=a\" for flag -field-selector: field label not supported: spec.nodename: did you mean spec.nodeName?\n"},
	} {
		c, says := parsed(t, test.formats, strings.Fields(test.args)...)
		if c.Format != test.format || says != test.says {
			t.Errorf("%s: format %s, says %q", test.args, c.Format, says)
		}
	}
}

func TestAnswer(t *testing.T) {
	value := struct {
		B []int  `json:"b"`
		A string `json:"a"`
	}{[]int{1, 2}, "1"}
	rows := func() *listing.List {
		l := &listing.List{Columns: []string{"NAME", "N"}}
		l.Add("pod/a", "a", 1)
		l.Add("pod/b", "b", 20)
		return l
	}
	for _, test := range []struct {
		args, want, says string
		code             int
	}{
		{"", "the text", "", 0},
		{"-o json", "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": \"1\"\n}\n", "", 0},
		{"-o yaml", "---\na: \"1\"\nb:\n- 1\n- 2\n", "", 0},
		{"-o wide", "NAME   N\na      1\nb      20\n", "", 0},
		{"--no-headers", "a   1\nb   20\n", "", 0},
		{"-o csv", "NAME,N\na,1\nb,20\n", "", 0},
		{"-o csv --no-headers", "a,1\nb,20\n", "", 0},
		{"-o name", "pod/a\npod/b\n", "", 0},
		{"-o name --sort-by n", "pod/b\npod/a\n", "", 0},
		{"--sort-by m", "", "kubemath: -sort-by m: no such column: want one of NAME, N\n", 1},
	} {
		c, says := parsed(t, []string{"text", "wide", "json", "yaml", "csv", "name"}, strings.Fields(test.args)...)
		if says != "" {
			t.Error(says)
		}
		var out, err strings.Builder
		code := Answering(func([]string, io.Writer, io.Writer) (Common, error) { return c, nil }, func(c Common, s *Session) {
			s.Answer(&c, value, rows, func() { s.WriteString("the text") })
		})(nil, nil, &out, &err)
		if out.String() != test.want || err.String() != test.says || code != test.code {
			t.Errorf("%s: %q, says %q, exit code %d", test.args, &out, &err, code)
		}
	}
}

// Resources are named in parts; a namespace that is not known is not shown.
func TestNarrow(t *testing.T) {
	var c Common
	flags := NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
	c.Narrow()
	if !c.Rows.ShowsResource("cpu") || !c.Rows.Among(nil)("shop") {
		t.Error("without flags, all are shown")
	}
	if err := flags.Parse([]string{"-resources", "cpu,gpu", "-resources", "pods", "-namespace-labels", "team=api"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[corev1.ResourceName]bool{"cpu": true, "limits.cpu": true, "nvidia.com/gpu": true, "pods": true, "memory": false} {
		if got := c.Rows.ShowsResource(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	shows := c.Rows.Among([]*corev1.Namespace{{ObjectMeta: metav1.ObjectMeta{Name: "shop", Labels: map[string]string{"team": "api"}}},
		{ObjectMeta: metav1.ObjectMeta{Name: "blog", Labels: map[string]string{"team": "web"}}}})
	for name, want := range map[string]bool{"shop": true, "blog": false, "other": false} {
		if got := shows(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if c.Rows.Among(nil)("shop") {
		t.Error("a namespace that is not in the input has labels")
	}
}

package origin_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What is applied has names that the API server accepts; those of a cluster are read as they are.
func TestChangeNames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	testkit.OK(t, os.WriteFile(file, []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: A}}\n"), 0o600))
	var c command.Common
	command.NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
	c.Apply("what is applied")
	testkit.OK(t, c.Parse([]string{"-on", file, "-f", file}, nil))
	change, cluster := origin.Change(&c, nil, nil)
	testkit.Equal(t, len(change.Objects), 0, "objects of the change")
	testkit.Equal(t, len(cluster.Objects), 1, "objects of the cluster")
	testkit.Equal(t, len(change.Graded(objects.Invalid)), 1, "what is invalid in the change")
	testkit.Equal(t, len(cluster.Problems), 0, "problems of the cluster")
}

// named returns the objects of a list, "ConfigMap shop/a".
func named(l *inventory.List) (names []string) {
	for _, o := range l.Objects {
		names = append(names, fmt.Sprintf("%s %s/%s", reflect.TypeOf(o).Elem().Name(), o.GetNamespace(), o.GetName()))
	}
	return names
}

// The change is that of -f, in the namespace of -n or of the context, and the cluster is the other one: samples, what -on names, or
// what kubectl reads of the namespaces of the change, with Secrets only if there are some to apply.
func TestChange(t *testing.T) {
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	install(t, bin, "kubectl", `echo "$*" >> `+log+`
case "$*" in
config*) printf data ;;
*namespaces,*) echo '{apiVersion: v1, kind: Namespace, metadata: {name: data}}' ;;
*limitranges,*) echo '{apiVersion: v1, kind: Event, metadata: {name: e}}'; echo ---; echo '{apiVersion: v1, kind: Pod, metadata: {name: Stored, namespace: data}, spec: {unknown: 1}}'; echo ---; echo '[' ;;
*) echo '{apiVersion: v1, kind: List, items: []}' ;;
esac`)
	samples := fstest.MapFS{"samples/cluster/a.yaml": {Data: []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")},
		"samples/change/b.yaml": {Data: []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}")}}
	on := filepath.Join(bin, "on.yaml")
	testkit.OK(t, os.WriteFile(on, []byte("{apiVersion: v1, kind: ConfigMap, metadata: {name: other}}\n---\n{apiVersion: v1, kind: Event, metadata: {name: e}}\n---\n[\n"), 0o600))
	const secret = "{apiVersion: v1, kind: Secret, metadata: {name: s}, extra: 1}\n---\n{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: r}, spec: {template: {spec: {containers: [{name: c}]}}}}\n"
	const space = "limitranges,resourcequotas,pods,replicationcontrollers,services,persistentvolumeclaims,deployments.apps,replicasets.apps,statefulsets.apps,daemonsets.apps,jobs.batch,cronjobs.batch,poddisruptionbudgets.policy"
	const classes = "namespaces,priorityclasses.scheduling.k8s.io,runtimeclasses.node.k8s.io,storageclasses.storage.k8s.io"
	context := "config view --minify --output=jsonpath={..namespace} --context=c\n"
	ofNamespace := func(name, more string) string {
		return "get globalresourcequotas.capsule.clastix.io --output=json --context=c\nget " + classes + " --output=json --context=c\n" +
			"get appliedclusterresourcequotas.quota.openshift.io --output=json --namespace=" + name + " --context=c\n" +
			"get " + space + more + " --output=json --namespace=" + name + " --context=c\n"
	}
	const counted = ",configmaps,resourceclaims.resource.k8s.io,resourceclaimtemplates.resource.k8s.io,secrets"
	stored := []string{"Namespace /data", "Pod data/Stored"}
	event := map[string]int{"Event of v1": 1}
	for _, test := range []struct {
		name            string
		args            []string
		stdin           string
		change, cluster []string
		problems        []int // exit codes: of the change, and of the cluster
		skipped         map[string]int
		calls           string
	}{
		{"samples", nil, "", []string{"ConfigMap default/b"}, []string{"ConfigMap default/a"}, nil, map[string]int{}, ""},
		{"files", []string{"-f", "-", "-on", on}, secret, []string{"Secret default/s"}, []string{"ConfigMap default/other"}, []int{0, 0, 1}, nil, ""},
		{"files, strict", []string{"-f", "-", "-on", on, "-strict", "-n", "shop"}, secret, nil, []string{"ConfigMap shop/other"}, []int{2, 2, 1}, nil, ""},
		{"a cluster", []string{"-f", "-", "-context", "c"}, secret, []string{"Secret data/s"}, stored, []int{0, 0, 1}, event, context + ofNamespace("data", ",secrets")},
		{"of -n", []string{"-f", "-", "-context", "c", "-n", "shop"}, "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}}", []string{"ConfigMap shop/m"}, stored, []int{1}, event, ofNamespace("shop", ",configmaps")},
		{"all that is counted, in two namespaces", []string{"-f", "-", "-context", "c"}, "{apiVersion: v1, kind: Secret, metadata: {name: s}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: m, namespace: ci}}\n---\n" +
			"{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}}\n---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}}\n",
			[]string{"Secret data/s", "ConfigMap ci/m", "ResourceClaimTemplate data/t", "ResourceClaim data/c"}, []string{"Namespace /data", "Pod data/Stored"}, []int{1, 0, 1}, map[string]int{"Event of v1": 2},
			context + ofNamespace("ci", counted) + strings.SplitAfterN(ofNamespace("data", counted), "\n", 3)[2]},
		{"nothing to count", []string{"-f", "-", "-context", "c"}, "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}", []string{"Pod data/p"}, stored, []int{1}, event, context + ofNamespace("data", "")},
		{"only hooks", []string{"-f", "-", "-context", "c", "-n", "data"}, "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: data, annotations: {helm.sh/hook: pre-install}}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: m, namespace: data, annotations: {helm.sh/hook: test}}}", nil, stored, []int{1}, event, ofNamespace("data", ",secrets")},
		{"rows", []string{"-f", "-", "-on", on, "-l", "a=b"}, "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, labels: {a: b}}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: l}}", []string{"ConfigMap default/m"}, []string{"ConfigMap default/other"}, []int{1}, nil, ""},
	} {
		testkit.OK(t, os.WriteFile(log, nil, 0o600))
		var c command.Common
		command.NewFlags(&c, "test", "", "", "", io.Discard, io.Discard, "text")
		c.Apply("what is applied")
		testkit.OK(t, c.Parse(test.args, nil))
		change, cluster := origin.Change(&c, strings.NewReader(test.stdin), samples)
		testkit.NoDiff(t, named(change), test.change, test.name)
		testkit.NoDiff(t, named(cluster), test.cluster, test.name)
		testkit.NoDiff(t, cluster.Skipped, test.skipped, test.name)
		var codes []int
		for _, p := range append(change.Problems, cluster.Problems...) {
			codes = append(codes, p.Code())
		}
		testkit.NoDiff(t, codes, test.problems, test.name)
		calls, err := os.ReadFile(log)
		testkit.OK(t, err)
		testkit.NoDiff(t, strings.Split(string(calls), "\n"), strings.Split(test.calls, "\n"), test.name)
	}
}

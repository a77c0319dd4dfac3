package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/internal/testkit"
)

func openShift(kind, name, hard, more string) string {
	return "apiVersion: quota.openshift.io/v1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec: {selector: {labels: {matchLabels: {team: a}}}, quota: {hard: {" +
		hard + "}}}\n" + more
}

func capsule(name, hard string) string {
	return "apiVersion: capsule.clastix.io/v1beta2\nkind: GlobalResourceQuota\nmetadata: {name: " + name + "}\nspec: {namespaceSelectors: [{matchLabels: {team: a}}], quota: {hard: {" +
		hard + "}}}\n"
}

func namespace(name, team string) string {
	return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", labels: {team: " + team + "}}\n"
}

// tellShared tells the quotas of several namespaces, and which of shop and data share them.
func tellShared(in *manifest.Input) (told []string) {
	for _, s := range in.Shared {
		pods := s.Spec.Hard["pods"]
		text := fmt.Sprintf("%s %s %v, known %v:", s.Kind, s.Name, pods.Value(), in.SharersKnown(s.ClusterQuota))
		for _, name := range []string{"shop", "data"} {
			if in.IsSharedBy(s.ClusterQuota, name) {
				text += " " + name
			}
		}
		told = append(told, text)
	}
	return told
}

// The labels of Namespaces say which of them share a quota, and the status for those that are not in the input. A view of a
// quota counts if the quota itself is not there.
func TestSharedQuotas(t *testing.T) {
	const status = "status: {namespaces: [{namespace: shop, status: {}}]}\n"
	for _, test := range []struct {
		name      string
		documents []string
		want      []string
	}{
		{"labels", []string{openShift("ClusterResourceQuota", "q", "pods: 1", status), namespace("shop", "b"), namespace("data", "a")},
			[]string{"ClusterResourceQuota q 1, known true: data"}},
		{"the status", []string{openShift("ClusterResourceQuota", "q", "pods: 1", status)}, []string{"ClusterResourceQuota q 1, known true: shop"}},
		{"labels of one, and the status of the other", []string{openShift("ClusterResourceQuota", "q", "pods: 1", status), namespace("data", "a")},
			[]string{"ClusterResourceQuota q 1, known true: shop data"}},
		{"neither", []string{openShift("ClusterResourceQuota", "q", "pods: 1", "")}, []string{"ClusterResourceQuota q 1, known false:"}},
		{"of two kinds with one name", []string{openShift("ClusterResourceQuota", "q", "pods: 1", ""), capsule("q", "pods: 2")},
			[]string{"ClusterResourceQuota q 1, known false:", "GlobalResourceQuota q 2, known false:"}},
		{"by kind and name", []string{openShift("ClusterResourceQuota", "z", "pods: 1", ""), capsule("b", "pods: 2"), openShift("ClusterResourceQuota", "a", "pods: 3", ""), namespace("shop", "a")},
			[]string{"ClusterResourceQuota a 3, known true: shop", "ClusterResourceQuota z 1, known true: shop", "GlobalResourceQuota b 2, known true: shop"}},
		{"a view before", []string{openShift("AppliedClusterResourceQuota", "q", "pods: 1", status), openShift("ClusterResourceQuota", "q", "pods: 2", status)},
			[]string{"ClusterResourceQuota q 2, known true: shop"}},
		{"a view after", []string{openShift("ClusterResourceQuota", "q", "pods: 2", status), openShift("AppliedClusterResourceQuota", "q", "pods: 1", status)},
			[]string{"ClusterResourceQuota q 2, known true: shop"}},
		{"views alone: the last one", []string{openShift("AppliedClusterResourceQuota", "q", "pods: 1", status), openShift("AppliedClusterResourceQuota", "q", "pods: 2", status)},
			[]string{"ClusterResourceQuota q 2, known true: shop"}},
		{"twice: the last one", []string{openShift("ClusterResourceQuota", "q", "pods: 2", status), openShift("ClusterResourceQuota", "q", "pods: 3", status)},
			[]string{"ClusterResourceQuota q 3, known true: shop"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := input(test.documents...)
			if diff := cmp.Diff(test.want, tellShared(in)); diff != "" {
				t.Errorf("-want +got:\n%s%v", diff, in.Problems)
			}
		})
	}
}

// An invalid quota is a problem, and does not count.
func TestInvalidSharedQuotas(t *testing.T) {
	for _, test := range []struct{ document, want string }{
		{openShift("ClusterResourceQuota", "q", "pods: -1", ""), "spec.quota.hard[pods]: Invalid value"},
		{capsule("q", "requests.cpu: -1"), "spec.quota.hard[requests.cpu]: Invalid value"},
		{strings.Replace(capsule("q", "pods: 1"), "matchLabels: {team: a}", "matchLabels: 3", 1), "GlobalResourceQuota q: json: "},
		{strings.Replace(openShift("ClusterResourceQuota", "q", "pods: 1", ""), "matchLabels: {team: a}", "matchExpressions: [{key: team, operator: Like}]", 1), "spec.selector: "},
	} {
		in := input(test.document)
		if len(in.Shared) != 0 || len(in.Problems) != 1 || in.Problems[0].Grade != objects.Invalid || !strings.Contains(in.Problems[0].String(), test.want) {
			t.Errorf("%d quotas, %v, want %s", len(in.Shared), in.Problems, test.want)
		}
	}
}

// ResourceQuotas that Capsule derives from a quota of the input do not count, and others do.
func TestProjectedQuotas(t *testing.T) {
	quota := func(name, labels string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: " + name + ", labels: {" + labels + "}}\nspec: {hard: {pods: 1}}\n"
	}
	derived := quota("derived", "projectcapsule.dev/global-resource-quota: team")
	for _, test := range []struct {
		name      string
		documents []string
		want      string
	}{
		{"with the quota", []string{derived, quota("own", "a: b"), capsule("team", "pods: 2")}, "[own]"},
		{"without it", []string{derived, quota("own", "a: b")}, "[derived own]"},
		{"with another one", []string{derived, capsule("other", "pods: 2")}, "[derived]"},
		{"with one of OpenShift", []string{derived, openShift("ClusterResourceQuota", "team", "pods: 1", "")}, "[derived]"},
	} {
		var names []string
		for _, q := range input(test.documents...).Quotas {
			names = append(names, q.Name)
		}
		testkit.Equal(t, fmt.Sprint(names), test.want, test.name)
	}
}

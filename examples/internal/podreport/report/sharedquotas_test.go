package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/internal/testkit"
)

// sharedReport returns the report on documents.
func sharedReport(documents ...string) *report.Report {
	all := objects.Reader{Kinds: manifest.Kinds, Stdin: strings.NewReader(strings.Join(documents, "---\n"))}.Files([]string{"-"})
	return report.Of(manifest.Of(all, manifest.Options{Home: "home"}), report.Options{})
}

func tellShared(t *testing.T, r *report.Report) (told []string) {
	t.Helper()
	text := func(a report.Amounts) string {
		text, err := json.Marshal(a)
		testkit.OK(t, err)
		return strings.NewReplacer(`"`, "", "{", "", "}", "").Replace(string(text))
	}
	for _, q := range r.SharedQuotas {
		line := fmt.Sprintf("%s %s: %s -> %s of %s", q.Kind, q.Name, text(q.Used), text(q.Then), text(q.Hard))
		if q.AtLeast {
			line += ", at least"
		}
		if q.Unknown {
			line += ", unknown"
		}
		for _, s := range q.Namespaces {
			line += "; " + s.Name + " " + text(s.Used)
		}
		told = append(told, line)
	}
	for _, o := range r.All() {
		line := fmt.Sprintf("%s %s/%s", o.Kind, o.Namespace, o.Name)
		for _, u := range o.Quotas {
			line += fmt.Sprintf("; %s: used %s, asks %s, left %s", u.Title(), text(u.Used), text(u.Asked), text(u.Left))
			if u.Unknown != "" {
				line += ", unknown"
			}
		}
		if o.Rejection != nil {
			line += "; " + o.Rejection.Reasons[0].Error()
		}
		told = append(told, line)
	}
	return told
}

const team = "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: team}\nspec: {selector: {labels: {matchLabels: {team: a}}}, quota: {hard: {pods: 3}}}\n"

const globalTeam = "apiVersion: capsule.clastix.io/v1beta2\nkind: GlobalResourceQuota\nmetadata: {name: team}\nspec: {namespaceSelectors: [{matchLabels: {team: a}}], quota: {hard: {pods: 7}}}\n" +
	"status: {total: {hard: {pods: 7}, used: {pods: 4}}, namespaces: [shop], namespaceUsage: {shop: {used: {pods: 4}}}}\n"

// withStatus is the quota with so many pods in use.
func withStatus(used int) string {
	return team + fmt.Sprintf("status: {total: {hard: {pods: 3}, used: {pods: %d}}, namespaces: [{namespace: shop, status: {used: {pods: %d}}}]}\n", used, used)
}

func inTeam(name string) string {
	return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", labels: {team: a}}\n"
}

func webIn(namespace string, replicas int, more string) string {
	return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: %s%s}\nspec: {replicas: %d, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: app}]}}}\n",
		namespace, more, replicas)
}

func TestSharedQuotas(t *testing.T) {
	for _, test := range []struct {
		name      string
		documents []string
		want      []string
	}{
		{"one after the other", []string{withStatus(1), inTeam("shop"), inTeam("data"), webIn("shop", 1, ""), webIn("data", 2, "")}, []string{
			"ClusterResourceQuota team: pods:1 -> pods:3 of pods:3; data pods:1; shop pods:2",
			"Deployment shop/web; ClusterResourceQuota team: used pods:1, asks pods:1, left pods:1",
			"Deployment data/web; ClusterResourceQuota team: used pods:2, asks pods:2, left pods:-1; replica 2 of 2: ClusterResourceQuota team lacks pods=1: run no more than 1 replica, request less, or raise the quota to pods=4",
		}},
		{"in the order of the input", []string{withStatus(1), inTeam("shop"), inTeam("data"), webIn("data", 2, ""), webIn("shop", 1, "")}, []string{
			"ClusterResourceQuota team: pods:1 -> pods:3 of pods:3; data pods:2; shop pods:1",
			"Deployment data/web; ClusterResourceQuota team: used pods:1, asks pods:2, left pods:0",
			"Deployment shop/web; ClusterResourceQuota team: used pods:3, asks pods:1, left pods:-1; replica: ClusterResourceQuota team lacks pods=1: request less, or raise the quota to pods=4",
		}},
		{"without a status, existing pods count", []string{team, inTeam("shop"), inTeam("data"), webIn("shop", 2, ", uid: a") + "status: {replicas: 2}\n", webIn("data", 1, "")}, []string{
			"ClusterResourceQuota team: pods:2 -> pods:3 of pods:3, at least; data pods:1; shop pods:2",
			"Deployment shop/web; ClusterResourceQuota team: used , asks pods:2, left , unknown",
			"Deployment data/web; ClusterResourceQuota team: used , asks pods:1, left , unknown",
		}},
		{"beside others", []string{withStatus(1), strings.Replace(team, "name: team", "name: other", 1) + "status: {total: {hard: {pods: 9}, used: {pods: 4}}}\n",
			"apiVersion: capsule.clastix.io/v1beta2\nkind: GlobalResourceQuota\nmetadata: {name: team}\nspec: {namespaceSelectors: [{matchLabels: {team: a}}], quota: {hard: {pods: 8}}}\nstatus: {total: {hard: {pods: 8}, used: {pods: 5}}}\n",
			inTeam("shop"), inTeam("data"), webIn("shop", 1, ""), webIn("data", 1, "")}, []string{
			"ClusterResourceQuota other: pods:4 -> pods:6 of pods:9; data pods:1; shop pods:1",
			"ClusterResourceQuota team: pods:1 -> pods:3 of pods:3; data pods:1; shop pods:2",
			"GlobalResourceQuota team: pods:5 -> pods:7 of pods:8; data pods:1; shop pods:1",
			"Deployment shop/web; ClusterResourceQuota other: used pods:4, asks pods:1, left pods:4; GlobalResourceQuota team: used pods:5, asks pods:1, left pods:2; ClusterResourceQuota team: used pods:1, asks pods:1, left pods:1",
			"Deployment data/web; ClusterResourceQuota other: used pods:5, asks pods:1, left pods:3; GlobalResourceQuota team: used pods:6, asks pods:1, left pods:1; ClusterResourceQuota team: used pods:2, asks pods:1, left pods:0",
		}},
		{"of the second namespace, with what it does not limit in its status", []string{strings.Replace(withStatus(1), "used: {pods: 1}", "used: {pods: 1, secrets: 4}", -1), inTeam("shop"), webIn("data", 1, ""), webIn("shop", 1, "")}, []string{
			"ClusterResourceQuota team: pods:1 -> pods:2 of pods:3; shop pods:2",
			"Deployment data/web",
			"Deployment shop/web; ClusterResourceQuota team: used pods:1, asks pods:1, left pods:1",
		}},
		{"a status without any usage", []string{team + "status: {total: {hard: {pods: 3}}}\n", inTeam("shop"), webIn("shop", 1, "")}, []string{
			"ClusterResourceQuota team:  ->  of pods:3; shop ",
			"Deployment shop/web; ClusterResourceQuota team: used , asks pods:1, left ; replica: ClusterResourceQuota team has no status of pods: wait for the quota controller",
		}},
		{"of no namespace", []string{withStatus(3), inTeam("shop"), webIn("other", 1, "")}, []string{
			"ClusterResourceQuota team: pods:3 -> pods:3 of pods:3; shop pods:3", "Deployment other/web"}},
		{"of unknown namespaces", []string{team, webIn("other", 1, "")}, []string{
			"ClusterResourceQuota team:  ->  of pods:3, at least, unknown", "Deployment other/web"}},
		{"an object of another namespace", []string{strings.Replace(withStatus(3), "pods", "services", -1), inTeam("shop"), inTeam("data"),
			"apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: data}\nspec: {ports: [{port: 80}]}\n"}, []string{
			"ClusterResourceQuota team: services:3 -> services:3 of services:3; data ; shop services:3",
			"Service data/s; ClusterResourceQuota team: used services:3, asks services:1, left services:-1; service s: ClusterResourceQuota team lacks services=1: request less, or raise the quota to services=4"}},
		{"beside one of the namespace of the same name", []string{withStatus(1), inTeam("shop"), "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team, namespace: shop}\nspec: {hard: {pods: 1}}\nstatus: {hard: {pods: 1}, used: {pods: 0}}\n", webIn("shop", 2, "")}, []string{
			"ClusterResourceQuota team: pods:1 -> pods:2 of pods:3; shop pods:2",
			"Deployment shop/web; team: used pods:0, asks pods:2, left pods:-1; ClusterResourceQuota team: used pods:1, asks pods:2, left pods:0; replica 2 of 2: ResourceQuota shop/team lacks pods=1: run no more than 1 replica, request less, or raise the quota to pods=2",
		}},
		{"one namespace again", []string{withStatus(1), inTeam("shop"), inTeam("data"), webIn("shop", 1, ""), webIn("data", 1, ""), strings.Replace(webIn("shop", 1, ""), "name: web", "name: api", 1)}, []string{
			"ClusterResourceQuota team: pods:1 -> pods:3 of pods:3; data pods:1; shop pods:2",
			"Deployment shop/web; ClusterResourceQuota team: used pods:1, asks pods:1, left pods:1",
			"Deployment data/web; ClusterResourceQuota team: used pods:2, asks pods:1, left pods:0",
			"Deployment shop/api; ClusterResourceQuota team: used pods:3, asks pods:1, left pods:-1; replica: ClusterResourceQuota team lacks pods=1: request less, or raise the quota to pods=4",
		}},
		{"of two kinds of the same name", []string{withStatus(1), globalTeam, inTeam("shop"), webIn("shop", 1, "")}, []string{
			"ClusterResourceQuota team: pods:1 -> pods:2 of pods:3; shop pods:2",
			"GlobalResourceQuota team: pods:4 -> pods:5 of pods:7; shop pods:5",
			"Deployment shop/web; GlobalResourceQuota team: used pods:4, asks pods:1, left pods:2; ClusterResourceQuota team: used pods:1, asks pods:1, left pods:1",
		}},
		{"beside one of the same name without a status", []string{withStatus(1), inTeam("shop"), "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team, namespace: shop}\nspec: {hard: {pods: 1}}\n", webIn("shop", 1, "")}, []string{
			"ClusterResourceQuota team: pods:1 -> pods:2 of pods:3; shop pods:2",
			"Deployment shop/web; team: used , asks pods:1, left , unknown; ClusterResourceQuota team: used pods:1, asks pods:1, left pods:1",
		}},
		{"runs that a CronJob deletes first, without a status", []string{strings.Replace(team, "pods: 3", "count/jobs.batch: 6", 1), inTeam("home"), document("CronJob", "name: c, uid: c", spec("jobTemplate: {spec: {"+template("2")+"}}")),
			job("a"), job("b"), job("d"), job("e"), job("f")}, []string{
			"ClusterResourceQuota team: count/jobs.batch:5 -> count/jobs.batch:4 of count/jobs.batch:6, at least; home count/jobs.batch:4",
			"CronJob /c; ClusterResourceQuota team: used , asks count/jobs.batch:4, left , unknown",
		}},
		{"beside one of the same name that lacks more", []string{withStatus(1), inTeam("shop"), "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team, namespace: shop}\nspec: {hard: {pods: 1}}\nstatus: {hard: {pods: 1}, used: {pods: 0}}\n", webIn("shop", 3, "")}, []string{
			"ClusterResourceQuota team: pods:1 -> pods:2 of pods:3; shop pods:2",
			"Deployment shop/web; team: used pods:0, asks pods:3, left pods:-2; ClusterResourceQuota team: used pods:1, asks pods:3, left pods:-1; replica 2 of 3: ResourceQuota shop/team lacks pods=1: run no more than 1 replica, request less, or raise the quota to pods=3",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, tellShared(t, sharedReport(test.documents...)), test.want)
		})
	}
}

// The quotas of a namespace are its own, whichever quotas it shares.
func TestOwnQuotasBesideSharedOnes(t *testing.T) {
	r := sharedReport(withStatus(1), globalTeam, inTeam("shop"), webIn("shop", 1, ""),
		"apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: zz, namespace: shop}\nspec: {hard: {pods: 9}}\nstatus: {hard: {pods: 9}, used: {pods: 0}}\n")
	if len(r.Namespaces) != 1 || len(r.Namespaces[0].Quotas) != 1 {
		t.Fatalf("%+v", r.Namespaces)
	}
	q := r.Namespaces[0].Quotas[0]
	used, then := q.Used["pods"], q.Then["pods"]
	if q.Name != "zz" || used.Value() != 0 || then.Value() != 1 {
		t.Errorf("%s: %s -> %s", q.Name, used.String(), then.String())
	}
}

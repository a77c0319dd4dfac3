package podreport_test

import (
	"strings"
	"testing"
)

// cronJob returns a CronJob of a cluster, whose last run has ended, and a quota of which 3 CPUs are used.
func cronJob(cpu, uid string) string {
	const objects = `
apiVersion: v1
kind: ResourceQuota
metadata: {namespace: shop, name: compute, uid: q}
spec: {hard: {requests.cpu: 4}}
status: {hard: {requests.cpu: 4}, used: {requests.cpu: 3}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {namespace: shop, name: nightly, UID}
spec:
  schedule: "0 3 * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, resources: {requests: {cpu: AMOUNT}}}]}}}}
`
	const run = `
---
apiVersion: batch/v1
kind: Job
metadata: {namespace: shop, name: nightly-1, uid: j, ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: nightly, uid: c, controller: true}]}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, resources: {requests: {cpu: AMOUNT}}}]}}}
status: {conditions: [{type: Complete, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: nightly-1-a, uid: p, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: nightly-1, uid: j, controller: true}]}
spec: {restartPolicy: Never, containers: [{name: app, resources: {requests: {cpu: AMOUNT}}}]}
status: {phase: Succeeded}
`
	text := objects
	if uid != "" {
		text += run
	}
	return strings.NewReplacer("AMOUNT", cpu, "UID", uid).Replace(text)
}

// The next run of a CronJob of a cluster may find more of a quota free than there is now.
func TestNextRunOfACronJob(t *testing.T) {
	const warning = "kubemath: -: document 2: CronJob shop/nightly: warning: spec.jobTemplate.spec.template.spec: now, the next run would be rejected: pod: ResourceQuota shop/compute lacks requests.cpu=1\n"
	for _, test := range []struct {
		name, manifests string
		args            []string
		code            int
		warned          bool
	}{
		{"it fits", cronJob("1", "uid: c"), nil, 0, false},
		{"it does not fit now", cronJob("2", "uid: c"), nil, 0, true},
		{"it does not fit now, with -strict", cronJob("2", "uid: c"), []string{"-strict"}, 2, false},
		{"it never fits", cronJob("5", "uid: c"), nil, 2, false},
		{"it is to be created", cronJob("2", ""), nil, 2, false},
	} {
		got := runWith(test.manifests, append([]string{"-f", "-"}, test.args...)...)
		want := ""
		if test.warned {
			want = warning
		}
		if got.Code != test.code || got.Stderr != want {
			t.Errorf("%s: exit code %d, want %d; stderr %q", test.name, got.Code, test.code, got.Stderr)
		}
	}
	if got := runWith(cronJob("2", "uid: c"), "-f", "-", "-ci"); !strings.HasPrefix(got.Stderr, "::warning title=CronJob shop/nightly::spec.jobTemplate.spec.template.spec: now, the next run") {
		t.Errorf("%q", got.Stderr)
	}
}

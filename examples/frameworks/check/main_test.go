package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const cluster = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: worker}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}}
- {apiVersion: v1, kind: ResourceQuota, metadata: {namespace: shop, name: team}, spec: {hard: {requests.cpu: 2}}, status: {hard: {requests.cpu: 2}, used: {requests.cpu: 0}}}
`

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: NAMESPACE, name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, resources: {requests: {cpu: CPU}}}], CLAIMS}
---
apiVersion: example.com/v1
kind: Gadget
metadata: {name: not-of-kubernetes}
`

func TestCheck(t *testing.T) {
	folder := t.TempDir()
	dump := filepath.Join(folder, "cluster.yaml")
	write(t, dump, cluster)
	for _, tt := range []struct {
		name, namespace, cpu, claims string
		failed                       int
		want                         string
	}{
		{"all is well", "shop", "500m", "", 0, ""},
		{
			"devices are not known", "data", "500m", "resourceClaims: [{name: gpu, resourceClaimName: gpu}]", 0,
			strings.Repeat("Deployment data/web: not known: spec.resourceClaims\n", 3),
		},
		{
			"a quota is too small", "shop", "750m", "", 1,
			`Deployment shop/web: pods "web-1-3" is forbidden: exceeded quota: team, requested: requests.cpu=750m, ` +
				"used: requests.cpu=1500m, limited: requests.cpu=2\n",
		},
		{"a node is too small", "data", "1500m", "", 1, "Deployment data/web: 0/1 nodes are available: 1 Insufficient cpu.\n"},
	} {
		manifests := filepath.Join(folder, tt.name)
		if err := os.Mkdir(manifests, 0o700); err != nil {
			t.Fatal(err)
		}
		filled := strings.NewReplacer("NAMESPACE", tt.namespace, "CPU", tt.cpu, "CLAIMS", tt.claims).Replace(deployment)
		write(t, filepath.Join(manifests, "web.yaml"), filled)
		var out strings.Builder
		failed, err := check(&out, dump, []string{manifests})
		if err != nil || out.String() != tt.want || failed != tt.failed {
			t.Errorf("%s: %d failed, error %v:\n%s\nwant:\n%s", tt.name, failed, err, out.String(), tt.want)
		}
	}
	if _, err := check(&strings.Builder{}, filepath.Join(folder, "absent.yaml"), nil); err == nil {
		t.Error("a file that is absent is no error")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

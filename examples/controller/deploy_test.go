package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/examples/controller/rbac"
	"github.com/kubemath/kubemath/examples/controller/webhooks"
)

// decodeFile decodes one document, in which no field may be unknown or given twice.
func decodeFile[T any](t *testing.T, file string) (object T) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, &object); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return object
}

// kustomization is what the test reads of one.
type kustomization struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Resources  []string `json:"resources"`
}

// The base has every manifest of its directory, and each of its resources exists.
func TestBaseIsComplete(t *testing.T) {
	for _, directory := range []string{"deploy", "rbac", "capsule"} {
		base := decodeFile[kustomization](t, filepath.Join(directory, "kustomization.yaml"))
		for _, resource := range base.Resources {
			if _, err := os.Stat(filepath.Join(directory, resource)); err != nil {
				t.Error(err)
			}
		}
		files, err := filepath.Glob(filepath.Join(directory, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if name := filepath.Base(file); name != "kustomization.yaml" && !slices.Contains(base.Resources, name) {
				t.Errorf("%s is not in the base", file)
			}
		}
	}
	base := decodeFile[kustomization](t, "deploy/kustomization.yaml")
	for _, other := range []string{"../rbac", "../capsule"} {
		if !slices.Contains(base.Resources, other) {
			t.Errorf("the base lacks %s", other)
		}
	}
}

// The Deployment starts the program with flags that it has, as the service account that has its roles, and probes what it
// serves.
func TestDeployment(t *testing.T) {
	d := decodeFile[appsv1.Deployment](t, "deploy/deployment.yaml")
	pod := d.Spec.Template.Spec
	if d.Namespace != rbac.Namespace || pod.ServiceAccountName != rbac.ServiceAccount || d.Labels[manifests.OwnerLabel] != manifests.Owner {
		t.Errorf("namespace %s, service account %s, labels %v", d.Namespace, pod.ServiceAccountName, d.Labels)
	}
	if d.Spec.Replicas == nil || *d.Spec.Replicas != 2 || len(pod.Containers) != 1 {
		t.Fatalf("%v replicas of %d containers", d.Spec.Replicas, len(pod.Containers))
	}
	c := pod.Containers[0]
	args, err := parse(c.Args)
	if err != nil {
		t.Fatal(err)
	}
	service := webhooks.Options{Address: ":9443", Service: "kubemath-controller", FailurePolicy: "Ignore", Lifetime: args.webhooks.Lifetime}
	if want := (arguments{inCluster: true, webhooks: service, metrics: ":8080", probes: ":8081", leaseDuration: args.leaseDuration}); args != want {
		t.Errorf("%+v, want %+v", args, want)
	}
	ports := map[string]string{}
	for _, port := range c.Ports {
		ports[port.Name] = fmt.Sprintf(":%d", port.ContainerPort)
	}
	if ports["metrics"] != args.metrics || ports["probes"] != args.probes || ports["webhooks"] != args.webhooks.Address {
		t.Errorf("ports %v", ports)
	}
	for path, probe := range map[string]*corev1.Probe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe} {
		if probe == nil || probe.HTTPGet == nil || probe.HTTPGet.Path != path || probe.HTTPGet.Port.String() != "probes" {
			t.Errorf("no probe of %s", path)
		}
	}
}

// The Service and the budget select the pods of the Deployment.
func TestDeploymentIsSelected(t *testing.T) {
	d := decodeFile[appsv1.Deployment](t, "deploy/deployment.yaml")
	s := decodeFile[corev1.Service](t, "deploy/service.yaml")
	b := decodeFile[policyv1.PodDisruptionBudget](t, "deploy/poddisruptionbudget.yaml")
	labels := d.Spec.Template.Labels
	for name, selector := range map[string]map[string]string{
		"Deployment": d.Spec.Selector.MatchLabels, "Service": s.Spec.Selector, "PodDisruptionBudget": b.Spec.Selector.MatchLabels,
		"spread": d.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
	} {
		if len(selector) == 0 {
			t.Errorf("%s selects all", name)
		}
		for key, value := range selector {
			if labels[key] != value {
				t.Errorf("%s selects %s=%s, the pods have %v", name, key, value, labels)
			}
		}
	}
	if s.Namespace != rbac.Namespace || b.Namespace != rbac.Namespace || s.Labels[manifests.OwnerLabel] != manifests.Owner || b.Labels[manifests.OwnerLabel] != manifests.Owner {
		t.Errorf("Service in %s, labels %v; budget in %s, labels %v", s.Namespace, s.Labels, b.Namespace, b.Labels)
	}
	ports := map[string]int32{}
	for _, port := range s.Spec.Ports {
		if !slices.ContainsFunc(d.Spec.Template.Spec.Containers[0].Ports, func(p corev1.ContainerPort) bool { return p.Name == port.TargetPort.String() }) {
			t.Errorf("no port %s", port.TargetPort.String())
		}
		ports[port.Name] = port.Port
	}
	if want := map[string]int32{"webhooks": 443, "metrics": 8080}; !maps.Equal(ports, want) {
		t.Errorf("ports %v, want %v", ports, want)
	}
	if b.Spec.MinAvailable == nil || b.Spec.MinAvailable.IntValue() < 1 || b.Spec.MinAvailable.IntValue() >= int(*d.Spec.Replicas) {
		t.Errorf("%v of %d are available, so no node can be drained, or both processes go", b.Spec.MinAvailable, *d.Spec.Replicas)
	}
}

// The pods precede those of workloads, by a class that every namespace may use, and do not precede those of the system.
func TestPriority(t *testing.T) {
	d := decodeFile[appsv1.Deployment](t, "deploy/deployment.yaml")
	c := decodeFile[schedulingv1.PriorityClass](t, "deploy/priorityclass.yaml")
	if d.Spec.Template.Spec.PriorityClassName != c.Name || c.Labels[manifests.OwnerLabel] != manifests.Owner {
		t.Errorf("the pods have class %q, there is %q with labels %v", d.Spec.Template.Spec.PriorityClassName, c.Name, c.Labels)
	}
	if c.Value <= 0 || c.Value > 1_000_000_000 || c.GlobalDefault || strings.HasPrefix(c.Name, "system-") {
		t.Errorf("%s: value %d, default of all pods %v", c.Name, c.Value, c.GlobalDefault)
	}
}

// Everyone reaches the webhooks and the probes, as API servers and kubelets have the addresses of nodes. Only namespaces with
// a label reach the metrics, and nothing reaches another port.
func TestNetworkPolicy(t *testing.T) {
	d := decodeFile[appsv1.Deployment](t, "deploy/deployment.yaml")
	n := decodeFile[networkingv1.NetworkPolicy](t, "deploy/networkpolicy.yaml")
	if n.Namespace != rbac.Namespace || n.Labels[manifests.OwnerLabel] != manifests.Owner || !maps.Equal(n.Spec.PodSelector.MatchLabels, d.Spec.Selector.MatchLabels) || len(n.Spec.PodSelector.MatchExpressions) > 0 {
		t.Errorf("policy of %s, labels %v, for %v", n.Namespace, n.Labels, n.Spec.PodSelector)
	}
	if !slices.Equal(n.Spec.PolicyTypes, []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}) || len(n.Spec.Egress) > 0 {
		t.Errorf("types %v, egress %v", n.Spec.PolicyTypes, n.Spec.Egress)
	}
	from := map[string]string{}
	for _, rule := range n.Spec.Ingress {
		who := "everyone"
		if len(rule.From) > 0 {
			who = ""
		}
		for _, peer := range rule.From {
			if peer.PodSelector != nil || peer.IPBlock != nil || peer.NamespaceSelector == nil {
				t.Fatalf("%+v", peer)
			}
			who += fmt.Sprint(peer.NamespaceSelector.MatchLabels, len(peer.NamespaceSelector.MatchExpressions))
		}
		if len(rule.Ports) == 0 {
			t.Error("a rule for all ports")
		}
		for _, port := range rule.Ports {
			if port.Protocol == nil || *port.Protocol != corev1.ProtocolTCP || port.EndPort != nil {
				t.Errorf("port %+v", port)
			}
			from[port.Port.String()] += who
		}
	}
	if want := map[string]string{"webhooks": "everyone", "probes": "everyone", "metrics": "map[metrics:enabled] 0"}; !maps.Equal(from, want) {
		t.Errorf("%v, want %v", from, want)
	}
	for _, port := range d.Spec.Template.Spec.Containers[0].Ports {
		delete(from, port.Name)
	}
	if len(from) > 0 {
		t.Errorf("the pods have no port %v", from)
	}
}

// The image has the program only, runs it as the numeric user that runAsNonRoot needs, and is built with the Go of go.mod.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(module))
	image := regexp.MustCompile(`(?m)^FROM golang:(\S+) AS build$`).FindStringSubmatch(string(text))
	if version == nil || image == nil || version[1] != image[1] {
		t.Errorf("built with Go %v, go.mod has %v", image, version)
	}
	_, last, found := strings.Cut(string(text), "\nFROM scratch\n")
	if want := "COPY --from=build /controller /controller\nUSER 65532:65532\nENTRYPOINT [\"/controller\"]\n"; !found || last != want {
		t.Errorf("the image is\n%s\nwant\n%s", last, want)
	}
	if !strings.Contains(string(text), "CGO_ENABLED=0 go build") {
		t.Error("the program may need a C library, which the image does not have")
	}
}

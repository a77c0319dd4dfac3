package controlplane

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A service account that may read one namespace gets an answer of each subcommand from that, and is told once what it may not list.
// It needs a kube-apiserver, which takes minutes to build, so only .ci/controlplane runs it.
func TestNamespaced(t *testing.T) {
	if os.Getenv("KUBEMATH_APISERVER") == "" {
		t.Skip("KUBEMATH_APISERVER is not set")
	}
	t.Chdir("..") // where the module file is
	program := buildProgram(t)
	path, err := Build(t.Context(), APIServer, os.Stderr)
	if err != nil {
		t.Skip(err)
	}
	server, err := Start(t.Context(), Options{APIServer: path})
	if errors.Is(err, ErrUnavailable) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	}()
	create(t, server.Client)
	kubeconfig := kubeconfigOf(t, server)
	file := filepath.Join(t.TempDir(), "change.yaml")
	if err := os.WriteFile(file, []byte(changeText), 0o600); err != nil {
		t.Fatal(err)
	}
	const (
		one     = "you may not list all namespaces, so that only one is read"
		nodes   = "you may not list nodes, which are left out"
		classes = "priorityclasses, runtimeclasses, storageclasses"
		change  = "you may not list namespaces, " + classes + ", which are left out"
		places  = "you may not list nodes, persistentvolumes, storageclasses, csinodes, csidrivers, csistoragecapacities, which are left out"
	)
	for _, test := range []struct {
		args   string
		code   int
		stdout string
		unread []string // what the standard error says, a line each, and nothing else
	}{
		{"report -cluster", 0, "2 workloads, 2 pods: all admitted", []string{"you may not list nodes, " + classes + ", which are left out"}},
		{"report -n team -strict", 2, "2 workloads, 2 pods: all admitted", []string{"you may not list nodes, " + classes + ", which are left out"}},
		{"report -A", 1, "no workloads", []string{"you may not list pods, deployments, replicasets"}},
		{"diff -f CHANGE", 2, "Pod team/one refused", []string{change}},
		{"diff -A -f CHANGE", 1, "", []string{"you may not list namespaces, " + classes + ", nodes, persistentvolumes"}},
		{"nodes -cluster", 0, "Not counted: 1 pod on 1 node that are not in the input.", []string{one, places}},
		{"nodes -A", 0, "Not counted: 1 pod on 1 node that are not in the input.", []string{one, places}},
		{"room -f CHANGE", 0, "Deployment team/web: 4 more pods", []string{change}},
		{"quota -n team", 0, "team/compute requests.cpu  100m     1  900m   10%", []string{"you may not list namespaces, which are left out"}},
		{"quota -A", 1, "", []string{"you may not list resourcequotas, namespaces", "the input has no quota"}},
		{"explain -n team", 0, "Pod team/one on n1: Burstable", []string{one, nodes}},
		{"resize -f CHANGE", 1, "Pod team/one: accepted", []string{change, "Deployment team/web: the cluster has no pod of it"}},
		{"tree -n team", 0, "Node n1, which is not in the input", []string{one, nodes}},
		{"tekton -n team", 1, "", []string{"doesn't have a resource type \"taskruns\"", "the input has no run of a known task, and no Pod"}},
		{"pool -n team", 1, "", []string{"doesn't have a resource type \"resourcepools\"", "the input has neither a ResourcePool nor a ResourcePoolClaim"}},
	} {
		command := exec.Command(program, strings.Fields(strings.ReplaceAll(test.args, "CHANGE", file))...)
		command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
		var stderr bytes.Buffer
		command.Stderr = &stderr
		stdout, err := command.Output()
		if code := command.ProcessState.ExitCode(); code != test.code || !strings.Contains(string(stdout), test.stdout) {
			t.Errorf("%s: exit code %d, want %d, and %q in\n%s%v", test.args, code, test.code, test.stdout, stdout, err)
		}
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		for i, want := range test.unread {
			if len(lines) != len(test.unread) || !strings.Contains(lines[i], want) {
				t.Errorf("%s: want %d lines, of which number %d has %q:\n%s", test.args, len(test.unread), i+1, want, &stderr)
			}
		}
	}
}

const changeText = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: team, name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: app, resources: {requests: {cpu: 200m, memory: 64Mi}, limits: {cpu: 200m, memory: 64Mi}}}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: team, name: one}
spec: {containers: [{name: app, image: app, resources: {requests: {cpu: 300m}}}]}
`

// buildProgram builds kubemath, and returns its path.
func buildProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubemath")
	if out, err := exec.Command("go", "build", "-C", "../..", "-o", path, "./examples/kubemath").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// create stores a node, a pod, a quota and a LimitRange in two namespaces, and what the service account of one may read.
func create(t *testing.T, c *Client) {
	t.Helper()
	amounts := corev1.ResourceList{"cpu": resource.MustParse("2"), "memory": resource.MustParse("4Gi"), "pods": resource.MustParse("10")}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}, Status: corev1.NodeStatus{Capacity: amounts, Allocatable: amounts}}
	do := func(path string, object any) {
		t.Helper()
		if err := c.Create(t.Context(), path, object, nil); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	do("/api/v1/nodes", node)
	for _, name := range []string{"team", "other"} {
		do("/api/v1/namespaces", &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
		in := "/api/v1/namespaces/" + name
		one := corev1.ResourceList{"cpu": resource.MustParse("100m")}
		container := corev1.Container{Name: "app", Image: "app", Resources: corev1.ResourceRequirements{Requests: one}}
		do(in+"/limitranges", &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "defaults"}, Spec: corev1.LimitRangeSpec{
			Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Default: corev1.ResourceList{"cpu": resource.MustParse("500m")}}}}})
		spec := corev1.PodSpec{NodeName: "n1", Containers: []corev1.Container{container}}
		do(in+"/pods", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Spec: spec})
		labels := map[string]string{"app": "db"}
		do("/apis/apps/v1/namespaces/"+name+"/deployments", &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "db"}, Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{Containers: []corev1.Container{container}}}}})
		quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "compute"},
			Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"requests.cpu": resource.MustParse("1")}}}
		do(in+"/resourcequotas", quota)
		quota.Status = corev1.ResourceQuotaStatus{Hard: quota.Spec.Hard, Used: corev1.ResourceList{"requests.cpu": resource.MustParse("100m")}}
		if err := c.Update(t.Context(), in+"/resourcequotas/compute/status", quota, nil); err != nil {
			t.Fatal(err)
		}
	}
	do("/api/v1/namespaces/team/serviceaccounts", &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "reader"}})
	roles := "/apis/rbac.authorization.k8s.io/v1/namespaces/team/role"
	do(roles+"s", &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "reader"}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{"", "apps", "batch", "policy"}, Resources: []string{"*"}, Verbs: []string{"get", "list"}}}})
	do(roles+"bindings", &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "reader"},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: "team", Name: "reader"}},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "reader"}})
}

// kubeconfigOf returns the path of a kubeconfig of the service account, whose context has its namespace.
func kubeconfigOf(t *testing.T, s *Server) string {
	t.Helper()
	var token authenticationv1.TokenRequest
	if err := s.Client.Create(t.Context(), "/api/v1/namespaces/team/serviceaccounts/reader/token", &token, &token); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(text), "users:\n")
	before = strings.Replace(before, "context: {", "context: {namespace: team, ", 1)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, []byte(before+"users:\n- name: kubemath\n  user:\n    token: "+token.Status.Token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	resourcehelper "k8s.io/component-helpers/resource"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
	"github.com/kubemath/kubemath/quota/admit"
)

// samples are those of kubemath diff, seen from this module.
const samples = "../../examples/internal/comparison/samples"

// plugin is a cluster that is asked by kubectl, and by kubemath as its plugin.
type plugin struct {
	*world
	dir string // of both programs
	env []string
}

// playPlugin lets kubectl kubemath diff predict what its samples do to a cluster, applies them by kubectl, and compares.
func playPlugin(ctx context.Context, quiet time.Duration, out io.Writer) (err error) {
	kubectl, err := controlplane.Build(ctx, controlplane.Kubectl, os.Stderr)
	if err != nil {
		return err
	}
	server, err := start(ctx, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	p := &plugin{world: newWorld(server, quiet)}
	p.dir, err = os.MkdirTemp("", "kubemath-plugin-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(p.dir)
	if err := os.Symlink(kubectl, filepath.Join(p.dir, "kubectl")); err != nil {
		return err
	}
	p.env = append(os.Environ(), "KUBECONFIG="+server.Kubeconfig, "PATH="+p.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if _, err := p.run(ctx, "go", "build", "-C", "../..", "-o", filepath.Join(p.dir, "kubectl-kubemath"), "./examples/kubemath/kubectl-kubemath"); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go p.playKubelet(ctx)
	if err := p.begin(ctx); err != nil {
		return err
	}
	return p.compare(ctx, out)
}

// run runs a program, and returns its output. Exit status 2 means that something would be refused.
func (p *plugin) run(ctx context.Context, name string, args ...string) ([]byte, error) {
	if path := filepath.Join(p.dir, name); name == "kubectl" {
		name = path
	}
	command := exec.CommandContext(ctx, name, args...)
	command.Env = p.env
	text, err := command.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if exit.ExitCode() == 2 && len(text) > 0 {
			return text, nil
		}
		err = fmt.Errorf("%v: %w: %s", command, err, exit.Stderr)
	}
	return text, err
}

// begin creates the cluster of the samples, except what its controllers create.
func (p *plugin) begin(ctx context.Context) error {
	text, err := os.ReadFile(filepath.Join(samples, "cluster", "cluster.yaml"))
	if err != nil {
		return err
	}
	var list struct{ Items []json.RawMessage }
	if err := yaml.Unmarshal(text, &list); err != nil {
		return err
	}
	for _, namespace := range []string{"shop", "data"} {
		if err := p.create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
			return err
		}
	}
	for _, raw := range list.Items {
		var head metav1.TypeMeta
		if err := json.Unmarshal(raw, &head); err != nil {
			return err
		}
		var object admit.APIObject
		switch head.Kind {
		case "Node":
			object = &corev1.Node{}
		case "LimitRange":
			object = &corev1.LimitRange{}
		case "ResourceQuota":
			object = &corev1.ResourceQuota{}
		case "Deployment":
			object = &appsv1.Deployment{}
		default:
			continue
		}
		if err := json.Unmarshal(raw, object); err != nil {
			return err
		}
		object.SetUID("")
		if node, is := object.(*corev1.Node); is { // the kubelet reports both
			node.Status.Capacity = node.Status.Allocatable
		}
		if err := p.create(ctx, object); err != nil {
			return err
		}
	}
	_, err = p.settle(ctx)
	return err
}

// prediction is what is read of the output of kubemath diff.
type prediction struct {
	Objects []struct {
		Kind, Namespace, Name string
		Wanted, Pods, Placed  int
	}
	Quotas []struct {
		Namespace, Name, Resource string
		After                     struct{ Used string }
	}
	Nodes []struct {
		Name  string
		After map[string]struct{ Used string }
	}
}

// compare predicts the change of the samples, applies it, and compares numbers of pods, quotas and nodes.
func (p *plugin) compare(ctx context.Context, out io.Writer) error {
	change := filepath.Join(samples, "change")
	text, err := p.run(ctx, "kubectl", "kubemath", "diff", "-A", "-f", change, "-o", "json")
	if err != nil {
		return err
	}
	var predicted prediction
	if err := json.Unmarshal(text, &predicted); err != nil {
		return err
	}
	objects, err := p.apply(ctx, change)
	if err != nil {
		return err
	}
	var differences []string
	equal := func(what, got, want string) {
		a, b := resource.MustParse(got), resource.MustParse(want)
		if a.Cmp(b) != 0 {
			differences = append(differences, fmt.Sprintf("%s: %s, predicted %s", what, got, want))
		}
	}
	for _, o := range predicted.Objects {
		pods, placed := 0, 0
		for _, object := range objects {
			if pod, is := object.(*corev1.Pod); is && pod.Namespace == o.Namespace && strings.HasPrefix(pod.Name, o.Name+"-") {
				pods++
				if pod.Spec.NodeName != "" {
					placed++
				}
			}
		}
		equal(fmt.Sprint("pods of ", o.Kind, " ", o.Name), fmt.Sprint(pods), fmt.Sprint(o.Pods))
		equal(fmt.Sprint("of which with a node, of ", o.Kind, " ", o.Name), fmt.Sprint(placed), fmt.Sprint(o.Placed))
	}
	for _, q := range predicted.Quotas {
		var stored corev1.ResourceQuota
		if err := p.client.Get(ctx, endpointOf(&stored).path(q.Namespace, q.Name), &stored); err != nil {
			return err
		}
		used := stored.Status.Used[corev1.ResourceName(q.Resource)]
		equal(fmt.Sprint("quota ", q.Name, " ", q.Resource), used.String(), q.After.Used)
	}
	text, err = p.run(ctx, "kubectl", "kubemath", "nodes", "-o", "json")
	if err != nil {
		return err
	}
	var now struct {
		Nodes []struct {
			Name     string
			Requests map[string]string
		}
	}
	if err := json.Unmarshal(text, &now); err != nil {
		return err
	}
	sums := requestsByNode(objects)
	for _, n := range now.Nodes {
		for name, sum := range sums[n.Name] {
			equal(fmt.Sprint(name, " on ", n.Name, " in kubemath nodes"), n.Requests[string(name)], sum.String())
		}
	}
	for _, subcommand := range []string{"report", "tree"} {
		if _, err := p.run(ctx, "kubectl", "kubemath", subcommand, "-A"); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "kubectl kubemath: %d objects, %d amounts of quotas and %d nodes compared, %d differences\n",
		len(predicted.Objects), len(predicted.Quotas), len(now.Nodes), len(differences))
	if len(predicted.Objects) == 0 || len(predicted.Quotas) == 0 || len(now.Nodes) == 0 {
		return errors.New("kubectl kubemath: nothing was compared")
	}
	if len(differences) > 0 {
		return errors.New(strings.Join(differences, "\n"))
	}
	return nil
}

// apply applies the documents of a directory by kubectl, each when nothing changes any more after the one before:
// otherwise, controllers race for what a quota has left.
func (p *plugin) apply(ctx context.Context, dir string) (objects []admit.APIObject, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text))); ; {
			document, err := documents.Read()
			if errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			file := filepath.Join(p.dir, "document.yaml")
			if err := os.WriteFile(file, document, 0o600); err != nil {
				return nil, err
			}
			if _, err := p.run(ctx, "kubectl", "apply", "-f", file); err != nil {
				return nil, err
			}
			objects, err = p.settle(ctx)
			if err != nil {
				return nil, err
			}
		}
	}
	return objects, nil
}

// requestsByNode returns what pods request on their nodes, by Kubernetes' own function.
func requestsByNode(objects []admit.APIObject) map[string]corev1.ResourceList {
	sums := map[string]corev1.ResourceList{}
	for _, o := range objects {
		pod, is := o.(*corev1.Pod)
		if !is || pod.Spec.NodeName == "" {
			continue
		}
		if sums[pod.Spec.NodeName] == nil {
			sums[pod.Spec.NodeName] = corev1.ResourceList{}
		}
		for name, q := range resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{}) {
			sum := sums[pod.Spec.NodeName][name]
			sum.Add(q)
			sums[pod.Spec.NodeName][name] = sum
		}
	}
	return sums
}

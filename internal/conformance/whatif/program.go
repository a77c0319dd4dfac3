package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/quota/admit"
)

// program is kubemath, which reads dumps and manifests as people have them.
type program struct {
	path, dir string
	advice    bool // what it advises is applied instead; otherwise, what it says of each reading of a dump is compared
}

// buildProgram builds kubemath.
func buildProgram(ctx context.Context, advice bool) (p *program, err error) {
	p = &program{advice: advice}
	p.dir, err = os.MkdirTemp("", "kubemath-program-")
	if err != nil {
		return nil, err
	}
	p.path = filepath.Join(p.dir, "kubemath")
	text, err := exec.CommandContext(ctx, "go", "build", "-C", "../..", "-o", p.path, "./examples/kubemath").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("kubemath: %w: %s", err, text)
	}
	return p, nil
}

// reading is what a person could read of a cluster.
type reading string

const (
	whole           reading = "whole"
	withoutNodes    reading = "without nodes"
	withoutPods     reading = "without pods"
	withoutStatuses reading = "without statuses of quotas"
	withoutQuotas   reading = "without quotas"
)

// dumpOf returns a list of objects as kubectl writes it.
func dumpOf(objects []admit.APIObject, r reading) ([]byte, error) {
	list := struct {
		APIVersion string           `json:"apiVersion"`
		Kind       string           `json:"kind"`
		Items      []map[string]any `json:"items"`
	}{"v1", "List", []map[string]any{}}
	for _, o := range objects {
		kind := kindOf(o)
		if kind == "Node" && r == withoutNodes || kind == "Pod" && r == withoutPods || kind == "ResourceQuota" && r == withoutQuotas {
			continue
		}
		text, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		item := map[string]any{}
		if err := json.Unmarshal(text, &item); err != nil {
			return nil, err
		}
		item["kind"] = kind
		item["apiVersion"] = strings.TrimPrefix(strings.TrimPrefix(endpointOf(o).group, "/apis/"), "/api/")
		if kind == "ResourceQuota" && r == withoutStatuses {
			delete(item, "status")
		}
		list.Items = append(list.Items, item)
	}
	return json.Marshal(list)
}

// told is what kubemath diff says.
type told struct {
	Objects []toldObject
	Others  []toldObject
	Notes   []string
	exit    int
	text    string
}

type toldObject struct {
	Kind, Namespace, Name, Action, Error, Missing string
	Wanted, Pods, Outdated                        int
	Fix                                           []struct{ Container, List, Resource, To string }
	Remedies                                      *struct {
		Strategy *appsv1.DeploymentStrategy
		Quotas   []struct {
			Name string
			Hard map[corev1.ResourceName]resource.Quantity
		}
		Replicas int32
		None     bool
	}
}

// diff asks the program what happens if an object is applied.
func (p *program) diff(ctx context.Context, number int, objects []admit.APIObject, r reading, change admit.APIObject) (*told, error) {
	dump, err := dumpOf(objects, r)
	if err != nil {
		return nil, err
	}
	applied := change.DeepCopyObject().(admit.APIObject)
	if n, is := applied.(*corev1.Node); is {
		for _, o := range objects { // which a person edits as it is
			if stored, is := o.(*corev1.Node); is && stored.Name == n.Name {
				n.Status = stored.Status
			}
		}
	}
	manifest, err := dumpOf([]admit.APIObject{applied}, whole)
	if err != nil {
		return nil, err
	}
	on, file := filepath.Join(p.dir, fmt.Sprint(number, "-on.json")), filepath.Join(p.dir, fmt.Sprint(number, "-change.json"))
	if err := errors.Join(os.WriteFile(on, dump, 0o600), os.WriteFile(file, manifest, 0o600)); err != nil {
		return nil, err
	}
	text, exit, err := p.run(ctx, "diff", "-kubernetes", oracle.Release, "-on", on, "-f", file, "-o", "json")
	if err != nil {
		return nil, err
	}
	t := &told{exit: exit, text: string(text)}
	return t, json.Unmarshal(text, t)
}

func (p *program) run(ctx context.Context, args ...string) (text []byte, exit int, err error) {
	command := exec.CommandContext(ctx, p.path, args...)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	text, err = command.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() == 2 {
		return text, 2, nil
	}
	if err != nil {
		err = fmt.Errorf("%v: %w: %s", args, err, complaint.String())
	}
	return text, 0, err
}

// owned returns how many pods of the namespace of an object it owns at the top, and how many of those of the namespace wait for a node.
func owned(objects []admit.APIObject, of admit.APIObject) (pods, waiting int) {
	controllers := map[string]bool{kindOf(of) + "/" + of.GetName(): true}
	for _, o := range objects {
		if rs, is := o.(*appsv1.ReplicaSet); is && rs.Namespace == of.GetNamespace() && isOwned(rs, controllers) {
			controllers["ReplicaSet/"+rs.Name] = true
		}
	}
	for _, o := range objects {
		p, is := o.(*corev1.Pod)
		if !is || p.Namespace != of.GetNamespace() {
			continue
		}
		if p.Spec.NodeName == "" {
			waiting++
		}
		if kindOf(of) == "Pod" && p.Name == of.GetName() || isOwned(p, controllers) {
			pods++
		}
	}
	return pods, waiting
}

func isOwned(o admit.APIObject, controllers map[string]bool) bool {
	for _, r := range o.GetOwnerReferences() {
		if controllers[r.Kind+"/"+r.Name] {
			return true
		}
	}
	return false
}

// ofQuota reports whether a message is that of a quota.
func ofQuota(text string) bool {
	return strings.Contains(text, "exceeded quota") || strings.Contains(text, "failed quota")
}

// answers are what the program says of each reading before a step.
type answers map[reading]*told

// readings returns those of a step: quotas lack their statuses, or may not be listed.
func readings(number int) []reading {
	last := withoutStatuses
	if number%2 == 0 {
		last = withoutQuotas
	}
	return []reading{whole, withoutNodes, withoutPods, last}
}

func (p *program) ask(ctx context.Context, number int, objects []admit.APIObject, step change) (all answers, err error) {
	if step.deleted {
		return nil, nil
	}
	all = answers{}
	for _, r := range readings(number) {
		all[r], err = p.diff(ctx, number, objects, r, step.object)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r, err)
		}
	}
	return all, nil
}

// judge compares what was said of each reading with what has happened. Where places decide, an answer without nodes or pods says nothing
// of them; and without quotas, nothing of quotas. Such steps are counted apart.
func (s *outcome) judge(all answers, before []admit.APIObject, refused error) string {
	object := s.step.object
	pods, waitNow := owned(s.after, object)
	_, waitBefore := owned(before, object)
	places := waitNow+waitBefore > 0 || s.preempted || kindOf(object) == "DaemonSet" || kindOf(object) == "Node"
	failure := ""
	if refused != nil {
		failure = refused.Error()
	}
	quotas := ofQuota(failure) || slices.ContainsFunc(s.after, func(o admit.APIObject) bool { return ofQuota(replicaFailure(o)) }) || lacks(s.after)
	for r, t := range all {
		o := &t.Objects[0]
		notKnown := slices.ContainsFunc(t.Notes, func(note string) bool { return strings.Contains(note, "not known") })
		unknown := r == withoutQuotas && quotas || (r == withoutNodes || r == withoutPods) && places
		switch {
		case notKnown, r == withoutQuotas && ofQuota(failure):
			s.unknown++
			continue
		case sortedProblems(o.Error) != sortedProblems(failure):
			return fmt.Sprintf("%s: the server says %q, the program %q", r, failure, o.Error)
		}
		if refused != nil {
			s.told++
			continue
		}
		if unknown || s.tied {
			s.unknown++
			continue
		}
		if o.Wanted > 0 && o.Pods+o.Outdated != pods {
			return fmt.Sprintf("%s: %d pods, the program says %d and %d of the former template\n%s", r, pods, o.Pods, o.Outdated, t.text)
		}
		if lack := o.Wanted > 0 && pods < o.Wanted; lack && t.exit != 2 {
			return fmt.Sprintf("%s: %d pods of %d, exit code %d\n%s", r, pods, o.Wanted, t.exit, t.text)
		}
		if complete := !places && !lacks(s.after); complete && t.exit != 0 {
			return fmt.Sprintf("%s: all pods are there, exit code %d\n%s", r, t.exit, t.text)
		}
		s.told++
	}
	return ""
}

// lacks reports whether a workload has fewer pods than it wants.
func lacks(objects []admit.APIObject) bool {
	return slices.ContainsFunc(objects, func(o admit.APIObject) bool {
		switch s := o.(type) {
		case *appsv1.Deployment:
			return s.Status.Replicas < *s.Spec.Replicas || s.Status.UpdatedReplicas < *s.Spec.Replicas
		case *appsv1.StatefulSet:
			return s.Status.Replicas < *s.Spec.Replicas
		case *appsv1.DaemonSet:
			return s.Status.CurrentNumberScheduled < s.Status.DesiredNumberScheduled
		case *batchv1.Job:
			return s.Spec.Parallelism != nil && s.Status.Active < *s.Spec.Parallelism
		}
		return false
	})
}

// stuck compares what the program says of the cluster as it is: a workload that lacks pods because of a quota or LimitRange is blocked, in
// each reading that has them.
func (p *program) stuck(ctx context.Context, number int, objects []admit.APIObject, c *counts) (string, error) {
	for _, r := range readings(number) {
		blocked := slices.ContainsFunc(objects, func(o admit.APIObject) bool { return kindOf(o) != "ReplicaSet" && replicaFailure(o) != "" })
		if !blocked || r == withoutQuotas {
			continue
		}
		dump, err := dumpOf(objects, r)
		if err != nil {
			return "", err
		}
		file := filepath.Join(p.dir, fmt.Sprint(number, "-report.json"))
		if err := os.WriteFile(file, dump, 0o600); err != nil {
			return "", err
		}
		text, exit, err := p.run(ctx, "report", "-kubernetes", oracle.Release, "-f", file)
		if err != nil {
			return "", err
		}
		if exit != 2 {
			return fmt.Sprintf("report, %s: a workload lacks pods, exit code %d\n%s", r, exit, text), nil
		}
		c.told++
	}
	return "", nil
}

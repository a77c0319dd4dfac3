package nodes

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// cordoned returns the cluster in which no pending pod is placed on a node: a drain begins with that.
func (c *cluster) cordoned(name string) *whatif.Cluster {
	n := c.byName[name]
	if n == nil || len(n.placed) == 0 {
		return c.Cluster
	}
	objects := slices.Clone(c.objects)
	for i, o := range objects {
		if o == n.Node {
			node := n.Node.DeepCopy()
			node.Spec.Unschedulable = true
			objects[i] = node
		}
	}
	cordoned, _ := whatif.Read(objects, c.options) // as the others could be read
	return cordoned
}

func (c *cluster) drain(name string) *Drain {
	d := &Drain{Node: name, Evicted: []string{}, Pods: []Pending{}}
	before := c.cordoned(name)
	result, after := before.Drain(name)
	pods := result.Pods
	if before != c.Cluster {
		pods = slices.Concat(pods, c.moved(after, pods))
	}
	for _, p := range pods {
		title := p.Object.Namespace + "/" + p.Object.Name
		switch {
		case p.Waits.Cause != "" && p.Node != "":
			d.Protected = append(d.Protected, Protected{Pod: title, Message: messageOf(&p.Waits)})
			continue
		case p.Before == name:
			was, _ := before.Pod(nameOf(p.Object)) // what comes instead may have the name
			if computeresources.HasEnded(was.Object) {
				continue
			}
			d.Evicted = append(d.Evicted, title)
			if metav1.GetControllerOfNoCopy(was.Object) == nil {
				d.Bare = append(d.Bare, title)
			}
			if slices.ContainsFunc(was.Object.Spec.Volumes, func(v corev1.Volume) bool { return v.EmptyDir != nil }) {
				d.Local = append(d.Local, title)
			}
		case p.Preempted:
			d.Preempted = append(d.Preempted, title)
		}
		if p.Gone {
			continue
		}
		request := noderesources.SpecRequest(&p.Object.Spec, computeresources.Options{Kubernetes: c.options.Admission.Kubernetes})
		d.Pods = append(d.Pods, Pending{Namespace: p.Object.Namespace, Name: p.Object.Name, Owner: p.Owner.Name, Node: p.Node, Choice: p.Choice,
			Requests: report.Amounts(request.Amounts(computeresources.Requests)), Message: p.Waits.Message, Unknown: p.Unknown})
	}
	for _, o := range result.Others {
		if o.Missing.Cause != "" {
			d.Missing = append(d.Missing, fmt.Sprintf("%s %s/%s: %s", o.Kind, o.Namespace, o.Name, o.Missing.Message))
		}
	}
	return d
}

// moved returns the pending pods that have another node in a cluster, or none, without those that are told already.
func (c *cluster) moved(in *whatif.Cluster, told []whatif.Pod) (moved []whatif.Pod) {
	known := map[types.NamespacedName]bool{}
	for _, p := range told {
		known[nameOf(p.Object)] = true
	}
	for i, now := range c.placesIn(in) {
		if p := c.pending[i]; now.Object != nil && now.Node != p.answer.Node && !known[nameOf(p.Pod)] {
			moved = append(moved, now)
		}
	}
	return moved
}

// messageOf returns why a pod may not be evicted: what the budget says, or else the server.
func messageOf(r *whatif.Reason) string {
	if details := r.Status.Details; details != nil && len(details.Causes) > 0 {
		return details.Causes[0].Message
	}
	return r.Message
}

// taints returns the taints of a node that keep pods away, as kubectl writes them, without that of a cordoned node,

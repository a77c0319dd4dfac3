package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// counts is what was compared.
type counts struct {
	changes, refused, pods, waiting, missing, quotas, drawn, differences int
	current, outdated                                                    int // pods that wait whose message is that of now, and those whose message is that of the last attempt
	tries                                                                tries
	scenarios                                                            int

	told, unknown int            // answers of the program that agree, and those that cannot know
	advices       map[string]int // that admit all, by what is advised
	hopeless      int            // objects about which nothing was found
}

func (c *counts) String() string {
	return fmt.Sprintf("%d changes, %d of them refused with the same words\n"+
		"%d changes after which the cluster has drawn another node or pod, so that pods differ\n"+
		"%d pods by workload, %d of them wait for the same reasons, %d workloads lack pods for the same reason\n"+
		"%d amounts of quotas\n%d times, a pod waits for the reasons that it has now, and %d times for those of the last attempt\n",
		c.changes, c.refused, c.drawn, c.pods, c.waiting, c.missing, c.quotas, c.current, c.outdated) + c.tries.String() +
		fmt.Sprintf("%d answers of the program about readings agree, %d cannot know; advices that admit all: %v, objects without any: %d\n",
			c.told, c.unknown, c.advices, c.hopeless)
}

// add adds what was compared in another scenario.
func (c *counts) add(o *counts) {
	c.changes, c.refused, c.pods, c.waiting = c.changes+o.changes, c.refused+o.refused, c.pods+o.pods, c.waiting+o.waiting
	c.missing, c.quotas = c.missing+o.missing, c.quotas+o.quotas
	c.current, c.outdated = c.current+o.current, c.outdated+o.outdated
	c.tries.add(&o.tries)
	c.scenarios += o.scenarios
	c.drawn, c.differences = c.drawn+o.drawn, c.differences+o.differences
	c.told, c.unknown, c.hopeless = c.told+o.told, c.unknown+o.unknown, c.hopeless+o.hopeless
	if c.advices == nil {
		c.advices = map[string]int{}
	}
	for what, n := range o.advices {
		c.advices[what] += n
	}
}

// steps is how many changes a scenario has.
const steps = 5

// scenario plays a scenario, and returns the first difference, if there is one.
func (w *world) scenario(ctx context.Context, seed uint64, number int, c *counts, g *game) (difference string, err error) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("shop-", number)}}
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, uint64(number))), namespace: namespace.Name, tight: g.program != nil, volumes: g.volumes}
	w.record.forget()
	if err := w.log.update(); err != nil {
		return "", err
	}
	w.log.forget()
	for _, object := range slices.Concat(priorityClasses(), storageClasses(), []admit.APIObject{namespace}, d.begin()) {
		if (kindOf(object) == "PriorityClass" || kindOf(object) == "StorageClass") && w.client.Get(ctx, endpointOf(object).path("", object.GetName()), nil) == nil {
			continue
		}
		if err := w.create(ctx, object); err != nil {
			return "", err
		}
	}
	defer func() {
		if cleared := w.clear(ctx, namespace); err == nil {
			err = cleared
		}
	}()
	objects, err := w.settle(ctx)
	for i := 0; i < steps && err == nil && difference == ""; i++ {
		step := d.next(objects)
		g.step(number, i+1, fmt.Sprint(step.what, " ", kindOf(step.object), " ", step.object.GetName()))
		var before *whatif.Cluster
		begin := time.Now()
		before, err = whatif.Read(objects, at(begin))
		if err != nil {
			break
		}
		var said answers
		if g.program != nil && g.program.advice && !step.deleted {
			var after []admit.APIObject
			after, difference, err = w.advised(ctx, g.program, number, d, objects, step, c)
			if err != nil || after != nil {
				objects = after
				continue
			}
		} else if g.program != nil {
			said, err = g.program.ask(ctx, number, objects, step)
			if err != nil {
				break
			}
		}
		var refused error
		earlier := objects
		if step.deleted {
			refused = w.remove(ctx, step.object)
		} else {
			refused = w.apply(ctx, step.object)
		}
		objects, err = w.settle(ctx)
		if err != nil {
			break
		}
		s := &outcome{before: before, earlier: earlier, after: objects, begin: begin, step: step, refused: refused, counts: c}
		difference, err = w.judge(s)
		if err != nil {
			break
		}
		if difference == "" {
			difference = s.compare()
		}
		if difference == "" && said != nil {
			difference = s.judge(said, earlier, refused)
		}
		if difference == "" && g.program != nil && !g.program.advice {
			difference, err = g.program.stuck(ctx, number, objects, c)
		}
		if difference != "" && g.keep != "" {
			state := append(earlier, step.object)
			if s.differs != nil {
				state = append(s.differs.objects(), s.differs.pod)
			}
			err = write(filepath.Join(g.keep, fmt.Sprintf("scenario-%d-%d.json", seed, number)), state)
		}
		if difference != "" {
			difference = fmt.Sprintf("step %d, %s %s %s: %s\n%s", i+1, step.what, kindOf(step.object), step.object.GetName(), difference, evidence(step.object, objects))
		}
	}
	return difference, err
}

// evidence writes a changed object, and why workloads lack pods in the cluster.
func evidence(changed admit.APIObject, objects []admit.APIObject) string {
	text, _ := json.Marshal(changed) // of a type of k8s.io/api
	lines := []string{string(text)}
	for _, o := range objects {
		if failure := replicaFailure(o); failure != "" {
			lines = append(lines, fmt.Sprintf("%s %s: %s", kindOf(o), o.GetName(), failure))
		}
		switch o := o.(type) {
		case *corev1.ResourceQuota:
			text, _ := json.Marshal(o.Status)
			lines = append(lines, string(text))
		case *corev1.PersistentVolumeClaim:
			lines = append(lines, fmt.Sprint("Claim ", o.Name, " ", o.Status.Phase, " ", o.DeletionTimestamp, " ", o.Finalizers, " ", o.OwnerReferences))
		case *corev1.Node:
			text, _ := json.Marshal(o.Spec)
			lines = append(lines, fmt.Sprint("Node ", o.Name, " ", o.Labels, " ", resourcelist.String(o.Status.Allocatable), " ", string(text)))
		case *corev1.Pod:
			text, _ := json.Marshal(o.Status.Conditions)
			lines = append(lines, fmt.Sprint("Pod ", o.Name, " on ", o.Spec.NodeName, " ", resourcelist.String(computeresources.PodRequests(o, computeresources.Options{Kubernetes: kubernetes})), " ", string(text)))
		}
	}
	return strings.Join(lines, "\n")
}

package main

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/quota"
)

// application is what one object of the input asks of quotas.
type application struct {
	place
	home   string // the namespace
	exists bool   // so that it is part of what is used
	barred bool   // its pods and claims are rejected, whatever quotas say

	once     []part // the object, and what is created for it once, in order
	each     []part // what is created for each replica
	replicas int64
	unit     string // what a replica is called

	report    *QuotaReport
	rejection **Rejection
}

// part is one object of an application.
type part struct {
	object     quota.Object
	kind, name string // as in Reason
	path       string
}

// ownResources are the names under which quotas count workloads themselves.
var ownResources = map[string]schema.GroupResource{
	"Deployment":  {Group: "apps", Resource: "deployments"},
	"StatefulSet": {Group: "apps", Resource: "statefulsets"},
	"DaemonSet":   {Group: "apps", Resource: "daemonsets"},
	"ReplicaSet":  {Group: "apps", Resource: "replicasets"},
	"Job":         {Group: "batch", Resource: "jobs"},
	"CronJob":     {Group: "batch", Resource: "cronjobs"},
}

// between are the objects by which workloads of a kind create their pods.
var between = map[string]string{"Deployment": "ReplicaSet", "CronJob": "Job"}

// applicationOf returns what a workload asks of quotas, with its pod as it would be stored.
func applicationOf(w *workload, stored *corev1.Pod, d *Workload) application {
	a := application{
		place: w.place, home: w.home, exists: w.exists, barred: d.Rejection != nil,
		replicas: w.pods, unit: "pod", report: &d.QuotaReport, rejection: &d.Rejection,
	}
	for kind := w.kind; kind != "" && kind != "Pod"; kind = between[kind] {
		object := quota.Counted(ownResources[kind], &metav1.ObjectMeta{Namespace: w.home})
		a.once = append(a.once, part{object, strings.ToLower(kind), "", "spec"})
	}
	for _, t := range w.claims {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: t.meta, Spec: *t.spec}
		claim.Namespace = w.home
		a.each = append(a.each, part{quota.PersistentVolumeClaim(claim), "claim", t.name, t.path + ".spec"})
	}
	pod := *stored
	pod.Namespace = w.home
	// Without a time to compare with, a pod that is being deleted counts until it is gone.
	a.each = append(a.each, part{quota.Pod(&pod, time.Time{}, quota.PodOptions{}), "pod", "", w.prefix + "spec"})
	switch w.kind {
	case "Pod":
		a.replicas = 1 // even if it has finished
	case "Deployment", "StatefulSet", "ReplicaSet":
		a.unit = "replica"
	}
	return a
}

func applicationOfClaim(c *claim, d *Claim) application {
	object := *c.object
	object.Namespace = c.home
	return application{
		place: c.place, home: c.home, exists: c.live, barred: d.Rejection != nil,
		each:     []part{{quota.PersistentVolumeClaim(&object), "claim", c.name, "spec"}},
		replicas: 1, unit: "claim", report: &d.QuotaReport, rejection: &d.Rejection,
	}
}

func applicationOfService(s *service, d *Service) application {
	object := *s.object
	object.Namespace = s.home
	return application{
		place: s.place, home: s.home, exists: s.exists,
		each:     []part{{quota.Service(&object), "service", s.name, "spec"}},
		replicas: 1, unit: "service", report: &d.QuotaReport, rejection: &d.Rejection,
	}
}

// subject names a part of the replica of a number, from 1, in words.
func (a *application) subject(p *part, number int64) string {
	replica := a.unit
	if a.replicas > 1 {
		replica = fmt.Sprintf("%s %d of %d", a.unit, number, a.replicas)
	}
	switch p.kind {
	case "pod":
		return replica
	case "claim":
		if a.unit == "claim" {
			return "claim " + p.name
		}
		return "claim " + p.name + " of " + replica
	}
	return strings.TrimSpace(p.kind + " " + p.name)
}

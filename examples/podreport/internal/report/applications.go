package report

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/quota"
)

// application is what one object of the input asks of quotas.
type application struct {
	objects.Place
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

// applicationOf returns what a workload asks of quotas, with its pods as they are stored.
func applicationOf(w *manifest.Workload, d *Workload) application {
	a := application{
		Place: w.Place, home: w.Home, exists: w.Exists, barred: d.Rejection != nil,
		replicas: w.Pods, unit: "pod", report: &d.QuotaReport, rejection: &d.Rejection,
	}
	for kind := w.Kind; kind != "" && kind != "Pod"; kind = between[kind] {
		object := quota.Counted(ownResources[kind], &metav1.ObjectMeta{Namespace: w.Home})
		a.once = append(a.once, part{object, strings.ToLower(kind), "", "spec"})
	}
	for _, t := range w.Claims {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: t.Meta, Spec: *t.Spec}
		claim.Namespace = w.Home
		a.each = append(a.each, part{quota.PersistentVolumeClaim(claim), "claim", t.Name, t.Path + ".spec"})
	}
	pod := *d.Stored
	pod.Namespace = w.Home
	// Without a time to compare with, a pod that is being deleted counts until it is gone.
	a.each = append(a.each, part{quota.Pod(&pod, time.Time{}, quota.PodOptions{}), "pod", "", w.Prefix + "spec"})
	switch w.Kind {
	case "Pod":
		a.replicas = 1 // even if it has finished
	case "Deployment", "StatefulSet", "ReplicaSet":
		a.unit = "replica"
	}
	return a
}

func applicationOfClaim(c *manifest.Claim, d *Claim) application {
	object := *c.Object
	object.Namespace = c.Home
	return application{
		Place: c.Place, home: c.Home, exists: c.Live, barred: d.Rejection != nil,
		each:     []part{{quota.PersistentVolumeClaim(&object), "claim", c.Name, "spec"}},
		replicas: 1, unit: "claim", report: &d.QuotaReport, rejection: &d.Rejection,
	}
}

func applicationOfService(s *manifest.Service, d *Service) application {
	object := *s.Object
	object.Namespace = s.Home
	return application{
		Place: s.Place, home: s.Home, exists: s.Exists,
		each:     []part{{quota.Service(&object), "service", s.Name, "spec"}},
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

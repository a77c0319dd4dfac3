package report

import (
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// application is an object of the input, with all that is created for it.
type application struct {
	objects.Place
	home   string // the namespace
	exists bool   // so that it is part of what is used
	live   bool   // its pod or claim exists, so that LimitRanges have admitted it

	once   []part // the workload, and what it creates its pods by, in order
	each   []part // what is created for each replica
	wanted int64
	unit   string // what a replica is called

	report    *QuotaReport
	rejection **Rejection
}

// part is one object of an application.
type part struct {
	object     admit.APIObject
	counted    quota.Object // the same for quotas
	kind, name string       // as in Reason
	prefix     string       // of paths in the manifest
}

// ownResources are the names under which quotas count workloads themselves.
var ownResources = map[string]schema.GroupResource{
	"Deployment":  appsv1.Resource("deployments"),
	"StatefulSet": appsv1.Resource("statefulsets"),
	"DaemonSet":   appsv1.Resource("daemonsets"),
	"ReplicaSet":  appsv1.Resource("replicasets"),
	"Job":         batchv1.Resource("jobs"),
	"CronJob":     batchv1.Resource("cronjobs"),
}

func workloadPart(kind string, object admit.APIObject) part {
	return part{object, quota.Counted(ownResources[kind], object), strings.ToLower(kind), "", ""}
}

func inNamespace(object admit.APIObject, namespace string) admit.APIObject {
	object.SetNamespace(namespace)
	return object
}

func claimPart(claim *corev1.PersistentVolumeClaim, name, prefix string) part {
	return part{claim, quota.PersistentVolumeClaim(claim), "claim", name, prefix}
}

// applicationOf returns what a workload asks for, with one of its pods as it is stored.
func applicationOf(w *manifest.Workload, d *Workload) application {
	a := application{
		Place: w.Place, home: w.Home, exists: w.Exists, live: w.Live(),
		wanted: w.Pods, unit: "pod", report: &d.QuotaReport, rejection: &d.Rejection,
	}
	switch w.Kind {
	case "Pod":
		a.wanted = 1 // even if it has finished
	case "Deployment":
		a.unit, a.once = "replica", []part{workloadPart("Deployment", w.Object), workloadPart("ReplicaSet", inNamespace(&appsv1.ReplicaSet{}, w.Home))}
	case "StatefulSet", "ReplicaSet":
		a.unit, a.once = "replica", []part{workloadPart(w.Kind, w.Object)}
	case "CronJob":
		a.once = []part{workloadPart("CronJob", w.Object), workloadPart("Job", inNamespace(&batchv1.Job{}, w.Home))}
	default:
		a.once = []part{workloadPart(w.Kind, w.Object)}
	}
	for _, t := range w.Claims {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: t.Meta, Spec: *t.Spec}
		claim.Namespace = w.Home
		a.each = append(a.each, claimPart(claim, t.Name, t.Path+"."))
	}
	// Without a time to compare with, a pod that is being deleted counts until it is gone.
	counted := quota.Pod(d.Stored, time.Time{}, quota.PodOptions{})
	a.each = append(a.each, part{w.Pod, counted, "pod", "", w.Prefix})
	return a
}

func applicationOfClaim(c *manifest.Claim, d *Claim) application {
	return application{
		Place: c.Place, home: c.Home, exists: c.Live, live: c.Live,
		each: []part{claimPart(c.Object, c.Name, "")}, wanted: 1, unit: "claim", report: &d.QuotaReport, rejection: &d.Rejection,
	}
}

func applicationOfService(s *manifest.Service, d *Service) application {
	return application{
		Place: s.Place, home: s.Home, exists: s.Exists,
		each: []part{{s.Object, quota.Service(s.Object), "service", s.Name, ""}}, wanted: 1, unit: "service", report: &d.QuotaReport, rejection: &d.Rejection,
	}
}

// subject names a part of the replica of a number, from 1, in words.
func (a *application) subject(p *part, number int64) string {
	replica := a.unit
	switch {
	case number > a.wanted && number > 1:
		replica = "the next " + a.unit
	case a.wanted > 1:
		replica = fmt.Sprintf("%s %d of %d", a.unit, number, a.wanted)
	}
	switch {
	case p.kind == "pod":
		return replica
	case p.kind == "claim" && a.unit != "claim":
		return "claim " + p.name + " of " + replica
	}
	return strings.TrimSpace(p.kind + " " + p.name)
}

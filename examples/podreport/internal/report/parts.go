package report

import (
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/quota/admit"
)

// application is an object of the input, with all that is created for it.
type application struct {
	objects.Place
	home   string // the namespace
	exists bool   // so that it is part of what is used
	live   bool   // its pod or claim exists, so that LimitRanges have admitted it

	once   []part // the workload, and what it creates its pods by, in order
	each   []part // what is created for each replica, the pod last
	wanted int64
	unit   string // what a replica is called

	verdict *Verdict
}

// part is one object of an application.
type part struct {
	object admit.APIObject
	stored admit.APIObject // with defaults, and the status of a live pod
	noun   string          // empty for the pod of a replica
	prefix string          // of paths in the manifest
}

// partOf returns an object that is stored as it is.
func partOf(object admit.APIObject, noun, namespace, prefix string) part {
	object.SetNamespace(namespace)
	return part{object, object, noun, prefix}
}

// applicationOf returns what a workload asks for, with one of its pods as it is stored.
func applicationOf(w *manifest.Workload, d *Workload) application {
	a := application{Place: w.Place, home: w.Home, exists: w.Exists, live: w.Live(), wanted: w.Pods, unit: "pod", verdict: &d.Verdict}
	if w.Kind == "Pod" {
		a.wanted = 1 // even if it has finished
	} else {
		a.once = []part{partOf(w.Object, strings.ToLower(w.Kind), w.Home, "")}
	}
	switch w.Kind {
	case "Deployment":
		a.once = append(a.once, partOf(&appsv1.ReplicaSet{}, "replicaset", w.Home, ""))
		a.unit = "replica"
	case "StatefulSet", "ReplicaSet":
		a.unit = "replica"
	case "CronJob":
		a.once = append(a.once, partOf(&batchv1.Job{}, "job", w.Home, ""))
	}
	for _, t := range w.Claims {
		a.each = append(a.each, partOf(&corev1.PersistentVolumeClaim{ObjectMeta: t.Meta, Spec: *t.Spec}, "claim "+t.Name, w.Home, t.Path+"."))
	}
	a.each = append(a.each, part{w.Pod, d.Stored, "", w.Prefix})
	return a
}

func applicationOfObject(o *manifest.Object, d *Object) application {
	return application{
		Place: o.Place, home: o.Home, exists: o.Exists, live: o.Exists,
		each: []part{partOf(o.Object, o.Unit+" "+o.Name, o.Home, "")}, wanted: 1, unit: o.Unit, verdict: &d.Verdict,
	}
}

// podItself reports whether the application is a pod, and not what creates pods.
func (a *application) podItself() bool { return len(a.once) == 0 && a.unit == "pod" }

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
	case p.noun == "":
		return replica
	case p.prefix != "": // a claim of a workload
		return p.noun + " of " + replica
	}
	return p.noun
}

func objectsOf(parts []part) (list []admit.APIObject) {
	for i := range parts {
		list = append(list, parts[i].object)
	}
	return list
}

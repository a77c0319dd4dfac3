package testkit

import (
	"maps"
	"reflect"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"
)

// Object is any object of the API.
type Object interface {
	metav1.Object
	runtime.Object
}

// kinds has an empty object of each kind that quotas, or the steps before them, know, by the resource that
// quotas count it as; and one of an unknown kind.
func kinds() map[string]Object {
	ingress := &unstructured.Unstructured{}
	ingress.SetAPIVersion("networking.k8s.io/v1")
	ingress.SetKind("Ingress")
	return map[string]Object{
		"pods": &corev1.Pod{}, "persistentvolumeclaims": &corev1.PersistentVolumeClaim{}, "services": &corev1.Service{},
		"resourceclaims.resource.k8s.io": &resourcev1.ResourceClaim{}, "configmaps": &corev1.ConfigMap{}, "secrets": &corev1.Secret{},
		"serviceaccounts": &corev1.ServiceAccount{}, "resourcequotas": &corev1.ResourceQuota{},
		"deployments.apps": &appsv1.Deployment{}, "statefulsets.apps": &appsv1.StatefulSet{}, "daemonsets.apps": &appsv1.DaemonSet{},
		"replicasets.apps": &appsv1.ReplicaSet{}, "jobs.batch": &batchv1.Job{}, "cronjobs.batch": &batchv1.CronJob{},
		"replicationcontrollers":      &corev1.ReplicationController{},
		"podtemplates":                &corev1.PodTemplate{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodTemplate"}},
		"ingresses.networking.k8s.io": ingress,
	}
}

// Kinds returns the resources of the kinds that Stored draws, sorted.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds())) }

// Stored draws an object of a kind, which is stored in the namespace shop. Its amounts are the given ones; no
// request is above its limit.
func Stored(t *rapid.T, kind string, quantities *rapid.Generator[resource.Quantity]) Object {
	obj := kinds()[kind]
	obj.SetNamespace("shop")
	obj.SetName("web")
	obj.SetResourceVersion("1")
	fill(t, obj, quantities)
	return obj
}

// fill draws what an object uses.
func fill(t *rapid.T, obj Object, quantities *rapid.Generator[resource.Quantity]) {
	switch obj := obj.(type) {
	case *corev1.PersistentVolumeClaim:
		obj.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: quantities.Draw(t, "storage")}
		obj.Status.Phase, obj.Status.Capacity = corev1.ClaimBound, corev1.ResourceList{corev1.ResourceStorage: quantities.Draw(t, "capacity")}
	case *corev1.Service:
		obj.Spec.Type = rapid.SampledFrom([]corev1.ServiceType{corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer}).Draw(t, "type")
		obj.Spec.Ports = make([]corev1.ServicePort, rapid.IntRange(1, 3).Draw(t, "ports"))
	case *batchv1.Job:
		fillJob(t, &obj.Spec)
	case *batchv1.CronJob:
		fillJob(t, &obj.Spec.JobTemplate.Spec)
	case *corev1.ReplicationController:
		obj.Spec.Template = &corev1.PodTemplateSpec{}
	case *resourcev1.ResourceClaim:
		fillDevices(t, obj)
	}
	if n := replicasOf(obj); n != nil && flip(t, "replicas", 2) {
		*n = pointer(rapid.Int32Range(0, 4).Draw(t, "number of replicas"))
	}
	if spec := specIn(obj); spec != nil {
		if flip(t, "nothing set", 6) {
			spec.Containers = []corev1.Container{Container("app-a", corev1.ResourceList{}, corev1.ResourceList{})}
			return
		}
		for range rapid.IntRange(1, 2).Draw(t, "containers") {
			addContainer(t, &spec.Containers, "app", quantities)
		}
		if flip(t, "init container", 3) {
			addContainer(t, &spec.InitContainers, "init", quantities)
		}
	}
}

// fillDevices draws a claim for devices of the class gold, or for none.
func fillDevices(t *rapid.T, claim *resourcev1.ResourceClaim) {
	claim.Spec.Devices.Requests = nil
	for range rapid.IntRange(0, 2).Draw(t, "requests") {
		claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, resourcev1.DeviceRequest{Exactly: &resourcev1.ExactDeviceRequest{
			DeviceClassName: "gold", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: rapid.Int64Range(1, 3).Draw(t, "devices"),
		}})
	}
}

func fillJob(t *rapid.T, spec *batchv1.JobSpec) {
	number := func(label string) *int32 {
		if flip(t, label+" unset", 3) {
			return nil
		}
		return pointer(rapid.Int32Range(0, 4).Draw(t, label))
	}
	spec.Parallelism, spec.Completions = number("parallelism"), number("completions")
	if flip(t, "suspended", 4) {
		spec.Suspend = pointer(true)
	}
}

func addContainer(t *rapid.T, to *[]corev1.Container, name string, quantities *rapid.Generator[resource.Quantity]) {
	c := Container(name+"-"+string(rune('a'+len(*to))), corev1.ResourceList{}, corev1.ResourceList{})
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		request, more := quantities.Draw(t, "request"), quantities.Draw(t, "more")
		if !flip(t, "no request", 3) {
			c.Resources.Requests[name] = request
		}
		if flip(t, "limit", 2) {
			if flip(t, "larger", 2) {
				request.Add(more)
			}
			c.Resources.Limits[name] = request.DeepCopy()
		}
	}
	*to = append(*to, c)
}

// PodSpecOf returns the pod spec in a pod or in a workload, nil in other objects.
func PodSpecOf(obj Object) *corev1.PodSpec {
	switch obj := obj.(type) {
	case *corev1.Pod:
		return &obj.Spec
	case *appsv1.Deployment:
		return &obj.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &obj.Spec.Template.Spec
	case *appsv1.DaemonSet:
		return &obj.Spec.Template.Spec
	case *appsv1.ReplicaSet:
		return &obj.Spec.Template.Spec
	case *batchv1.Job:
		return &obj.Spec.Template.Spec
	case *batchv1.CronJob:
		return &obj.Spec.JobTemplate.Spec.Template.Spec
	case *corev1.ReplicationController:
		return &obj.Spec.Template.Spec
	}
	return nil
}

// specIn returns the pod spec in any object, nil if it has none.
func specIn(obj Object) *corev1.PodSpec {
	if template, is := obj.(*corev1.PodTemplate); is {
		return &template.Template.Spec
	}
	return PodSpecOf(obj)
}

// replicasOf returns the field with the number of pods, nil if there is none.
func replicasOf(obj Object) **int32 {
	switch obj := obj.(type) {
	case *appsv1.Deployment:
		return &obj.Spec.Replicas
	case *appsv1.StatefulSet:
		return &obj.Spec.Replicas
	case *appsv1.ReplicaSet:
		return &obj.Spec.Replicas
	case *corev1.ReplicationController:
		return &obj.Spec.Replicas
	}
	return nil
}

// mutations has what people and controllers change in an object. A mutation that the kind of the object has
// no field for leaves it as it is.
var mutations = map[string]func(t *rapid.T, obj Object, quantities *rapid.Generator[resource.Quantity]) Object{
	"nothing": func(_ *rapid.T, obj Object, _ *rapid.Generator[resource.Quantity]) Object { return obj },
	"amounts": func(t *rapid.T, obj Object, quantities *rapid.Generator[resource.Quantity]) Object {
		changeAmount(t, obj, quantities)
		return obj
	},
	"container added": func(t *rapid.T, obj Object, quantities *rapid.Generator[resource.Quantity]) Object {
		if spec := specIn(obj); spec != nil {
			addContainer(t, &spec.Containers, "app", quantities)
		}
		return obj
	},
	"init container added": func(t *rapid.T, obj Object, quantities *rapid.Generator[resource.Quantity]) Object {
		if spec := specIn(obj); spec != nil {
			addContainer(t, &spec.InitContainers, "init", quantities)
		}
		return obj
	},
	"container removed": func(_ *rapid.T, obj Object, _ *rapid.Generator[resource.Quantity]) Object {
		if spec := specIn(obj); spec != nil && len(spec.Containers) > 1 {
			spec.Containers = spec.Containers[1:]
		}
		return obj
	},
	"pod level": func(t *rapid.T, obj Object, _ *rapid.Generator[resource.Quantity]) Object {
		if spec := specIn(obj); spec != nil {
			spec.Resources = &corev1.ResourceRequirements{Requests: List("cpu", "99", "memory", "99"), Limits: List("cpu", "100", "memory", "100")}
		}
		return obj
	},
	"deadline": func(_ *rapid.T, obj Object, _ *rapid.Generator[resource.Quantity]) Object {
		if spec := specIn(obj); spec != nil {
			spec.ActiveDeadlineSeconds = pointer(int64(60))
		}
		return obj
	},
	"metadata": func(t *rapid.T, obj Object, _ *rapid.Generator[resource.Quantity]) Object {
		obj.SetLabels(map[string]string{"team": "web"})
		obj.SetAnnotations(map[string]string{"note": "changed"})
		return obj
	},
	"deletion": func(_ *rapid.T, obj Object, _ *rapid.Generator[resource.Quantity]) Object {
		now := metav1.NewTime(Now())
		obj.SetDeletionTimestamp(&now)
		obj.SetDeletionGracePeriodSeconds(pointer(int64(30)))
		return obj
	},
	"status": func(t *rapid.T, obj Object, _ *rapid.Generator[resource.Quantity]) Object {
		switch obj := obj.(type) {
		case *corev1.Pod:
			obj.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{corev1.PodRunning, corev1.PodSucceeded, corev1.PodFailed}).Draw(t, "phase")
		case *corev1.PersistentVolumeClaim:
			obj.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimLost}
		case *corev1.Service:
			obj.Status.LoadBalancer.Ingress = []corev1.LoadBalancerIngress{{IP: "192.0.2.1"}}
		case *resourcev1.ResourceClaim:
			obj.Status.ReservedFor = []resourcev1.ResourceClaimConsumerReference{{Name: "web"}}
		}
		return obj
	},
	"namespace": func(t *rapid.T, obj Object, _ *rapid.Generator[resource.Quantity]) Object {
		obj.SetNamespace(rapid.SampledFrom([]string{"", "other"}).Draw(t, "namespace"))
		return obj
	},
	"name": func(_ *rapid.T, obj Object, _ *rapid.Generator[resource.Quantity]) Object {
		obj.SetName("")
		obj.SetGenerateName("web-")
		return obj
	},
	"type": func(t *rapid.T, obj Object, quantities *rapid.Generator[resource.Quantity]) Object {
		others := slices.DeleteFunc(Kinds(), func(kind string) bool { return reflect.TypeOf(kinds()[kind]) == reflect.TypeOf(obj) })
		return Stored(t, rapid.SampledFrom(others).Draw(t, "other kind"), quantities)
	},
}

func changeAmount(t *rapid.T, obj Object, quantities *rapid.Generator[resource.Quantity]) {
	if n := replicasOf(obj); n != nil {
		*n = pointer(rapid.Int32Range(0, 4).Draw(t, "other replicas"))
	}
	switch obj := obj.(type) {
	case *corev1.PersistentVolumeClaim:
		obj.Spec.Resources.Requests[corev1.ResourceStorage] = quantities.Draw(t, "other storage")
		return
	case *corev1.Service, *resourcev1.ResourceClaim:
		fill(t, obj, quantities)
		return
	}
	spec := specIn(obj)
	if spec == nil {
		return
	}
	r := &spec.Containers[rapid.IntRange(0, len(spec.Containers)-1).Draw(t, "container")].Resources
	amount := quantities.Draw(t, "other amount")
	switch rapid.IntRange(0, 2).Draw(t, "list") {
	case 0:
		r.Requests[corev1.ResourceCPU] = amount
		if limit, is := r.Limits[corev1.ResourceCPU]; is && limit.Cmp(amount) < 0 {
			r.Limits[corev1.ResourceCPU] = amount.DeepCopy()
		}
	case 1:
		delete(r.Requests, corev1.ResourceCPU)
		r.Limits[corev1.ResourceCPU] = amount
	default:
		delete(r.Limits, corev1.ResourceCPU)
	}
}

// Mutations returns the names of what Mutated draws, sorted.
func Mutations() []string { return slices.Sorted(maps.Keys(mutations)) }

// Mutated draws an object after an update, and what the update has changed. The object is only read.
func Mutated(t *rapid.T, obj Object, quantities *rapid.Generator[resource.Quantity]) (updated Object, mutation string) {
	mutation = rapid.SampledFrom(append(Mutations(), "amounts", "amounts")).Draw(t, "mutation")
	return Mutate(t, obj, mutation, quantities), mutation
}

// Mutate draws an object after a mutation. The object is only read.
func Mutate(t *rapid.T, obj Object, mutation string, quantities *rapid.Generator[resource.Quantity]) Object {
	return mutations[mutation](t, obj.DeepCopyObject().(Object), quantities)
}

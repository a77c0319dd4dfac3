package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/conformance/controlplane"
)

// world is a server with the objects that all cases share: classes that objects name, and a
// namespace in which a dry run shows which writes the server's admission has observed.
//
// LimitRanger and the quota plugin read caches, each of which is updated in the order of the
// writes. So a LimitRange and a quota, the beacons, are changed last, and once admission has
// observed that change, it has observed all earlier ones.
type world struct {
	ctx     context.Context
	client  *controlplane.Client
	changes int // of the beacons
	beacons struct {
		limitRange *corev1.LimitRange
		quota      *corev1.ResourceQuota
	}
	namespaces int
}

// overheads are the overheads of runtime classes.
var overheads = map[string]corev1.ResourceList{
	"small": list("cpu", "100m", "memory", "64Mi"),
	"large": list("cpu", "1", "memory", "1.5Gi"),
}

// extendedResources are the names that device classes have as resources.
var extendedResources = map[string]corev1.ResourceName{"gold": "example.com/gpu"}

// list makes a list of names and amounts in turn.
func list(pairs ...string) corev1.ResourceList {
	l := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		l[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return l
}

func newWorld(ctx context.Context, client *controlplane.Client) (*world, error) {
	w := &world{ctx: ctx, client: client}
	var err error
	create := func(path string, object any) {
		if err == nil {
			err = client.Create(ctx, path, object, nil)
		}
	}
	for name, value := range map[string]int32{"high": 1000, "low": 10, platinum: 2000} {
		create("/apis/scheduling.k8s.io/v1/priorityclasses", &schedulingv1.PriorityClass{ObjectMeta: named(name), Value: value})
	}
	for name, overhead := range overheads {
		create("/apis/node.k8s.io/v1/runtimeclasses", &nodev1.RuntimeClass{ObjectMeta: named(name), Handler: name, Overhead: &nodev1.Overhead{PodFixed: overhead}})
	}
	expandable := true
	create("/apis/storage.k8s.io/v1/storageclasses", &storagev1.StorageClass{ObjectMeta: named("gold"), Provisioner: "example.com/disks", AllowVolumeExpansion: &expandable})
	for class, name := range extendedResources {
		text := string(name)
		create("/apis/resource.k8s.io/v1/deviceclasses", &resourcev1.DeviceClass{ObjectMeta: named(class), Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: &text}})
	}
	create("/api/v1/namespaces", &corev1.Namespace{ObjectMeta: named("beacon")})
	w.beacons.limitRange = &corev1.LimitRange{ObjectMeta: named("beacon"), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Default: list("cpu", "0")}}}}
	create("/api/v1/namespaces/beacon/limitranges", w.beacons.limitRange)
	w.beacons.quota = &corev1.ResourceQuota{ObjectMeta: named("beacon"), Spec: corev1.ResourceQuotaSpec{Hard: list("count/configmaps", "0")}}
	create("/api/v1/namespaces/beacon/resourcequotas", w.beacons.quota)
	if err != nil {
		return nil, err
	}
	return w, errors.Join(w.awaitLimitRanges(), w.awaitQuotas(), w.awaitClasses())
}

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }

// awaitLimitRanges returns once the LimitRanger knows what has been written so far.
func (w *world) awaitLimitRanges() error {
	w.changes++
	amount := *resource.NewMilliQuantity(int64(w.changes), resource.DecimalSI)
	w.beacons.limitRange.Spec.Limits[0].Default["cpu"] = amount
	if err := w.client.Update(w.ctx, "/api/v1/namespaces/beacon/limitranges/beacon", w.beacons.limitRange, nil); err != nil {
		return err
	}
	return w.until("LimitRanges", func() (bool, error) {
		var pod corev1.Pod
		err := w.client.Create(w.ctx, "/api/v1/namespaces/beacon/pods?dryRun=All", minimalPod(), &pod)
		if err != nil {
			return false, err
		}
		limit := pod.Spec.Containers[0].Resources.Limits["cpu"]
		return limit.Cmp(amount) == 0, nil
	})
}

// awaitQuotas returns once the quota plugin knows what has been written so far.
func (w *world) awaitQuotas() error {
	w.changes++
	amount := *resource.NewQuantity(int64(w.changes), resource.DecimalSI)
	w.beacons.quota.Status = corev1.ResourceQuotaStatus{Hard: w.beacons.quota.Spec.Hard, Used: corev1.ResourceList{"count/configmaps": amount}}
	if err := w.client.Update(w.ctx, "/api/v1/namespaces/beacon/resourcequotas/beacon/status", w.beacons.quota, nil); err != nil {
		return err
	}
	want := fmt.Sprintf("used: count/configmaps=%s,", amount.String())
	return w.until("quotas", func() (bool, error) {
		err := w.client.Create(w.ctx, "/api/v1/namespaces/beacon/configmaps?dryRun=All", &corev1.ConfigMap{ObjectMeta: named("probe")}, nil)
		if err != nil && !apierrors.IsForbidden(err) {
			return false, err
		}
		return err != nil && strings.Contains(err.Error(), want), nil
	})
}

// awaitClasses returns once admission knows the classes that pods name.
func (w *world) awaitClasses() error {
	return w.until("classes", func() (bool, error) {
		for _, priority := range []string{"high", "low"} {
			pod := minimalPod()
			pod.Spec.PriorityClassName = priority
			if err := w.client.Create(w.ctx, "/api/v1/namespaces/beacon/pods?dryRun=All", pod, nil); err != nil {
				return false, ignoreForbidden(err)
			}
		}
		return true, nil
	})
}

func ignoreForbidden(err error) error {
	if apierrors.IsForbidden(err) {
		return nil
	}
	return err
}

func minimalPod() *corev1.Pod {
	return &corev1.Pod{ObjectMeta: named("probe"), Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}}}
}

// until polls a condition.
func (w *world) until(what string, known func() (bool, error)) error {
	for start := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		ok, err := known()
		switch {
		case err != nil:
			return err
		case ok:
			return nil
		case time.Since(start) > 30*time.Second:
			return fmt.Errorf("admission has not heard of %s for 30 seconds", what)
		}
	}
}

// storedQuotas are the stored quotas of a namespace.
func (w *world) storedQuotas(namespace string) ([]*corev1.ResourceQuota, error) {
	var found corev1.ResourceQuotaList
	err := w.client.Get(w.ctx, "/api/v1/namespaces/"+namespace+"/resourcequotas", &found)
	var quotas []*corev1.ResourceQuota
	for i := range found.Items {
		quotas = append(quotas, &found.Items[i])
	}
	return quotas, err
}

package main

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	upstream "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/deviceclass/extendedresourcecache"
	"k8s.io/klog/v2"
	evaluators "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/utils/clock"

	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// No controller manager runs here. Instead, the code of its quota controller counts the stored
// objects, and the result is written as status.

// calculateUsage counts again, compares with CalculateUsage, and writes the status of all
// quotas.
func (n *namespace) calculateUsage() {
	for i := range n.quotas {
		q := n.quotas[i].DeepCopy()
		want := n.controllerStatus(q)
		ours, err := quota.CalculateUsage(n.objects(), q)
		if err != nil {
			n.differ("calculating usage: %v", err)
		}
		calculated := q.DeepCopy()
		calculated.Status = ours
		q.Status = want
		if diff := usageDifference([]*corev1.ResourceQuota{q}, []*corev1.ResourceQuota{calculated}); diff != "" {
			n.differ("calculated usage (-controller +kubemath)\n%s", diff)
		}
		found := &corev1.ResourceQuota{}
		n.must(n.client.Update(n.ctx, n.path(coreGroup, "resourcequotas", q.Name, "status"), q, found))
		n.quotas[i] = found
		n.tally.add("usage calculated", "compared", 1)
	}
	n.say("usage of all quotas calculated", map[string]any{})
	n.must(n.awaitQuotas())
}

// objects are all objects of the namespace, as stored.
func (n *namespace) objects() (all []quota.Object) {
	for _, pod := range n.pods {
		all = append(all, quotaPod(pod))
	}
	for _, claim := range n.claims {
		all = append(all, quota.PersistentVolumeClaim(claim))
	}
	for _, service := range n.services {
		all = append(all, quota.Service(service))
	}
	for _, claim := range n.devices {
		all = append(all, deviceClaim(claim))
	}
	for _, object := range n.counted {
		all = append(all, quota.Counted(resourceOf(object).GroupResource(), object))
	}
	return all
}

// countedResources are the resources that are only counted, with the names that some of them had
// before count/ was one.
var countedResources = map[schema.GroupVersionResource]corev1.ResourceName{
	corev1.SchemeGroupVersion.WithResource("configmaps"):             corev1.ResourceConfigMaps,
	corev1.SchemeGroupVersion.WithResource("secrets"):                corev1.ResourceSecrets,
	corev1.SchemeGroupVersion.WithResource("replicationcontrollers"): corev1.ResourceReplicationControllers,
	appsv1.SchemeGroupVersion.WithResource("deployments"):            "",
	appsv1.SchemeGroupVersion.WithResource("statefulsets"):           "",
	appsv1.SchemeGroupVersion.WithResource("daemonsets"):             "",
	appsv1.SchemeGroupVersion.WithResource("replicasets"):            "",
	batchv1.SchemeGroupVersion.WithResource("jobs"):                  "",
	batchv1.SchemeGroupVersion.WithResource("cronjobs"):              "",
}

// resourceOf is the resource of an object that names its kind.
func resourceOf(object admit.APIObject) schema.GroupVersionResource {
	plural, _ := meta.UnsafeGuessKindToResource(object.GetObjectKind().GroupVersionKind())
	return plural
}

// controllerStatus is what the quota controller writes for a quota.
func (n *namespace) controllerStatus(q *corev1.ResourceQuota) corev1.ResourceQuotaStatus {
	used, err := upstream.CalculateUsage(n.name, q.Spec.Scopes, q.Spec.Hard, n.registry(), q.Spec.ScopeSelector)
	n.must(err)
	return corev1.ResourceQuotaStatus{Hard: q.Spec.Hard, Used: used}
}

// registry has the evaluators of the quota controller, over copies of all objects.
func (n *namespace) registry() upstream.Registry {
	listed := map[schema.GroupVersionResource][]runtime.Object{}
	add := func(gvr schema.GroupVersionResource, object runtime.Object) {
		listed[gvr] = append(listed[gvr], object.DeepCopyObject())
	}
	for _, pod := range n.pods {
		add(corev1.SchemeGroupVersion.WithResource("pods"), pod)
	}
	for _, claim := range n.claims {
		add(corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims"), claim)
	}
	for _, service := range n.services {
		add(corev1.SchemeGroupVersion.WithResource("services"), service)
	}
	for _, claim := range n.devices {
		add(resourcev1.SchemeGroupVersion.WithResource("resourceclaims"), claim)
	}
	for _, object := range n.counted {
		add(resourceOf(object), object)
	}
	lister := func(gvr schema.GroupVersionResource) (cache.GenericLister, error) {
		indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
		for _, object := range listed[gvr] {
			if err := indexer.Add(object); err != nil {
				return nil, err
			}
		}
		return cache.NewGenericLister(indexer, gvr.GroupResource()), nil
	}
	all := []upstream.Evaluator{
		evaluators.NewPodEvaluator(lister, clock.RealClock{}), evaluators.NewServiceEvaluator(lister),
		evaluators.NewPersistentVolumeClaimEvaluator(lister), n.deviceEvaluator(lister),
	}
	for resource, alias := range countedResources {
		all = append(all, generic.NewObjectCountEvaluator(resource.GroupResource(), generic.ListResourceUsingListerFunc(lister, resource), alias))
	}
	return generic.NewRegistry(all)
}

// deviceEvaluator knows the device classes of the server, and that no pod owns a claim.
func (n *namespace) deviceEvaluator(lister upstream.ListerForResourceFunc) upstream.Evaluator {
	mapping := extendedresourcecache.NewExtendedResourceCache(klog.Background())
	for class, name := range extendedResources {
		text := string(name)
		mapping.OnAdd(&resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: class}, Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: &text}}, true)
	}
	pods := corelisters.NewPodLister(cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{}))
	owned := func(string, types.UID) ([]*resourcev1.ResourceClaim, error) { return nil, nil }
	return evaluators.NewResourceClaimEvaluator(lister, mapping, pods, owned)
}

// quotaPod is a pod as quotas see it now.
func quotaPod(pod *corev1.Pod) quota.Object {
	return quota.Pod(pod, time.Now(), quota.PodOptions{Kubernetes: kubernetes})
}

// deviceClaim is a claim as quotas see it, with the names that device classes have.
func deviceClaim(claim *resourcev1.ResourceClaim) quota.Object {
	return quota.ResourceClaim(claim, quota.ResourceClaimOptions{ExtendedResources: extendedResources})
}

package scheduler

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	storagedefaults "k8s.io/kubernetes/pkg/apis/storage/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	snapshots "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumerestrictions"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumezone"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	tf "k8s.io/kubernetes/pkg/scheduler/testing/framework"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// volumesScheduler has the plugins for volumes, in the order of the default profile, and the objects they look at.
type volumesScheduler struct {
	framework.Framework
	fwk.SharedLister
	binder  volumebinding.SchedulerVolumeBinder
	objects informers.SharedInformerFactory
}

func newVolumesScheduler(t *testing.T) *volumesScheduler {
	t.Helper()
	metrics.Register()
	s := &volumesScheduler{objects: informers.NewSharedInformerFactory(nil, 0)}
	features := oracle.SchedulerFeatures()
	binding := func(ctx context.Context, _ runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
		args := &config.VolumeBindingArgs{BindTimeoutSeconds: 600}
		if features.EnableStorageCapacityScoring {
			args.Shape = []config.UtilizationShapePoint{{Utilization: 0, Score: 10}, {Utilization: 100}}
		}
		plugin, err := volumebinding.New(ctx, args, handle, features)
		if err == nil {
			s.binder = plugin.(*volumebinding.VolumeBinding).Binder
		}
		return plugin, err
	}
	handle, err := tf.NewFramework(context.Background(), []tf.RegisterPluginFunc{
		tf.RegisterPluginAsExtensions(volumerestrictions.Name,
			frameworkruntime.FactoryAdapter(features, volumerestrictions.New), "PreFilter", "Filter"),
		tf.RegisterPluginAsExtensionsWithWeight(volumebinding.Name, 1, binding, "PreFilter", "Filter", "PreScore", "Score"),
		tf.RegisterPluginAsExtensions(volumezone.Name,
			frameworkruntime.FactoryAdapter(features, volumezone.New), "PreFilter", "Filter"),
		tf.RegisterQueueSortPlugin(queuesort.Name, queuesort.New),
		tf.RegisterBindPlugin(defaultbinder.Name, defaultbinder.New),
	}, "", frameworkruntime.WithSnapshotSharedLister(s),
		frameworkruntime.WithParallelism(1), frameworkruntime.WithInformerFactory(s.objects))
	testkit.OK(t, err)
	s.Framework = handle
	return s
}

// NodeInfos and StorageInfos are those of the snapshot, not of the framework.
func (s *volumesScheduler) NodeInfos() fwk.NodeInfoLister       { return s.SharedLister.NodeInfos() }
func (s *volumesScheduler) StorageInfos() fwk.StorageInfoLister { return s.SharedLister.StorageInfos() }
func (s *volumesScheduler) PodGroupStates() fwk.PodGroupStateLister {
	return s.SharedLister.PodGroupStates()
}

// volumesCluster is a cluster with volumes.
type volumesCluster struct {
	nodes      []*corev1.Node
	pods       [][]*corev1.Pod // by node
	claims     []*corev1.PersistentVolumeClaim
	volumes    []*corev1.PersistentVolume
	classes    []*storagev1.StorageClass
	csiNodes   []*storagev1.CSINode
	drivers    []*storagev1.CSIDriver
	capacities []*storagev1.CSIStorageCapacity
}

// set makes the cluster that of the scheduler, with the defaults of the API server.
func (s *volumesScheduler) set(t testkit.TB, c *volumesCluster) {
	s.SharedLister = snapshots.NewSnapshot(slices.Concat(c.pods...), c.nodes)
	setVolumes(t, s.objects, c)
}

// setVolumes sets what informers have of volumes.
func setVolumes(t testkit.TB, objects informers.SharedInformerFactory, c *volumesCluster) {
	var classes []*storagev1.StorageClass
	for _, class := range c.classes {
		classes = append(classes, class.DeepCopy())
		storagedefaults.SetObjectDefaults_StorageClass(classes[len(classes)-1])
	}
	volumesReplace(t, objects.Core().V1().PersistentVolumeClaims().Informer(), c.claims)
	volumesReplace(t, objects.Core().V1().PersistentVolumes().Informer(), c.volumes)
	volumesReplace(t, objects.Storage().V1().StorageClasses().Informer(), classes)
	volumesReplace(t, objects.Storage().V1().CSINodes().Informer(), c.csiNodes)
	volumesReplace(t, objects.Storage().V1().CSIDrivers().Informer(), c.drivers)
	volumesReplace(t, objects.Storage().V1().CSIStorageCapacities().Informer(), c.capacities)
}

func volumesReplace[T any](t testkit.TB, informer cache.SharedIndexInformer, objects []T) {
	var all []any
	for _, object := range objects {
		all = append(all, object)
	}
	testkit.OK(t, informer.GetIndexer().Replace(all, ""))
}

// known returns the objects of the cluster for us.
func (c *volumesCluster) known() podvolumes.Objects {
	return podvolumes.Objects{
		Claim: func(namespace, name string) *corev1.PersistentVolumeClaim {
			return volumesFind(c.claims, func(o *corev1.PersistentVolumeClaim) bool { return o.Namespace == namespace && o.Name == name })
		},
		Volume: func(name string) *corev1.PersistentVolume {
			return volumesFind(c.volumes, func(o *corev1.PersistentVolume) bool { return o.Name == name })
		},
		VolumesOf: func(string) []*corev1.PersistentVolume { return c.volumes },
		Class: func(name string) *storagev1.StorageClass {
			return volumesFind(c.classes, func(o *storagev1.StorageClass) bool { return o.Name == name })
		},
		CSINode: func(name string) *storagev1.CSINode {
			return volumesFind(c.csiNodes, func(o *storagev1.CSINode) bool { return o.Name == name })
		},
		CSIDriver: func(name string) *storagev1.CSIDriver {
			return volumesFind(c.drivers, func(o *storagev1.CSIDriver) bool { return o.Name == name })
		},
		CapacitiesFor: func(string) []*storagev1.CSIStorageCapacity { return c.capacities },
	}
}

func volumesFind[T any](objects []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(objects, is); i >= 0 {
		return objects[i]
	}
	return nil
}

// volumesDraw draws parts of a cluster with volumes.
type volumesDraw struct{ *rapid.T }

func (d volumesDraw) oneIn(n int, label string) bool {
	return rapid.IntRange(1, n).Draw(d.T, label) == 1
}

func volumesOneOf[T any](d volumesDraw, label string, all ...T) T {
	return rapid.SampledFrom(all).Draw(d.T, label)
}

func (d volumesDraw) zone() string { return volumesOneOf(d, "zone", "eu-west1-a", "eu-west1-b") }

const (
	volumesEBSZone = "topology.ebs.csi.aws.com/zone"
	volumesGKEZone = "topology.gke.io/zone"
	volumesOSZone  = "topology.cinder.csi.openstack.org/zone"
)

func (d volumesDraw) key() string {
	return volumesOneOf(d, "key", corev1.LabelTopologyZone, corev1.LabelTopologyZone, corev1.LabelFailureDomainBetaZone,
		corev1.LabelTopologyRegion, corev1.LabelFailureDomainBetaRegion, volumesEBSZone, volumesGKEZone, volumesOSZone)
}

func (d volumesDraw) labels() map[string]string {
	labels := map[string]string{}
	for range volumesOneOf(d, "labels", 0, 1, 3, 6) {
		labels[d.key()] = d.zone()
	}
	return labels
}

// affinity draws the node affinity of a volume: mostly one that matches some nodes.
func (d volumesDraw) affinity() *corev1.VolumeNodeAffinity {
	if d.oneIn(2, "any node") {
		return volumesOneOf(d, "affinity", nil, &corev1.VolumeNodeAffinity{})
	}
	selector := &corev1.NodeSelector{}
	for range volumesOneOf(d, "terms", 0, 1, 1, 1, 2) {
		term := corev1.NodeSelectorTerm{}
		for range volumesOneOf(d, "expressions", 0, 1, 1, 1, 1, 2) {
			r := corev1.NodeSelectorRequirement{Key: d.key(), Operator: volumesOneOf(d, "operator", corev1.NodeSelectorOpIn,
				corev1.NodeSelectorOpIn, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists, "Near")}
			if r.Operator != corev1.NodeSelectorOpExists {
				r.Values = []string{d.zone()}
			}
			term.MatchExpressions = append(term.MatchExpressions, r)
		}
		if d.oneIn(8, "fields") {
			term.MatchFields = []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"node-0"}}}
		}
		selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, term)
	}
	return &corev1.VolumeNodeAffinity{Required: selector}
}

func (d volumesDraw) className() string {
	return fmt.Sprint("class-", rapid.IntRange(0, 2).Draw(d.T, "class"))
}

func (d volumesDraw) mode() *corev1.PersistentVolumeMode {
	return volumesOneOf(d, "mode", nil, nil, nil, nil, nil, nil, new(corev1.PersistentVolumeFilesystem), new(corev1.PersistentVolumeBlock))
}

func (d volumesDraw) attributes() *string {
	return volumesOneOf(d, "attributes", nil, nil, nil, nil, nil, nil, nil, new(""), new("gold"))
}

func (d volumesDraw) accessModes() (modes []corev1.PersistentVolumeAccessMode) {
	for range volumesOneOf(d, "modes", 0, 0, 1, 1, 2) {
		modes = append(modes, volumesOneOf(d, "access", corev1.ReadWriteOnce, corev1.ReadWriteOnce, corev1.ReadWriteMany, corev1.ReadWriteOncePod))
	}
	return modes
}

func (d volumesDraw) source() (s corev1.PersistentVolumeSource) {
	switch rapid.IntRange(0, 7).Draw(d.T, "source") {
	case 0:
		s.AWSElasticBlockStore = &corev1.AWSElasticBlockStoreVolumeSource{VolumeID: "vol-1"}
	case 1:
		s.GCEPersistentDisk = &corev1.GCEPersistentDiskVolumeSource{PDName: "disk"}
	case 2:
		s.Cinder = &corev1.CinderPersistentVolumeSource{VolumeID: "cinder"}
	case 3:
		s.AzureDisk = &corev1.AzureDiskVolumeSource{DataDiskURI: "disk"}
	case 4:
		s.PortworxVolume = &corev1.PortworxVolumeSource{VolumeID: "px"}
	case 5:
		s.VsphereVolume = &corev1.VsphereVirtualDiskVolumeSource{VolumePath: "path"}
	default:
		s.CSI = &corev1.CSIPersistentVolumeSource{Driver: "csi.example.com"}
	}
	return s
}

// volume draws volume i. Each has its own size, so that one of them is the smallest, and at most one names claim i.
func (d volumesDraw) volume(i int) *corev1.PersistentVolume {
	v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("pv-", i), Labels: d.labels()}}
	v.Spec.PersistentVolumeSource = d.source()
	if d.oneIn(3, "zones of a label") {
		v.Labels[d.key()] = volumesOneOf(d, "zones", "eu-west1-a__eu-west1-b", "eu-west1-a__eu-west1-b", "eu-west1-a__ eu-west1-b", "__", "")
	}
	if v.Spec.GCEPersistentDisk != nil { // its translation fails for zones that have no region
		for _, key := range []string{corev1.LabelFailureDomainBetaZone, corev1.LabelTopologyZone} {
			if strings.Contains(v.Labels[key], " ") || v.Labels[key] == "__" {
				v.Labels[key] = d.zone()
			}
		}
	}
	v.Labels["tier"] = volumesOneOf(d, "tier", "fast", "slow")
	v.Spec.Capacity = testkit.List("storage", fmt.Sprint(i+1, "Gi"))
	v.Spec.StorageClassName, v.Spec.NodeAffinity = d.className(), d.affinity()
	if d.oneIn(6, "class by annotation") {
		v.Annotations = map[string]string{corev1.BetaStorageClassAnnotation: d.className()}
	}
	v.Spec.AccessModes = volumesOneOf(d, "modes", d.accessModes(), []corev1.PersistentVolumeAccessMode{
		corev1.ReadWriteOnce, corev1.ReadWriteMany, corev1.ReadWriteOncePod})
	v.Spec.VolumeMode, v.Spec.VolumeAttributesClassName = d.mode(), d.attributes()
	v.Status.Phase = volumesOneOf(d, "phase", corev1.VolumeAvailable, corev1.VolumeAvailable, corev1.VolumeAvailable, corev1.VolumePending, corev1.VolumeBound)
	if d.oneIn(4, "reserved") {
		name := fmt.Sprint("claim-", i)
		v.Spec.ClaimRef = &corev1.ObjectReference{Name: name, Namespace: volumesOneOf(d, "namespace", "shop", "shop", "ops"),
			UID: volumesOneOf(d, "uid", "", types.UID(name), types.UID(name), "other")}
	}
	if d.oneIn(10, "deleted") {
		v.DeletionTimestamp = &metav1.Time{}
	}
	return v
}

func (d volumesDraw) claim(name string, volumes, nodes int) *corev1.PersistentVolumeClaim {
	c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), Annotations: map[string]string{}}}
	c.Spec.AccessModes, c.Spec.VolumeMode, c.Spec.VolumeAttributesClassName = d.accessModes(), d.mode(), d.attributes()
	c.Status.Phase = corev1.ClaimPending
	if class := d.className(); !d.oneIn(12, "no class") {
		c.Spec.StorageClassName = &class
		if d.oneIn(8, "class by annotation") {
			c.Annotations[corev1.BetaStorageClassAnnotation] = class
		}
	}
	if !d.oneIn(8, "no size") {
		c.Spec.Resources.Requests = testkit.List("storage", volumesOneOf(d, "size", "500Mi", "1Gi", "1536Mi", "2Gi", "3Gi", "5Gi"))
	}
	if d.oneIn(4, "selector") {
		c.Spec.Selector = volumesOneOf(d, "which", &metav1.LabelSelector{}, &metav1.LabelSelector{MatchLabels: map[string]string{"tier": "fast"}},
			&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"fast"}}}})
	}
	if d.oneIn(3, "bound") {
		c.Spec.VolumeName = fmt.Sprint("pv-", rapid.IntRange(0, max(0, volumes-1)).Draw(d.T, "bound to"))
		if d.oneIn(12, "bound to none") {
			c.Spec.VolumeName = "pv-none"
		}
		c.Status.Phase = corev1.ClaimBound
		if !d.oneIn(12, "binding") {
			c.Annotations["pv.kubernetes.io/bind-completed"] = "yes"
		}
	} else if d.oneIn(6, "selected node") {
		c.Annotations["volume.kubernetes.io/selected-node"] = fmt.Sprint("node-", rapid.IntRange(0, nodes).Draw(d.T, "selected"))
	}
	if d.oneIn(20, "lost") {
		c.Status.Phase = corev1.ClaimLost
	}
	if d.oneIn(20, "deleted") {
		c.DeletionTimestamp = &metav1.Time{}
	}
	return c
}

func (d volumesDraw) class(i int) *storagev1.StorageClass {
	c := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("class-", i)}}
	c.VolumeBindingMode = volumesOneOf(d, "binding mode", new(storagev1.VolumeBindingWaitForFirstConsumer))
	if d.oneIn(8, "immediate") {
		c.VolumeBindingMode = volumesOneOf(d, "binding mode", nil, new(storagev1.VolumeBindingImmediate))
	}
	c.Provisioner = volumesOneOf(d, "provisioner", "", "kubernetes.io/no-provisioner", "rancher.io/local-path",
		"csi.example.com", "csi.example.com", "csi.example.com", "csi.example.com", "csi.example.com", "csi.example.com", "other.example.com")
	for range volumesOneOf(d, "topologies", 0, 0, 0, 1, 2) {
		term := corev1.TopologySelectorTerm{}
		for range volumesOneOf(d, "labels", 0, 1, 1, 2) {
			term.MatchLabelExpressions = append(term.MatchLabelExpressions, corev1.TopologySelectorLabelRequirement{
				Key: volumesOneOf(d, "key", d.key(), d.key(), d.key(), "in valid"), Values: []string{d.zone(), "elsewhere"}[:rapid.IntRange(1, 2).Draw(d.T, "values")]})
		}
		c.AllowedTopologies = append(c.AllowedTopologies, term)
	}
	return c
}

// capacitiesOf draws what a provisioner has for a class: at most one for each node, because the scheduler takes any.
func (d volumesDraw) capacitiesOf(class string) (all []*storagev1.CSIStorageCapacity) {
	key := d.key()
	for _, topology := range []*metav1.LabelSelector{
		nil, {MatchLabels: map[string]string{key: "eu-west1-a"}}, {MatchLabels: map[string]string{key: "eu-west1-b"}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: metav1.LabelSelectorOpDoesNotExist}}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: "Near"}}},
	} {
		if d.oneIn(3, "none") {
			continue
		}
		c := &storagev1.CSIStorageCapacity{ObjectMeta: metav1.ObjectMeta{Namespace: "csi", Name: fmt.Sprint(class, len(all))}, StorageClassName: class, NodeTopology: topology}
		if !d.oneIn(6, "no capacity") { // the scheduler panics if there is only a maximum
			c.Capacity = volumesSize(d, "capacity")
			if d.oneIn(3, "maximum") {
				c.MaximumVolumeSize = volumesSize(d, "maximum")
			}
		}
		all = append(all, c)
	}
	return all
}

func volumesSize(d volumesDraw, label string) *resource.Quantity {
	return new(resource.MustParse(volumesOneOf(d, label, "0", "500Mi", "2Gi", "4Gi", "9Gi", "20Gi", "1500m")))
}

func (d volumesDraw) pod(name, node string, claims int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
	p.Spec.NodeName = node
	for i := range volumesOneOf(d, "volumes", 0, 1, 1, 2, 3, 4) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: fmt.Sprint("volume-", i), VolumeSource: d.podVolume(claims)})
	}
	return p
}

func (d volumesDraw) podVolume(claims int) (s corev1.VolumeSource) {
	switch volumesOneOf(d, "kind", 0, 1, 2, 3, 4, 5, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7) {
	case 0:
		s.EmptyDir = &corev1.EmptyDirVolumeSource{}
	case 1:
		s.GCEPersistentDisk = &corev1.GCEPersistentDiskVolumeSource{PDName: volumesOneOf(d, "disk", "a", "b"), ReadOnly: rapid.Bool().Draw(d.T, "read only")}
	case 2:
		s.AWSElasticBlockStore = &corev1.AWSElasticBlockStoreVolumeSource{VolumeID: volumesOneOf(d, "disk", "a", "b"), ReadOnly: rapid.Bool().Draw(d.T, "read only")}
	case 3:
		s.ISCSI = &corev1.ISCSIVolumeSource{IQN: volumesOneOf(d, "disk", "a", "b"), ReadOnly: rapid.Bool().Draw(d.T, "read only")}
	case 4:
		s.RBD = &corev1.RBDVolumeSource{
			RBDPool: volumesOneOf(d, "pool", "a", "a", "b"), RBDImage: volumesOneOf(d, "image", "a", "a", "b"), ReadOnly: rapid.Bool().Draw(d.T, "read only"),
			CephMonitors: rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 2).Draw(d.T, "monitors"),
		}
	case 5:
		s.Ephemeral = &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{}}
	case 6:
		s.CSI = &corev1.CSIVolumeSource{Driver: "inline.example.com"}
	default:
		name := fmt.Sprint("claim-", rapid.IntRange(0, max(0, claims-1)).Draw(d.T, "claim"))
		if d.oneIn(30, "no such claim") {
			name = volumesOneOf(d, "no such claim", "", "claim-none")
		}
		s.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}
	}
	return s
}

// cluster draws a cluster and a pod that is to be placed there.
func (d volumesDraw) cluster() (*volumesCluster, *corev1.Pod) {
	c := &volumesCluster{}
	nodes, volumes, claims := rapid.IntRange(1, 12).Draw(d.T, "nodes"), rapid.IntRange(0, 8).Draw(d.T, "volumes"), rapid.IntRange(1, 5).Draw(d.T, "claims")
	var nodeNames []string
	for i := range nodes {
		nodeNames = append(nodeNames, fmt.Sprint("node-", i))
	}
	d.drawStorage(c, nodeNames, volumes, claims)
	for i, name := range nodeNames {
		c.nodes = append(c.nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: d.labels()}})
		c.pods = append(c.pods, nil)
		for j := range volumesOneOf(d, "pods", 0, 0, 0, 1, 2) {
			pod := d.pod(fmt.Sprint("pod-", i, "-", j), name, claims)
			pod.Namespace = volumesOneOf(d, "namespace", "shop", "ops")
			c.pods[i] = append(c.pods[i], pod)
		}
	}
	pod := d.pod("new", "", claims)
	c.claims = append(c.claims, d.ephemeralClaims(pod, volumes, nodes)...)
	return c, pod
}

// ephemeralClaims draws the claims that the controller creates for a pod.
func (d volumesDraw) ephemeralClaims(pod *corev1.Pod, volumes, nodes int) (claims []*corev1.PersistentVolumeClaim) {
	for i := range pod.Spec.Volumes {
		claim := podvolumes.EphemeralClaim(pod, &pod.Spec.Volumes[i])
		if claim == nil || d.oneIn(12, "claim is not created") {
			continue
		}
		drawn := d.claim(claim.Name, volumes, nodes)
		drawn.OwnerReferences = claim.OwnerReferences
		if d.oneIn(12, "owner") {
			drawn.OwnerReferences[0].UID = "other"
		}
		claims = append(claims, drawn)
	}
	return claims
}

// drawStorage draws claims and volumes, with what decides about them.
func (d volumesDraw) drawStorage(c *volumesCluster, nodeNames []string, volumes, claims int) {
	for i := range volumes {
		c.volumes = append(c.volumes, d.volume(i))
	}
	for i := range claims {
		c.claims = append(c.claims, d.claim(fmt.Sprint("claim-", i), volumes, len(nodeNames)))
	}
	for i := range 3 {
		if !d.oneIn(12, "no class") {
			c.classes = append(c.classes, d.class(i))
		}
		c.capacities = append(c.capacities, d.capacitiesOf(fmt.Sprint("class-", i))...)
	}
	if !d.oneIn(6, "no driver") {
		c.drivers = append(c.drivers, &storagev1.CSIDriver{ObjectMeta: metav1.ObjectMeta{Name: "csi.example.com"},
			Spec: storagev1.CSIDriverSpec{StorageCapacity: volumesOneOf(d, "tracked", nil, new(false), new(true), new(true), new(true))}})
	}
	for _, name := range nodeNames {
		if d.oneIn(4, "no CSINode") {
			continue
		}
		c.csiNodes = append(c.csiNodes, &storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: name}})
		if !d.oneIn(4, "nothing migrated") {
			c.csiNodes[len(c.csiNodes)-1].Annotations = map[string]string{corev1.MigratedPluginsAnnotationKey: volumesOneOf(d, "migrated", "",
				"kubernetes.io/aws-ebs", "kubernetes.io/aws-ebs,kubernetes.io/cinder,kubernetes.io/gce-pd,kubernetes.io/azure-disk,kubernetes.io/portworx-volume,kubernetes.io/vsphere-volume")}
		}
	}
}

// all returns the objects but for nodes and pods.
func (c *volumesCluster) all() (objects []admit.APIObject) {
	objects = appendAll(objects, c.claims)
	objects = appendAll(objects, c.volumes)
	objects = appendAll(objects, c.classes)
	objects = appendAll(objects, c.csiNodes)
	objects = appendAll(objects, c.drivers)
	return appendAll(objects, c.capacities)
}

func appendAll[O admit.APIObject](objects []admit.APIObject, more []O) []admit.APIObject {
	for _, object := range more {
		objects = append(objects, object)
	}
	return objects
}

// volumesTexts returns the bindings of a node as the scheduler has them: sizes of volumes are unique.
func volumesTexts(t testkit.TB, s *volumesScheduler, pod *corev1.Pod, node *corev1.Node) (texts []string) {
	claims, err := s.binder.GetPodVolumeClaims(klog.Logger{}, pod)
	testkit.OK(t, err)
	found, _, err := s.binder.FindPodVolumes(klog.Logger{}, pod, claims, node)
	testkit.OK(t, err)
	for _, b := range found.StaticBindings {
		texts = append(texts, fmt.Sprint("requests ", b.StorageResource().Requested, " of ", b.StorageResource().Capacity))
	}
	for _, p := range found.DynamicProvisions {
		texts = append(texts, "provisions for "+p.PVC.Name)
	}
	return texts
}

func volumesOurTexts(bindings []podvolumes.Binding) (texts []string) {
	for _, b := range bindings {
		if b.Volume == nil {
			texts = append(texts, "provisions for "+b.Claim.Name)
			continue
		}
		requested, capacity := b.Claim.Spec.Resources.Requests[corev1.ResourceStorage], b.Volume.Spec.Capacity[corev1.ResourceStorage]
		texts = append(texts, fmt.Sprint("requests ", requested.Value(), " of ", capacity.Value()))
	}
	return texts
}

// Each node has the same status, score and bindings.
func TestVolumes(t *testing.T) {
	s := newVolumesScheduler(t)
	reached := map[string]int{}
	t.Cleanup(func() {
		for _, text := range slices.Sorted(func(yield func(string) bool) {
			for text := range reached {
				if !yield(text) {
					return
				}
			}
		}) {
			t.Logf("%6d %s", reached[text], text)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		cluster, pod := volumesDraw{t}.cluster()
		s.set(t, cluster)
		volumes := podvolumes.Of(pod, cluster.known())
		state := framework.NewCycleState()
		_, status, _ := s.RunPreFilterPlugins(klog.NewContext(context.Background(), klog.Logger{}), state, pod)
		if volumes == nil {
			testkit.Equal(t, status.Message(), "", "no volumes")
			testkit.Equal(t, state.GetSkipFilterPlugins().Len(), 3, "skipped plugins")
			reached["no plugin is concerned"]++
			return
		}
		all := volumes.OfAllNodes()
		testkit.NoDiff(t, all.Reasons, volumesReasons(status), "of all nodes")
		if !status.IsSuccess() {
			testkit.Equal(t, status.Code(), fwk.UnschedulableAndUnresolvable)
			reached["all nodes: "+volumesGeneral(status.Message())]++
			return
		}
		nodes := volumes.On(cluster.nodes, func(i int) []*corev1.Pod { return cluster.pods[i] })
		feasible := volumesCompareNodes(t, s, cluster, pod, nodes, reached)
		if len(feasible) > 0 && oracle.SchedulerFeatures().EnableStorageCapacityScoring {
			volumesCompareScores(t, s, cluster, pod, nodes, feasible, reached)
		}
		if len(feasible) > 0 {
			volumesCompareNext(t, s, cluster, pod, nodes, rapid.SampledFrom(feasible).Draw(t, "placed on"), reached)
		}

		// A pod comes, and another leaves.
		i := rapid.IntRange(0, len(cluster.nodes)-1).Draw(t, "node")
		cluster.pods[i] = append(slices.Clone(cluster.pods[i]), volumesDraw{t}.pod("another", cluster.nodes[i].Name, len(cluster.claims)))
		nodes.Add(i, cluster.pods[i][len(cluster.pods[i])-1])
		j := rapid.IntRange(0, len(cluster.nodes)-1).Draw(t, "node")
		if len(cluster.pods[j]) > 0 {
			nodes.Remove(j, cluster.pods[j][0])
			cluster.pods[j] = cluster.pods[j][1:]
		}
		s.set(t, cluster)
		volumesCompareNodes(t, s, cluster, pod, nodes, reached)
	})
}

// volumesCompareNodes compares the status and the bindings of each node, and returns those on which the pod may be.
func volumesCompareNodes(t *rapid.T, s *volumesScheduler, cluster *volumesCluster, pod *corev1.Pod, nodes *podvolumes.Nodes, reached map[string]int) (feasible []int) {
	ctx, state := klog.NewContext(context.Background(), klog.Logger{}), framework.NewCycleState()
	_, status, _ := s.RunPreFilterPlugins(ctx, state, pod)
	testkit.OK(t, status.AsError())
	for i, node := range cluster.nodes {
		info, err := s.NodeInfos().Get(node.Name)
		testkit.OK(t, err)
		status := s.RunFilterPlugins(ctx, state, pod, info)
		verdict := nodes.Verdict(i)
		reached["a node: "+status.Message()]++
		testkit.NoDiff(t, verdict.Reasons, volumesReasons(status), node.Name)
		testkit.Equal(t, len(verdict.Unknown), 0, "unknown")
		if !status.IsSuccess() {
			testkit.Equal(t, status.Code() == fwk.Unschedulable, verdict.IsPreemptable, node.Name)
			testkit.Equal(t, len(nodes.Bindings(i)), 0, "bindings")
			continue
		}
		feasible = append(feasible, i)
		bindings := volumesOurTexts(nodes.Bindings(i))
		testkit.NoDiff(t, bindings, volumesTexts(t, s, pod, node), node.Name)
		for _, text := range bindings {
			reached["binding: "+text[:8]]++
		}
	}
	return feasible
}

// volumesCompareNext places the pod on node i, and compares the nodes for another pod. The scheduler assumes what the
// controller of volumes does, except for a claim that is then bound.
func volumesCompareNext(t *rapid.T, s *volumesScheduler, cluster *volumesCluster, pod *corev1.Pod, nodes *podvolumes.Nodes, i int, reached map[string]int) {
	name := cluster.nodes[i].Name
	claims, err := s.binder.GetPodVolumeClaims(klog.Logger{}, pod)
	testkit.OK(t, err)
	assumed, _, err := s.binder.FindPodVolumes(klog.Logger{}, pod, claims, cluster.nodes[i])
	testkit.OK(t, err)
	_, err = s.binder.AssumePodVolumes(klog.Logger{}, pod, name, assumed)
	testkit.OK(t, err)
	defer s.binder.RevertAssumedPodVolumes(assumed)

	after := *cluster
	after.claims, after.volumes, after.pods = slices.Clone(cluster.claims), slices.Clone(cluster.volumes), slices.Clone(cluster.pods)
	isBound := map[string]bool{}
	for _, b := range nodes.Bindings(i) {
		claim, volume := b.After(name)
		after.claims[slices.Index(cluster.claims, b.Claim)] = claim
		if volume != nil {
			after.volumes[slices.Index(cluster.volumes, b.Volume)] = volume
			isBound[claim.Name] = true
		}
	}
	placed := pod.DeepCopy()
	placed.Spec.NodeName = name
	after.pods[i] = append(slices.Clone(after.pods[i]), placed)
	s.SharedLister = snapshots.NewSnapshot(slices.Concat(after.pods...), after.nodes)

	next := volumesDraw{t}.pod("next", "", len(cluster.claims))
	next.Spec.Volumes = slices.DeleteFunc(next.Spec.Volumes, func(v corev1.Volume) bool {
		return isBound[podvolumes.ClaimName(next, &v)]
	})
	volumes := podvolumes.Of(next, after.known())
	if volumes == nil || len(volumes.OfAllNodes().Reasons) > 0 {
		return
	}
	nodes = volumes.On(after.nodes, func(i int) []*corev1.Pod { return after.pods[i] })
	volumesCompareNodes(t, s, &after, next, nodes, map[string]int{})
	reached["another pod after it"]++
}

// volumesCompareScores compares the scores of the feasible nodes.
func volumesCompareScores(t *rapid.T, s *volumesScheduler, cluster *volumesCluster, pod *corev1.Pod, nodes *podvolumes.Nodes, feasible []int, reached map[string]int) {
	ctx, state := klog.NewContext(context.Background(), klog.Logger{}), framework.NewCycleState()
	_, status, _ := s.RunPreFilterPlugins(ctx, state, pod)
	testkit.OK(t, status.AsError())
	var infos []fwk.NodeInfo
	for _, i := range feasible {
		info, err := s.NodeInfos().Get(cluster.nodes[i].Name)
		testkit.OK(t, err)
		testkit.OK(t, s.RunFilterPlugins(ctx, state, pod, info).AsError())
		infos = append(infos, info)
	}
	testkit.OK(t, s.RunPreScorePlugins(ctx, state, pod, infos).AsError())
	theirs, status := s.RunScorePlugins(ctx, state, pod, infos)
	testkit.OK(t, status.AsError())
	ours := make([]int64, len(feasible))
	nodes.Scores(feasible, ours)
	for k := range feasible {
		testkit.Equal(t, ours[k], theirs[k].TotalScore, "score of", theirs[k].Name)
		if ours[k] > 0 {
			reached["scores above 0"]++
		}
	}
}

// What is certain although objects are missing is so in the whole cluster.
func TestVolumesUnknown(t *testing.T) {
	reached := map[string]int{}
	t.Cleanup(func() { t.Log(reached) })
	rapid.Check(t, func(t *rapid.T) {
		d := volumesDraw{t}
		cluster, pod := d.cluster()
		whole := podvolumes.Of(pod, cluster.known())
		if whole == nil {
			return
		}
		kind := volumesOneOf(d, "kind", podvolumes.PersistentVolumeClaim, podvolumes.PersistentVolume, podvolumes.StorageClass,
			podvolumes.CSINode, podvolumes.CSIDriver, podvolumes.CSIStorageCapacity)
		part := *cluster
		switch kind {
		case podvolumes.PersistentVolumeClaim:
			part.claims = volumesSome(d, part.claims)
		case podvolumes.PersistentVolume:
			part.volumes = volumesSome(d, part.volumes)
		case podvolumes.StorageClass:
			part.classes = volumesSome(d, part.classes)
		case podvolumes.CSINode:
			part.csiNodes = volumesSome(d, part.csiNodes)
		case podvolumes.CSIDriver:
			part.drivers = volumesSome(d, part.drivers)
		case podvolumes.CSIStorageCapacity:
			part.capacities = volumesSome(d, part.capacities)
		}
		known := part.known()
		known.Incomplete = []podvolumes.Kind{kind}
		pods := func(i int) []*corev1.Pod { return cluster.pods[i] }
		exact, sure := whole.On(cluster.nodes, pods), podvolumes.Of(pod, known).On(cluster.nodes, pods)
		for i := range cluster.nodes {
			theirs, ours := exact.Verdict(i), sure.Verdict(i)
			switch {
			case len(ours.Unknown) > 0:
				testkit.NoDiff(t, ours.Unknown, []podvolumes.Kind{kind})
				testkit.Equal(t, len(ours.Reasons), 0)
				reached["unknown by "+string(kind)]++
			default:
				testkit.Equal(t, len(ours.Reasons) > 0, len(theirs.Reasons) > 0, theirs, ours)
				reached["certain without some "+string(kind)]++
			}
			testkit.Equal(t, sure.MayReachLimit(i) || !exact.MayReachLimit(i), true, "a limit")
		}
	})
}

// volumesSome leaves out some objects.
func volumesSome[T any](d volumesDraw, all []T) (some []T) {
	for _, object := range all {
		if rapid.Bool().Draw(d.T, "known") {
			some = append(some, object)
		}
	}
	return some
}

func volumesReasons(status *fwk.Status) []string {
	if status == nil {
		return nil
	}
	return status.Reasons()
}

// volumesGeneral returns a message without the names in it.
func volumesGeneral(message string) string {
	parts := strings.Split(message, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "…"
	}
	return strings.Join(parts, `"`)
}

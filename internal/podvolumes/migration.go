package podvolumes

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// migrated is a plugin for volumes that CSI drivers have taken over, with the label of nodes in which the driver keeps
// the zone.
type migrated struct{ plugin, topologyKey string }

// migratedOf returns the plugin of a volume whose node affinity is translated for a CSI driver, and zero for others.
// Disks of Azure and volumes of Portworx are migrated without a change of their node affinity.
//
// Source: isCSIMigrationOnForPlugin of volumebinding, TranslateInTreePVToCSI of k8s.io/csi-translation-lib.
func migratedOf(volume *corev1.PersistentVolume) migrated {
	switch {
	case volume.Spec.AWSElasticBlockStore != nil:
		return migrated{"kubernetes.io/aws-ebs", "topology.ebs.csi.aws.com/zone"}
	case volume.Spec.GCEPersistentDisk != nil:
		return migrated{"kubernetes.io/gce-pd", "topology.gke.io/zone"}
	case volume.Spec.Cinder != nil:
		return migrated{"kubernetes.io/cinder", "topology.cinder.csi.openstack.org/zone"}
	}
	return migrated{}
}

// isMigratable reports whether a volume of a pod may be attached by a CSI driver that has taken it over.
//
// Source: IsInlineMigratable of k8s.io/csi-translation-lib.
func isMigratable(v *corev1.Volume) bool {
	return v.AWSElasticBlockStore != nil || v.GCEPersistentDisk != nil || v.Cinder != nil || v.AzureDisk != nil ||
		v.AzureFile != nil || v.VsphereVolume != nil || v.PortworxVolume != nil
}

// isMigratedOn reports whether the CSI driver of a plugin has taken over its volumes on a node.
//
// Source: isPluginMigratedToCSIOnNode of volumebinding.
func isMigratedOn(node *storagev1.CSINode, plugin string) bool {
	if node == nil {
		return false
	}
	return slices.Contains(strings.Split(node.Annotations[corev1.MigratedPluginsAnnotationKey], ","), plugin)
}

// translatedAffinity returns the node affinity of a volume for the CSI driver that has taken it over: the zone in the
// affinity is that of the driver's label; without one, the zones in the labels of the volume are added.
//
// Source: translateTopologyFromInTreeToCSI of k8s.io/csi-translation-lib/plugins.
func translatedAffinity(volume *corev1.PersistentVolume, topologyKey string) *corev1.NodeSelector {
	affinity := requiredOf(volume).DeepCopy()
	zone, region := topologyLabels(volume, affinity)
	if hasValues(affinity, zone) {
		renameKey(affinity, zone, topologyKey)
	} else if names := zoneNames(volume.Labels[zone]); len(names) > 0 {
		affinity = withRequirement(affinity, topologyKey, names)
	}
	if hasValues(affinity, region) {
		renameKey(affinity, region, corev1.LabelTopologyRegion)
	}
	return affinity
}

// topologyLabels returns the labels of the zone and the region that a volume uses: in its affinity, otherwise in its
// labels, the present ones first.
//
// Source: getTopologyLabel.
func topologyLabels(volume *corev1.PersistentVolume, affinity *corev1.NodeSelector) (zone, region string) {
	_, hasPresent := volume.Labels[corev1.LabelTopologyZone]
	_, hasBeta := volume.Labels[corev1.LabelFailureDomainBetaZone]
	present, beta := has(affinity, corev1.LabelTopologyZone), has(affinity, corev1.LabelFailureDomainBetaZone)
	if !present && (beta || !hasPresent && hasBeta) {
		return corev1.LabelFailureDomainBetaZone, corev1.LabelFailureDomainBetaRegion
	}
	return corev1.LabelTopologyZone, corev1.LabelTopologyRegion
}

// requirements calls f with each requirement of the labels of nodes, until it returns false.
func requirements(affinity *corev1.NodeSelector) func(f func(r *corev1.NodeSelectorRequirement) bool) {
	return func(f func(r *corev1.NodeSelectorRequirement) bool) {
		if affinity == nil {
			return
		}
		for i := range affinity.NodeSelectorTerms {
			for j := range affinity.NodeSelectorTerms[i].MatchExpressions {
				if !f(&affinity.NodeSelectorTerms[i].MatchExpressions[j]) {
					return
				}
			}
		}
	}
}

func has(affinity *corev1.NodeSelector, key string) bool {
	for r := range requirements(affinity) {
		if r.Key == key {
			return true
		}
	}
	return false
}

func hasValues(affinity *corev1.NodeSelector, key string) bool {
	for r := range requirements(affinity) {
		if r.Key == key && len(r.Values) > 0 {
			return true
		}
	}
	return false
}

func renameKey(affinity *corev1.NodeSelector, from, to string) {
	for r := range requirements(affinity) {
		if r.Key == from {
			r.Key = to
		}
	}
}

// zoneNames returns the zones in a label of a volume.
func zoneNames(label string) (names []string) {
	for name := range strings.SplitSeq(label, zoneDelimiter) {
		if name := strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// withRequirement adds a requirement to each term of an affinity, which it changes.
//
// Source: addTopology.
func withRequirement(affinity *corev1.NodeSelector, key string, values []string) *corev1.NodeSelector {
	if affinity == nil || len(affinity.NodeSelectorTerms) == 0 {
		affinity = &corev1.NodeSelector{NodeSelectorTerms: make([]corev1.NodeSelectorTerm, 1)}
	}
	for i := range affinity.NodeSelectorTerms {
		term := &affinity.NodeSelectorTerms[i]
		term.MatchExpressions = append(term.MatchExpressions,
			corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values})
	}
	return affinity
}

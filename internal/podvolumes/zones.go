package podvolumes

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// zoneLabel is a label of a volume, with the zones or regions in which it can be used.
type zoneLabel struct {
	key    string
	values []string
}

// zoneKeys returns the labels of zones and regions, of nodes and of volumes.
func zoneKeys() []string {
	return []string{
		corev1.LabelFailureDomainBetaZone, corev1.LabelFailureDomainBetaRegion,
		corev1.LabelTopologyZone, corev1.LabelTopologyRegion,
	}
}

// zonesOf returns the labels of a volume that name zones or regions. One with an empty name is ignored.
//
// Source: getPVTopologies of volumezone, LabelZonesToSet of k8s.io/cloud-provider/volume/helpers.
func zonesOf(volume *corev1.PersistentVolume) (zones []zoneLabel) {
	for _, key := range zoneKeys() {
		label, isSet := volume.Labels[key]
		names := strings.Split(label, zoneDelimiter)
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		if isSet && !slices.Contains(names, "") {
			zones = append(zones, zoneLabel{key, names})
		}
	}
	return zones
}

// zoneDelimiter separates the zones in a label of a volume.
const zoneDelimiter = "__"

// isInZones reports whether a node is in the zones and regions of all volumes. A node without any of the labels is. A
// node may have the present label for the one of a volume that was in use before.
//
// Source: Filter of volumezone.
func (v *Volumes) isInZones(node *corev1.Node) bool {
	hasLabel := func(key string) bool {
		_, isSet := node.Labels[key]
		return isSet
	}
	if !slices.ContainsFunc(zoneKeys(), hasLabel) {
		return true
	}
	for _, zone := range v.zones {
		value, isSet := node.Labels[zone.key]
		if !isSet {
			value = node.Labels[presentKey(zone.key)]
		}
		if !slices.Contains(zone.values, value) {
			return false
		}
	}
	return true
}

// presentKey returns the label that is used today for one that was used before.
func presentKey(key string) string {
	switch key {
	case corev1.LabelFailureDomainBetaZone:
		return corev1.LabelTopologyZone
	case corev1.LabelFailureDomainBetaRegion:
		return corev1.LabelTopologyRegion
	}
	return key
}

package applied

import (
	"fmt"
	"reflect"
	"slices"
)

// The fields of a pod spec that the API server sets where they are omitted, with the value. Those without one are set
// to what follows from others, or are compared elsewhere. An account stays, because kubectl does not remove its alias.
//
// Source: SetObjectDefaults_Deployment of k8s.io/kubernetes/pkg/apis/apps/v1.
var serverSets = [...]string{
	"RestartPolicy Always", "DNSPolicy ClusterFirst", "TerminationGracePeriodSeconds 30", "SchedulerName default-scheduler",
	"ServiceAccountName", "DeprecatedServiceAccount", "ImagePullPolicy", "PullPolicy", "Resources", "HostPort",
	"TerminationMessagePath /dev/termination-log", "TerminationMessagePolicy File", "Protocol TCP", "APIVersion v1",
	"TimeoutSeconds 1", "PeriodSeconds 10", "SuccessThreshold 1", "FailureThreshold 3", "Path /", "Scheme HTTP", "Service ",
	"Optional false", "DefaultMode 420", "ExpirationSeconds 3600", "Type ", "VolumeMode Filesystem", "FSType ext4",
	"FSType xfs", "CachingMode ReadWrite", "ReadOnly false", "Kind Shared", "StorageMode ThinProvisioned",
	"ISCSIInterface default", "RBDPool rbd", "RadosUser admin", "Keyring /etc/ceph/keyring",
}

// LeavesOut reports whether a manifest of a pod spec, or of a part of it, omits something that is stored, other than what
// the API server sets by default. Both have the same type. Values that both have are not compared: see Covers.
func LeavesOut(stored, manifest reflect.Value) bool {
	switch stored.Kind() {
	case reflect.Pointer:
		isObject := stored.Type().Elem().Kind() == reflect.Struct
		switch {
		case stored.IsNil():
			return false
		case manifest.IsNil() && isObject: // an object without fields sets nothing
			return LeavesOut(stored.Elem(), reflect.Zero(stored.Type().Elem()))
		}
		return manifest.IsNil() || LeavesOut(stored.Elem(), manifest.Elem())
	case reflect.Slice:
		for i := range stored.Len() {
			if i >= manifest.Len() || LeavesOut(stored.Index(i), manifest.Index(i)) {
				return true
			}
		}
		return false
	case reflect.Map:
		for _, k := range stored.MapKeys() {
			if !manifest.MapIndex(k).IsValid() {
				return true
			}
		}
		return false
	}
	if stored.Kind() != reflect.Struct || !hasFields(stored.Type()) {
		return !stored.IsZero() && manifest.IsZero()
	}
	for i := range stored.NumField() {
		name, own := stored.Type().Field(i).Name, stored.Field(i)
		if !isSetAgain(name, own) && LeavesOut(own, manifest.Field(i)) {
			return true
		}
	}
	return false
}

// isSetAgain reports whether the API server sets a field to a value if it is omitted.
func isSetAgain(name string, value reflect.Value) bool {
	if slices.Contains(serverSets[:], name) {
		return true
	}
	switch value = reflect.Indirect(value); value.Kind() {
	case reflect.String, reflect.Int32, reflect.Int64, reflect.Bool:
		return slices.Contains(serverSets[:], fmt.Sprint(name, " ", value))
	}
	return false
}

package applied

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The fields of a pod spec, and of what is in it, that the API server sets where they are omitted, with the value.
//
// Source: SetDefaults_PodSpec and those beside it of k8s.io/kubernetes/pkg/apis/core/v1.
var serverSets = [...]string{
	"RestartPolicy Always", "DNSPolicy ClusterFirst", "TerminationGracePeriodSeconds 30", "SchedulerName default-scheduler",
	"TerminationMessagePath /dev/termination-log", "TerminationMessagePolicy File", "Protocol TCP", "APIVersion v1",
	"TimeoutSeconds 1", "PeriodSeconds 10", "SuccessThreshold 1", "FailureThreshold 3", "Path /", "Scheme HTTP", "Service ",
	"Optional false", "DefaultMode 420", "ExpirationSeconds 3600", "Type ", "VolumeMode Filesystem", "FSType ext4",
	"FSType xfs", "CachingMode ReadWrite", "ReadOnly false", "Kind Shared", "StorageMode ThinProvisioned",
	"ISCSIInterface default", "RBDPool rbd", "RadosUser admin", "Keyring /etc/ceph/keyring",
}

// The fields outside of pod specs that the API server sets where they are omitted, by the type that has them.
//
// Source: SetDefaults_… of k8s.io/kubernetes/pkg/apis/apps/v1, batch/v1 and core/v1.
var serverSetsOf = [...]string{
	"ReplicationControllerSpec.Replicas 1", "ReplicaSetSpec.Replicas 1", "DeploymentSpec.Replicas 1", "StatefulSetSpec.Replicas 1",
	"DeploymentStrategy.Type RollingUpdate", "RollingUpdateDeployment.MaxUnavailable 25%", "RollingUpdateDeployment.MaxSurge 25%",
	"DeploymentSpec.RevisionHistoryLimit 10", "DeploymentSpec.ProgressDeadlineSeconds 600",
	"StatefulSetSpec.RevisionHistoryLimit 10", "StatefulSetSpec.PodManagementPolicy OrderedReady",
	"StatefulSetUpdateStrategy.Type RollingUpdate", "RollingUpdateStatefulSetStrategy.Partition 0",
	"RollingUpdateStatefulSetStrategy.MaxUnavailable 1", "StatefulSetPersistentVolumeClaimRetentionPolicy.WhenDeleted Retain",
	"StatefulSetPersistentVolumeClaimRetentionPolicy.WhenScaled Retain",
	"DaemonSetSpec.RevisionHistoryLimit 10", "DaemonSetUpdateStrategy.Type RollingUpdate",
	"RollingUpdateDaemonSet.MaxUnavailable 1", "RollingUpdateDaemonSet.MaxSurge 0",
	"JobSpec.Parallelism 1", "JobSpec.BackoffLimit 6", "JobSpec.CompletionMode NonIndexed", "JobSpec.Suspend false",
	"CronJobSpec.ConcurrencyPolicy Allow", "CronJobSpec.Suspend false", "CronJobSpec.SuccessfulJobsHistoryLimit 3",
	"CronJobSpec.FailedJobsHistoryLimit 1",
	"ServiceSpec.InternalTrafficPolicy Cluster", "ServiceSpec.Type ClusterIP", "ServiceSpec.SessionAffinity None",
	"PersistentVolumeClaimSpec.VolumeMode Filesystem",
}

// KeepDefaults gives what a merged object omits the value that is stored, if the API server sets it again: a manifest no
// longer names a default. Both objects have the same type; merged is written to.
func KeepDefaults(merged, stored runtime.Object) {
	keepDefaults(reflect.ValueOf(merged).Elem(), reflect.ValueOf(stored.DeepCopyObject()).Elem(), "")
	if service, is := merged.(*corev1.Service); is {
		keepNodePorts(&service.Spec, &stored.(*corev1.Service).Spec)
	}
}

// keepNodePorts keeps the node ports of a Service where ports of the same names omit them, if no other port has them.
//
// Source: patchAllocatedValues of k8s.io/kubernetes/pkg/registry/core/service/storage.
func keepNodePorts(merged, stored *corev1.ServiceSpec) {
	if !hasNodePorts(merged) || !hasNodePorts(stored) {
		return
	}
	for i := range merged.Ports {
		named := slices.IndexFunc(stored.Ports, func(p corev1.ServicePort) bool { return p.Name == merged.Ports[i].Name })
		if merged.Ports[i].NodePort == 0 && named >= 0 {
			port := stored.Ports[named].NodePort
			if !slices.ContainsFunc(merged.Ports, func(p corev1.ServicePort) bool { return p.NodePort == port }) {
				merged.Ports[i].NodePort = port
			}
		}
	}
}

func hasNodePorts(spec *corev1.ServiceSpec) bool {
	isAllocated := spec.AllocateLoadBalancerNodePorts == nil || *spec.AllocateLoadBalancerNodePorts
	return spec.Type == corev1.ServiceTypeNodePort || spec.Type == corev1.ServiceTypeLoadBalancer && isAllocated
}

func keepDefaults(merged, stored reflect.Value, tag reflect.StructTag) {
	switch merged.Kind() {
	case reflect.Pointer:
		if !merged.IsNil() && !stored.IsNil() {
			keepDefaults(merged.Elem(), stored.Elem(), tag)
		}
	case reflect.Slice:
		if tag.Get("patchMergeKey") == "" { // it is replaced as a whole
			return
		}
		there := keysOf(stored, tag)
		for i, k := range keysOf(merged, tag) {
			if at := slices.Index(there, k); at >= 0 {
				keepDefaults(merged.Index(i), stored.Index(at), "")
			}
		}
	case reflect.Struct:
		// Of a StatefulSet, there is no default beside a type.
		isOfSet := merged.Type() == reflect.TypeFor[appsv1.StatefulSetUpdateStrategy]() && !merged.IsZero()
		for i := range merged.NumField() {
			field := merged.Type().Field(i)
			if !field.IsExported() || isOfSet && field.Name == "RollingUpdate" && merged.Field(i).IsZero() {
				continue
			}
			if merged.Field(i).IsZero() && isDefault(merged, field.Name, stored.Field(i)) {
				merged.Field(i).Set(stored.Field(i))
			} else {
				keepDefaults(merged.Field(i), stored.Field(i), field.Tag)
			}
		}
	}
}

// isDefault reports whether the API server sets a field of a struct, which omits it, to the value that is stored.
func isDefault(of reflect.Value, name string, stored reflect.Value) bool {
	if stored.IsZero() {
		return false
	}
	switch own := of.Interface().(type) {
	case corev1.VolumeSource:
		return name == "EmptyDir" && of.IsZero() && stored.Elem().IsZero()
	case corev1.ServicePort:
		if name == "TargetPort" {
			return stored.Interface() == intstr.FromInt32(own.Port)
		}
	case corev1.ServiceSpec:
		switch name {
		case "ClusterIP", "ClusterIPs": // which are allocated, and stay
			return own.Type != corev1.ServiceTypeExternalName
		case "ExternalTrafficPolicy":
			isExternal := own.Type == corev1.ServiceTypeNodePort || own.Type == corev1.ServiceTypeLoadBalancer
			return isExternal && stored.Interface() == corev1.ServiceExternalTrafficPolicyCluster
		}
	case corev1.Container:
		if name == "ImagePullPolicy" {
			return stored.Interface() == pullPolicy(own.Image)
		}
	case corev1.ImageVolumeSource:
		if name == "PullPolicy" {
			return stored.Interface() == pullPolicy(own.Reference)
		}
	case corev1.PodSpec:
		switch name {
		case "SecurityContext":
			return stored.Elem().IsZero()
		case "ServiceAccountName", "DeprecatedServiceAccount": // one is an alias of the other, which stays
			return true
		}
	}
	if name == "RollingUpdate" && !slices.Contains([]string{"", "RollingUpdate"}, of.FieldByName("Type").String()) {
		return false
	}
	if name == "RollingUpdate" || name == "PersistentVolumeClaimRetentionPolicy" { // all in it has defaults
		own, empty := stored.Elem(), reflect.Zero(stored.Elem().Type())
		for i := range own.NumField() {
			if !own.Field(i).IsZero() && !isDefault(empty, own.Type().Field(i).Name, own.Field(i)) {
				return false
			}
		}
		return true
	}
	value := reflect.Indirect(stored)
	text := fmt.Sprint(value)
	if n, is := value.Interface().(intstr.IntOrString); is {
		text = n.String()
	}
	return slices.Contains(serverSetsOf[:], of.Type().Name()+"."+name+" "+text) ||
		of.Type().PkgPath() == reflect.TypeFor[corev1.PodSpec]().PkgPath() && slices.Contains(serverSets[:], name+" "+text)
}

// pullPolicy returns that of an image whose container names none.
//
// Source: SetDefaults_Container of k8s.io/kubernetes/pkg/apis/core/v1.
func pullPolicy(image string) corev1.PullPolicy {
	name, _, hasDigest := strings.Cut(image, "@")
	_, tag, isTagged := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	if tag == "latest" || !isTagged && !hasDigest && image != "" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

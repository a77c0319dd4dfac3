package objects

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A kind that is read is read, whichever its group has.
func TestReadKind(t *testing.T) {
	const text = "apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: a}\n"
	for o := range (Reader{Kinds: Kinds{{"extensions/v1beta1", "Deployment"}: reflect.TypeFor[appsv1.Deployment]()}}).File("f", strings.NewReader(text)) {
		if o.Typed == nil || o.APIVersion != "extensions/v1beta1" {
			t.Errorf("%+v", o)
		}
	}
}

// A list is gone with its kind, and both are if all of a version are.
func TestGone(t *testing.T) {
	for of, want := range map[names]bool{
		{"networking.k8s.io/v1beta1", "Ingress"}: true, {"networking.k8s.io/v1beta1", "IngressList"}: true, {"networking.k8s.io/v1beta1", "ServiceCIDRList"}: false,
		{"networking.k8s.io/v1", "IngressList"}: false, {"rbac.authorization.k8s.io/v1beta1", "RoleList"}: true,
		{"apps/v1beta2", "Deployment"}: true, {"extensions/v1beta1", "Ingress"}: true, {"batch/v1beta1", "CronJob"}: true, {"batch/v2alpha1", "CronJob"}: true,
		{"autoscaling/v2beta2", "HorizontalPodAutoscaler"}: true, {"policy/v1beta1", "PodDisruptionBudget"}: true, {"policy/v1", "PodSecurityPolicy"}: true,
		{"v1", "Config"}: false, {"v1", "Ingress"}: true, {"apps/v1", "CronJob"}: true, {"batch/v1", "HorizontalPodAutoscaler"}: true, {"extensions/v1beta1", "List"}: false,
		{"admissionregistration.k8s.io/v1beta1", "MutatingWebhookConfiguration"}: true, {"admissionregistration.k8s.io/v1beta1", "ValidatingAdmissionPolicy"}: false,
		{"apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"}: true, {"apiregistration.k8s.io/v1beta1", "APIService"}: true, {"certificates.k8s.io/v1beta1", "CertificateSigningRequest"}: true,
		{"certificates.k8s.io/v1beta1", "ClusterTrustBundle"}: false, {"coordination.k8s.io/v1beta1", "Lease"}: true, {"coordination.k8s.io/v1beta1", "LeaseCandidate"}: false,
		{"discovery.k8s.io/v1beta1", "EndpointSlice"}: true, {"events.k8s.io/v1beta1", "Event"}: true, {"flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema"}: true,
		{"flowcontrol.apiserver.k8s.io/v1beta2", "FlowSchema"}: true, {"flowcontrol.apiserver.k8s.io/v1beta3", "PriorityLevelConfiguration"}: true, {"flowcontrol.apiserver.k8s.io/v1", "FlowSchema"}: false,
		{"networking.k8s.io/v1beta1", "IngressClass"}: true, {"node.k8s.io/v1beta1", "RuntimeClass"}: true, {"rbac.authorization.k8s.io/v1alpha1", "Role"}: true, {"scheduling.k8s.io/v1beta1", "PriorityClass"}: true,
		{"storage.k8s.io/v1beta1", "CSIDriver"}: true, {"storage.k8s.io/v1beta1", "CSINode"}: true, {"storage.k8s.io/v1beta1", "CSIStorageCapacity"}: true, {"storage.k8s.io/v1beta1", "VolumeAttachment"}: true,
		{"apps/v1beta2", "DeploymentList"}: true, {"apps/v1", "DeploymentList"}: false, {"v1", "List"}: false,
	} {
		testkit.Equal(t, of.isUnserved(), want, of)
	}
}

// The items of a list can be read without the rest if the kind before them is that of a list, or else if the first says what it is.
func TestItemsIn(t *testing.T) {
	for text, want := range map[string]bool{
		"kind: List\nitems:\n- x: 1\n": true, "kind: PodList\nitems:\n- x: 1\n": true, "kind: Pod\nitems:\n- kind: Pod\n": false, "kind: Pod\nitems:\n- x: 1\n": false,
		"items:\n- kind: Pod\n": true, "items:\n- x: 1\n": false, "items:\n- x: 1\nkind: List\n": false, "x: 1\n": false,
	} {
		_, _, divisible := itemsIn([]byte(text))
		testkit.Equal(t, divisible, want, text)
	}
}

// Each kind of k8s.io/api is one that its group has.
func TestServed(t *testing.T) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, autoscalingv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme, corev1.AddToScheme, policyv1.AddToScheme} {
		testkit.OK(t, add(scheme))
	}
	internal := []string{"PodStatusResult", "SerializedReference", "RangeAllocation", "WatchEvent", "APIGroup", "APIVersions", "APIResource"}
	for version := range served {
		of, err := schema.ParseGroupVersion(version)
		testkit.OK(t, err)
		for kind := range scheme.KnownTypes(of) {
			if n := (names{version, kind}); n.isUnserved() && !strings.HasSuffix(kind, "Options") && !slices.Contains(internal, strings.TrimSuffix(kind, "List")) {
				t.Errorf("%s of %s", kind, version)
			}
		}
	}
}

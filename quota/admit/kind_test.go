package admit_test

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// Clients decode objects without a kind, which follows from their type: that of the scheme.
func TestKindOfTypes(t *testing.T) {
	scheme := runtime.NewScheme()
	add := runtime.NewSchemeBuilder(admissionregistrationv1.AddToScheme, appsv1.AddToScheme, autoscalingv2.AddToScheme,
		batchv1.AddToScheme, certificatesv1.AddToScheme, coordinationv1.AddToScheme, corev1.AddToScheme,
		discoveryv1.AddToScheme, eventsv1.AddToScheme, extensionsv1beta1.AddToScheme, flowcontrolv1.AddToScheme,
		networkingv1.AddToScheme, nodev1.AddToScheme, policyv1.AddToScheme, rbacv1.AddToScheme, resourcev1.AddToScheme,
		schedulingv1.AddToScheme, storagev1.AddToScheme)
	testkit.OK(t, add.AddToScheme(scheme))
	subjects := map[metav1.GroupResource]bool{}
	for kind := range scheme.AllKnownTypes() {
		obj, err := scheme.New(kind)
		testkit.OK(t, err)
		of, ok := obj.(admit.APIObject)
		if isUnversioned, _ := scheme.IsUnversioned(obj); !ok || isUnversioned {
			continue
		}
		s := compile(t, nil, nil, admit.Options{}).Create(of, admit.Attributes{}).Subject
		testkit.Equal(t, s.Kind, metav1.GroupKind{Group: kind.Group, Kind: kind.Kind})
		subjects[s.Resource] = true
	}
	for _, want := range []metav1.GroupResource{{Resource: "limitranges"}, {Resource: "endpoints"}, {Resource: "services"},
		{Group: "policy", Resource: "poddisruptionbudgets"}, {Group: "networking.k8s.io", Resource: "ingresses"},
		{Group: "networking.k8s.io", Resource: "networkpolicies"}, {Group: "autoscaling", Resource: "horizontalpodautoscalers"},
		{Group: "rbac.authorization.k8s.io", Resource: "rolebindings"}, {Group: "coordination.k8s.io", Resource: "leases"}} {
		if !subjects[want] {
			t.Errorf("no object is one of %v", want)
		}
	}
	own := &struct{ corev1.ConfigMap }{}
	testkit.Equal(t, compile(t, nil, nil, admit.Options{}).Create(own, admit.Attributes{}).Subject, admit.Subject{})
	ofCore := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Endpoints"}}
	testkit.Equal(t, compile(t, nil, nil, admit.Options{}).Create(ofCore, admit.Attributes{}).Subject, admit.Subject{
		Resource: metav1.GroupResource{Resource: "endpoints"}, Kind: metav1.GroupKind{Kind: "Endpoints"}})
}

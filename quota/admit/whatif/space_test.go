package whatif_test

import (
	"reflect"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	admissionv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	certificatesv1 "k8s.io/api/certificates/v1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Objects are in no namespace if their type says so in k8s.io/api, with genclient:nonNamespaced. Others without a
// namespace are in default, in which quotas count them.
func TestNamespacesOfKinds(t *testing.T) {
	quotas := resourceQuota("all", "count/resourcequotas", "1", "count/limitranges", "0", "count/roles.rbac.authorization.k8s.io", "0")
	quotas.Namespace = "default"
	c := read(t, whatif.Options{}, quotas)
	for _, obj := range []admit.APIObject{
		&admissionv1.MutatingWebhookConfiguration{}, &admissionv1.ValidatingWebhookConfiguration{},
		&admissionv1.ValidatingAdmissionPolicy{}, &admissionv1.ValidatingAdmissionPolicyBinding{},
		&admissionv1beta1.MutatingAdmissionPolicy{}, &admissionv1beta1.MutatingAdmissionPolicyBinding{},
		&certificatesv1.CertificateSigningRequest{}, &certificatesv1beta1.ClusterTrustBundle{},
		&corev1.Namespace{}, &corev1.Node{}, &corev1.PersistentVolume{},
		&flowcontrolv1.FlowSchema{}, &flowcontrolv1.PriorityLevelConfiguration{},
		&networkingv1.IPAddress{}, &networkingv1.IngressClass{}, &networkingv1.ServiceCIDR{}, &nodev1.RuntimeClass{},
		&rbacv1.ClusterRole{}, &rbacv1.ClusterRoleBinding{}, &resourcev1.DeviceClass{}, &resourcev1.ResourceSlice{},
		&schedulingv1.PriorityClass{}, &storagev1.CSIDriver{}, &storagev1.CSINode{}, &storagev1.StorageClass{},
		&storagev1.VolumeAttachment{}, &storagev1.VolumeAttributesClass{},
	} {
		obj.SetName("x")
		kind := reflect.TypeOf(obj).Elem().Name()
		testkit.Equal(t, did(c.Apply(obj)).Objects[0].Source, computeresources.Source{Kind: kind, Name: "x"})
	}
	for _, obj := range []admit.APIObject{&rbacv1.Role{}, &corev1.ResourceQuota{}, &corev1.LimitRange{}} {
		obj.SetName("x")
		o := did(c.Apply(obj)).Objects[0]
		testkit.Equal(t, o.Source, computeresources.Source{Kind: reflect.TypeOf(obj).Elem().Name(), Namespace: "default", Name: "x"})
		testkit.Equal(t, o.Action, whatif.Refused, o.Kind)
	}
}

// A quota with a UID and without a status, of whose namespace no pods were read: nothing says what is used, so nothing is
// given back.
func TestNothingIsGivenBackOfUnknownUsage(t *testing.T) {
	q := resourceQuota("q", "services.loadbalancers", "1")
	q.UID = "u"
	c := read(t, whatif.Options{}, q, service("one", corev1.ServiceTypeLoadBalancer))
	for name, r := range map[string]outcome{
		"an update":  did(c.Apply(service("one", corev1.ServiceTypeClusterIP))),
		"a deletion": did(c.Delete(service("one", ""))),
	} {
		testkit.Equal(t, len(r.Quotas), 0, name)
		testkit.NoDiff(t, r.After.Namespace("shop").Quotas()[0].Status, corev1.ResourceQuotaStatus{}, name)
		more := did(r.After.Apply(resourceQuota("none", "services", "0"), service("two", "")))
		testkit.Equal(t, more.Objects[1].Action, whatif.Refused, name) // as others are compiled with it
	}
}

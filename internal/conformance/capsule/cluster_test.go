package kubemath

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	capsule "github.com/projectcapsule/capsule/api/v1beta2"
	"github.com/projectcapsule/capsule/internal/controllers/resourcepools"
	"github.com/projectcapsule/capsule/internal/controllers/tenant"
	"github.com/projectcapsule/capsule/internal/controllers/utils"
	"github.com/projectcapsule/capsule/internal/metrics"
	webhook "github.com/projectcapsule/capsule/internal/webhook/resourcepool"
	"github.com/projectcapsule/capsule/pkg/configuration"
	"github.com/projectcapsule/capsule/pkg/indexer"
	"github.com/projectcapsule/capsule/pkg/indexer/namespace"
	"github.com/projectcapsule/capsule/pkg/indexer/resourcepool"
	tenants "github.com/projectcapsule/capsule/pkg/indexer/tenant"
)

// cluster is a client in memory, and the controllers of Capsule.
type cluster struct {
	client.Client
	tenant, pool, claim reconcile.Reconciler
	created             int
}

// controllers is a manager that keeps the reconcilers that are added, and starts nothing.
type controllers struct {
	manager.Manager
	added []reconcile.Reconciler
}

func (m *controllers) Add(r manager.Runnable) error {
	if reconciler, is := r.(reconcile.Reconciler); is {
		m.added = append(m.added, reconciler)
	}
	return nil
}

// The recorders register themselves for the process.
var tenantMetrics = metrics.MustMakeTenantRecorder()

// current is the client of the cluster that the controllers of pools work on: they register metrics when they are made.
var current = &struct{ client.Client }{}

var poolControllers = func() []reconcile.Reconciler {
	ctrl.SetLogger(logr.Discard())
	utilruntime.Must(capsule.AddToScheme(scheme.Scheme))
	m, err := ctrl.NewManager(&rest.Config{Host: "127.0.0.1:1"}, manager.Options{
		Scheme: scheme.Scheme, Metrics: server.Options{BindAddress: "0"}, Logger: logr.Discard(),
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return meta.NewDefaultRESTMapper(nil), nil },
		NewClient:      func(*rest.Config, client.Options) (client.Client, error) { return current, nil },
	})
	utilruntime.Must(err)
	own := &controllers{Manager: m}
	utilruntime.Must(resourcepools.Add(logr.Discard(), own, quiet{}, utils.ControllerOptions{}))
	return own.added
}()

func newCluster() *cluster {
	b := fake.NewClientBuilder().WithScheme(scheme.Scheme).
		WithStatusSubresource(&capsule.Tenant{}, &capsule.ResourcePool{}, &capsule.ResourcePoolClaim{}, &corev1.ResourceQuota{})
	for _, i := range []indexer.CustomIndexer{
		tenants.NamespacesReference{Obj: &capsule.Tenant{}}, tenants.OwnerReference{}, namespace.OwnerReference{},
		resourcepool.NamespacesReference{Obj: &capsule.ResourcePool{}}, resourcepool.PoolUIDReference{Obj: &capsule.ResourcePoolClaim{}},
	} {
		b = b.WithIndex(i.Object(), i.Field(), i.Func())
	}
	c := &cluster{Client: b.Build(), pool: poolControllers[0], claim: poolControllers[1]}
	current.Client = c.Client
	c.tenant = &tenant.Manager{Client: c.Client, Metrics: tenantMetrics, Log: logr.Discard(), Recorder: quiet{},
		Configuration: configuration.NewCapsuleConfiguration(context.Background(), c.Client, "default")}
	return c
}

// quiet records no events.
type quiet struct{ record.EventRecorder }

func (quiet) Event(runtime.Object, string, string, string)          {}
func (quiet) Eventf(runtime.Object, string, string, string, ...any) {}
func (quiet) AnnotatedEventf(runtime.Object, map[string]string, string, string, string, ...any) {
}

// create stores an object, with what the API server sets, and Capsule's webhook.
func (c *cluster) create(t testing.TB, o client.Object) {
	c.created++
	o.SetUID(types.UID(fmt.Sprint("uid-", c.created)))
	o.SetCreationTimestamp(metav1.NewTime(time.Unix(1_800_000_000+int64(c.created), 0)))
	if p, is := o.(*capsule.ResourcePool); is {
		defaulted(t, p)
	}
	must(t, c.Create(context.Background(), o))
}

// defaulted sets the defaults of the CRD, and those of the webhook.
func defaulted(t testing.TB, p *capsule.ResourcePool) {
	for _, option := range []**bool{&p.Spec.Config.DefaultsAssignZero, &p.Spec.Config.OrderedQueue, &p.Spec.Config.DeleteBoundResources} {
		if *option == nil {
			*option = new(bool)
		}
	}
	raw, err := json.Marshal(p)
	must(t, err)
	handler := webhook.PoolMutationHandler(logr.Discard()).OnCreate(nil, admission.NewDecoder(scheme.Scheme), nil)
	request := admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{Object: runtime.RawExtension{Raw: raw}}}
	response := handler(context.Background(), request)
	operations, err := json.Marshal(response.Patches)
	must(t, err)
	patch, err := jsonpatch.DecodePatch(operations)
	must(t, err)
	if raw, err = patch.Apply(raw); err != nil || !response.Allowed {
		t.Fatal(err, response)
	}
	*p = capsule.ResourcePool{}
	must(t, json.Unmarshal(raw, p))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func list[T client.ObjectList](t testing.TB, c *cluster, l T) T {
	must(t, c.List(context.Background(), l))
	return l
}

// settle runs the controllers until they have nothing more to do, and counts what namespaces use in between.
func (c *cluster) settle(t testing.TB, used func(*corev1.ResourceQuota) corev1.ResourceList) {
	run := func(r reconcile.Reconciler, o client.Object) {
		if _, err := r.Reconcile(context.Background(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(o)}); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		for _, o := range list(t, c, &capsule.TenantList{}).Items {
			run(c.tenant, &o)
		}
		for _, q := range list(t, c, &corev1.ResourceQuotaList{}).Items {
			q.Status.Hard, q.Status.Used = q.Spec.Hard, used(&q)
			must(t, c.Status().Update(context.Background(), &q))
		}
		for range 2 {
			for _, o := range list(t, c, &capsule.ResourcePoolList{}).Items {
				run(c.pool, &o)
			}
			for _, o := range list(t, c, &capsule.ResourcePoolClaimList{}).Items {
				run(c.claim, &o)
			}
		}
	}
}

func keyOf(namespace, name string) types.NamespacedName {
	return types.NamespacedName{Namespace: namespace, Name: name}
}

package webhooks

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/yaml"

	"github.com/kubemath/kubemath/examples/controller/rbac"
)

// newCertificates returns those of one of several replicas, at a time that is 0 at first.
func newCertificates(c client.Client, host string, at *time.Duration) *certificates {
	start := time.Now().Truncate(time.Second)
	return &certificates{
		client: c, reader: c, secret: types.NamespacedName{Namespace: "ns", Name: "s"}, name: host, lifetime: 36 * time.Hour,
		now: func() time.Time { return start.Add(*at) },
	}
}

// handshake reports whether a client that trusts the authorities of one replica accepts the certificate of another one.
func handshake(t *testing.T, from *certificates, authorities []byte, host string) error {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authorities) {
		t.Fatal("no authorities")
	}
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	go func() { _ = tls.Server(a, &tls.Config{GetCertificate: from.get}).Handshake() }()
	return tls.Client(b, &tls.Config{RootCAs: roots, ServerName: host, Time: from.now}).Handshake()
}

// Through three lifetimes, each replica always serves what the API server trusts, even if that has heard of nothing for a
// twelfth of a lifetime, and the other replica has not looked at the Secret either.
func TestRotation(t *testing.T) {
	c := fake.NewClientBuilder().WithScheme(newScheme(t)).Build()
	var at time.Duration
	const host = "kubemath-controller.kubemath-system.svc"
	one, other := newCertificates(c, host, &at), newCertificates(c, host, &at)
	var known [][]byte // what the API server trusted, every half hour
	serials, most := map[string]bool{}, 0
	for ; at < 3*36*time.Hour; at += 30 * time.Minute {
		late := one
		if int(at/time.Hour)%2 == 0 {
			late = other
		}
		if err := late.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if at == 0 {
			if err := one.sync(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		known = append(known, one.authorities())
		trusted := known[max(0, len(known)-3)]
		for _, replica := range []*certificates{one, other} {
			if err := handshake(t, replica, trusted, host); err != nil {
				t.Fatalf("after %v: %v", at, err)
			}
			served, err := replica.get(nil)
			if err != nil {
				t.Fatal(err)
			}
			serials[served.Leaf.SerialNumber.String()] = true
			if left := served.Leaf.NotAfter.Sub(one.now()); left < 6*time.Hour {
				t.Errorf("after %v, the certificate that is served expires in %v", at, left)
			}
			most = max(most, len(replica.all))
		}
	}
	if len(serials) != 5 || most != 2 {
		t.Errorf("%d certificates were served, and up to %d were kept; want 5, and 2", len(serials), most)
	}
}

// Certificates of another host, those that are damaged, and those that have expired while nobody was there are replaced at once.
func TestUselessCertificates(t *testing.T) {
	for what, spoil := range map[string]func(t *testing.T, c client.Client, at *time.Duration, secret *corev1.Secret){
		"of another host": func(t *testing.T, c client.Client, at *time.Duration, secret *corev1.Secret) {
			if err := c.Delete(t.Context(), secret); err != nil {
				t.Fatal(err)
			}
			if err := newCertificates(c, "127.0.0.1", at).sync(t.Context()); err != nil {
				t.Fatal(err)
			}
		},
		"damaged": func(t *testing.T, c client.Client, _ *time.Duration, secret *corev1.Secret) {
			for name := range secret.Data {
				secret.Data[name] = []byte("?")
			}
			if err := c.Update(t.Context(), secret); err != nil {
				t.Fatal(err)
			}
		},
		"expired": func(_ *testing.T, _ client.Client, at *time.Duration, _ *corev1.Secret) { *at = 40 * time.Hour },
	} {
		c := fake.NewClientBuilder().WithScheme(newScheme(t)).Build()
		var at time.Duration
		replica := newCertificates(c, "h.example", &at)
		if _, err := replica.get(nil); err == nil {
			t.Error("a certificate before there is one")
		}
		if err := replica.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		first := replica.authorities()
		secret := &corev1.Secret{}
		if err := c.Get(t.Context(), replica.secret, secret); err != nil {
			t.Fatal(err)
		}
		spoil(t, c, &at, secret)
		if err := replica.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := handshake(t, replica, replica.authorities(), "h.example"); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if string(replica.authorities()) == string(first) || len(replica.all) != 1 {
			t.Errorf("%s: not replaced", what)
		}
		if err := c.Get(t.Context(), replica.secret, secret); err != nil || len(secret.Data) != 2 {
			t.Errorf("%s: %d keys in the Secret, %v", what, len(secret.Data), err)
		}
	}
}

// Of replicas that start together, or see that it is time at the same moment, one is first, and the other one takes its certificate.
func TestReplicasAgree(t *testing.T) {
	var at time.Duration
	var first *certificates
	conflicts := 0
	stored := fake.NewClientBuilder().WithScheme(newScheme(t)).Build()
	overtaken := func(err error) error {
		conflicts++
		if first.sync(t.Context()) != nil {
			t.Error("the first replica fails")
		}
		return err
	}
	second := newCertificates(interceptor.NewClient(stored, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			return overtaken(apierrors.NewAlreadyExists(schema.GroupResource{}, o.GetName()))
		},
		Update: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.UpdateOption) error {
			return overtaken(apierrors.NewConflict(schema.GroupResource{}, o.GetName(), nil))
		},
	}), "h.example", &at)
	first = newCertificates(stored, "h.example", &at)
	for _, at = range []time.Duration{0, 30 * time.Hour} {
		if err := second.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if string(first.authorities()) != string(second.authorities()) {
			t.Errorf("after %v, the replicas have different certificates", at)
		}
	}
	if conflicts != 2 {
		t.Errorf("%d conflicts, want 2", conflicts)
	}
}

// The configurations point to the webhooks, whose certificate they trust.
func TestConfigurations(t *testing.T) {
	for _, test := range []struct {
		options Options
		address string // a regular expression of what comes before and after the path
		host    string
	}{
		{Options{Address: "127.0.0.1:0"}, `{url: https://127\.0\.0\.1:[1-9][0-9]*(/[a-z]+), caBundle: `, "127.0.0.1"},
		{Options{Address: ":9443", Service: "kubemath-controller", FailurePolicy: "Fail"}, `{service: {namespace: kubemath-system, name: kubemath-controller, path: (/[a-z]+)}, caBundle: `, "kubemath-controller.kubemath-system.svc"},
	} {
		endpoint, err := Listen(test.options)
		if err != nil {
			t.Fatal(err)
		}
		endpoint.certificates.client = fake.NewClientBuilder().WithScheme(newScheme(t)).Build()
		endpoint.certificates.reader = endpoint.certificates.client
		if err := endpoint.certificates.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		text := endpoint.configurations(endpoint.FailurePolicy)
		paths := regexp.MustCompile(test.address+`([A-Za-z0-9+/=]+)}`).FindAllStringSubmatch(text, -1)
		if len(paths) != 4 || strings.Contains(text, "$") {
			t.Fatal(text)
		}
		for _, path := range paths {
			if handlers(nil, newScheme(t))[path[1]] == nil {
				t.Errorf("nothing answers at %s", path[1])
			}
			authorities, err := base64.StdEncoding.DecodeString(path[2])
			if err != nil {
				t.Fatal(err)
			}
			if err := handshake(t, endpoint.certificates, authorities, test.host); err != nil {
				t.Error(err)
			}
		}
		// Nothing that has somebody else behind it, and nothing that changes claims, may hold up a write.
		fails := strings.Count(text, "failurePolicy: Fail")
		if ignores := strings.Count(text, "failurePolicy: Ignore"); fails+ignores != 4 || fails != map[admissionregistrationv1.FailurePolicyType]int{"": 0, "Fail": 2}[test.options.FailurePolicy] {
			t.Errorf("%d webhooks fail, and %d are ignored", fails, ignores)
		}
	}
}

// Pods of the system, and those that answer for the webhook, do not wait for it. Those of other namespaces do.
func TestNamespacesOfTheWebhookForPods(t *testing.T) {
	var configuration admissionregistrationv1.MutatingWebhookConfiguration
	text, _, _ := strings.Cut(strings.ReplaceAll(template, "$CLIENT_CONFIG/pods", "{url: https://127.0.0.1/pods}"), "\n---\n")
	if err := yaml.UnmarshalStrict([]byte(text), &configuration); err != nil {
		t.Fatal(err)
	}
	if len(configuration.Webhooks) != 1 || configuration.Webhooks[0].Name != "pods.kubemath.example" {
		t.Fatalf("%+v", configuration)
	}
	selector, err := metav1.LabelSelectorAsSelector(configuration.Webhooks[0].NamespaceSelector)
	if err != nil {
		t.Fatal(err)
	}
	for namespace, want := range map[string]bool{"kube-system": false, rbac.Namespace: false, "default": true, "team": true} {
		if got := selector.Matches(labels.Set{corev1.LabelMetadataName: namespace}); got != want {
			t.Errorf("pods of %s: %v, want %v", namespace, got, want)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []Options{
		{Address: "nowhere"}, {Address: "127.0.0.1:http"}, {Address: ":9443"}, {Address: "localhost:9443"},
		{Address: "127.0.0.1:0", FailurePolicy: "Perhaps"}, {Address: "127.0.0.1:0", Lifetime: time.Second}, {Address: "127.0.0.1:0", Lifetime: -time.Hour},
	} {
		if e, err := Listen(o); err == nil {
			t.Errorf("%+v: %+v", o, e)
		}
	}
	const want = `address "localhost:9443": without a Service, an IP address is needed`
	if _, err := Listen(Options{Address: "localhost:9443"}); fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	if e, err := Listen(Options{Address: ":0", Service: "s"}); err != nil || e.port == 0 {
		t.Error(fmt.Sprint(e, err))
	}
	if e, err := Listen(Options{Address: "127.0.0.1:0"}); err != nil || e.port == 0 || e.FailurePolicy != "Ignore" || e.Lifetime != 90*24*time.Hour {
		t.Error(fmt.Sprint(e, err))
	}
}

// The Secret is looked at often enough for short lifetimes, but no more than ten times a second.
func TestInterval(t *testing.T) {
	for lifetime, want := range map[time.Duration]time.Duration{
		90 * 24 * time.Hour: time.Minute, 24 * time.Minute: 30 * time.Second, 48 * time.Second: time.Second, time.Second: 100 * time.Millisecond,
	} {
		if got := (&certificates{lifetime: lifetime}).interval(); got != want {
			t.Errorf("%v: %v, want %v", lifetime, got, want)
		}
	}
}

// A certificate is its own authority.
func TestSelfSigned(t *testing.T) {
	now := time.Unix(1e9, 0)
	for host, want := range map[string]string{"127.0.0.1": "[] [127.0.0.1]", "h.example": "[h.example] []"} {
		c, _, _, err := selfSigned(host, now, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(c.Leaf.DNSNames, c.Leaf.IPAddresses); got != want || !c.Leaf.IsCA || !c.Leaf.BasicConstraintsValid {
			t.Errorf("%s: %s, an authority: %t", host, got, c.Leaf.IsCA)
		}
		if !c.Leaf.NotBefore.Equal(now.Add(-time.Hour)) || !c.Leaf.NotAfter.Equal(now.Add(time.Hour)) {
			t.Errorf("valid from %v to %v", c.Leaf.NotBefore, c.Leaf.NotAfter)
		}
	}
}

// A replica looks at the Secret until it ends, and logs that it could not. Each replica does.
func TestStart(t *testing.T) {
	for _, fails := range []bool{false, true} {
		reads := make(chan bool, 100)
		c := interceptor.NewClient(fake.NewClientBuilder().WithScheme(newScheme(t)).Build(), interceptor.Funcs{
			Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
				reads <- true
				if fails {
					return errors.New("no answer")
				}
				return c.Get(ctx, key, object, opts...)
			},
		})
		var at time.Duration
		replica := newCertificates(c, "h.example", &at)
		replica.lifetime = time.Second
		if replica.NeedLeaderElection() {
			t.Error("only the leader has certificates")
		}
		var logged []string
		ctx, cancel := context.WithCancel(ctrllog.IntoContext(t.Context(), funcr.New(func(_, text string) { logged = append(logged, text) }, funcr.Options{})))
		ended := make(chan error)
		go func() { ended <- replica.Start(ctx) }()
		<-reads
		<-reads
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if (len(logged) > 0) != fails || fails && !strings.Contains(logged[0], `"certificates of the webhooks"`) {
			t.Errorf("fails: %t, logged %q", fails, logged)
		}
	}
}

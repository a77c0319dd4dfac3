package webhooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/kubemath/kubemath/examples/controller/manifests"
)

// announced is what the API server knows of the webhook for claims.
func announced(t *testing.T, c client.Client) (*admissionregistrationv1.ValidatingWebhook, bool) {
	t.Helper()
	configuration := &admissionregistrationv1.ValidatingWebhookConfiguration{}
	if err := client.IgnoreNotFound(c.Get(t.Context(), types.NamespacedName{Name: "kubemath-pools"}, configuration)); err != nil {
		t.Fatal(err)
	}
	for i, w := range configuration.Webhooks {
		if w.Name == "claims.kubemath.example" {
			return &configuration.Webhooks[i], true
		}
	}
	return nil, false
}

func wantAnnounced(t *testing.T, c client.Client, e *Endpoint, policy admissionregistrationv1.FailurePolicyType) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		w, known := announced(t, c)
		if known && *w.FailurePolicy == policy && bytes.Equal(w.ClientConfig.CABundle, e.certificates.authorities()) {
			return
		}
		if time.Since(start) > 20*time.Second {
			t.Fatalf("%+v, want %s", w, policy)
		}
	}
}

// The leader tells the API server about the webhooks and each new certificate. When it ends, nothing has to be answered any more.
func TestAnnouncer(t *testing.T) {
	for _, policy := range []admissionregistrationv1.FailurePolicyType{admissionregistrationv1.Ignore, admissionregistrationv1.Fail} {
		c := fake.NewClientBuilder().WithScheme(newScheme(t)).Build()
		e, err := Listen(Options{Address: ":9443", Service: "s", FailurePolicy: policy, Lifetime: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		e.certificates.client, e.certificates.reader = c, c
		if err := e.certificates.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- (&announcer{client: c, endpoint: e}).Start(ctx) }()
		wantAnnounced(t, c, e, policy)
		e.certificates.mu.Lock()
		now := e.certificates.now()
		e.certificates.now = func() time.Time { return now.Add(45 * time.Second) }
		e.certificates.mu.Unlock()
		if err := e.certificates.sync(t.Context()); err != nil || len(e.certificates.all) != 2 {
			t.Fatalf("%v, %d certificates", err, len(e.certificates.all))
		}
		wantAnnounced(t, c, e, policy)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		wantAnnounced(t, c, e, admissionregistrationv1.Ignore)
	}
}

// Webhooks of the same names that something else has installed are left alone, and end the controller.
func TestForeignConfigurations(t *testing.T) {
	theirs := &admissionregistrationv1.ValidatingWebhookConfiguration{}
	theirs.Name = "kubemath-pools"
	c := fake.NewClientBuilder().WithScheme(newScheme(t)).WithObjects(theirs).Build()
	e, err := Listen(Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	err = (&announcer{client: c, endpoint: e}).Start(t.Context())
	if want := "not installed by this controller, and left alone: ValidatingWebhookConfiguration kubemath-pools"; !errors.Is(err, manifests.ErrForeign) || fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
	if w, known := announced(t, c); known {
		t.Errorf("%+v", w)
	}
}

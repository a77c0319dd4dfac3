package webhooks

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// aManager is what an endpoint needs of one.
type aManager struct {
	manager.Manager
	client client.Client
	server webhook.Server
	added  []string
}

func (m *aManager) GetClient() client.Client         { return m.client }
func (m *aManager) GetAPIReader() client.Reader      { return m.client }
func (m *aManager) GetScheme() *runtime.Scheme       { return m.client.Scheme() }
func (m *aManager) GetWebhookServer() webhook.Server { return m.server }
func (m *aManager) Add(r manager.Runnable) error {
	m.added = append(m.added, fmt.Sprintf("%T %t", r, r.(manager.LeaderElectionRunnable).NeedLeaderElection()))
	return nil
}

// The server of an endpoint listens where its options say. There are certificates before it starts, or it does not.
func TestSetup(t *testing.T) {
	stored := fake.NewClientBuilder().WithScheme(newScheme(t)).Build()
	broken := errors.New("no answer")
	fails := interceptor.NewClient(stored, interceptor.Funcs{
		Get: func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
			return broken
		},
	})
	for _, test := range []struct {
		client client.Client
		err    error
		added  string
	}{
		{fails, broken, "[]"},
		{stored, nil, "[*webhooks.certificates false *webhooks.announcer true]"},
	} {
		e, err := Listen(Options{Address: "127.0.0.1:9443"})
		if err != nil {
			t.Fatal(err)
		}
		server, is := e.Server().(*webhook.DefaultServer)
		if !is || server.Options.Host != "127.0.0.1" || server.Options.Port != 9443 {
			t.Errorf("%+v", server)
		}
		m := &aManager{client: test.client, server: server}
		if err := e.Setup(t.Context(), m); !errors.Is(err, test.err) || fmt.Sprint(m.added) != test.added {
			t.Errorf("%v, added %v, want %v, %s", err, m.added, test.err, test.added)
		}
		if _, err := e.certificates.get(nil); (err == nil) != (test.err == nil) {
			t.Errorf("certificates: %v", err)
		}
	}
}

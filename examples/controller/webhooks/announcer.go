package webhooks

import (
	"context"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/kubemath/kubemath/examples/controller/manifests"
)

//go:embed configurations.yaml
var template string

var clientConfig = regexp.MustCompile(`\$CLIENT_CONFIG(/[a-z]+)`)

// configurations returns the manifests that tell the API server about the webhooks.
func (e *Endpoint) configurations(policy admissionregistrationv1.FailurePolicyType) string {
	authorities := base64.StdEncoding.EncodeToString(e.certificates.authorities())
	text := clientConfig.ReplaceAllStringFunc(template, func(found string) string {
		path := clientConfig.FindStringSubmatch(found)[1]
		if e.Service != "" {
			return fmt.Sprintf("{service: {namespace: %s, name: %s, path: %s}, caBundle: %s}", e.certificates.secret.Namespace, e.Service, path, authorities)
		}
		return fmt.Sprintf("{url: https://%s:%d%s, caBundle: %s}", e.host, e.port, path, authorities)
	})
	return strings.ReplaceAll(text, "$FAILURE_POLICY", string(policy))
}

// again is how often the leader looks at the configurations, even if nothing has changed.
const again = 30 * time.Second

// announcer tells the API server about the webhooks while this process is the leader. If nothing may be stored without an answer,
// that ends with the leader, unless it is killed: the next one, if there is any, demands it again.
type announcer struct {
	client   client.Client
	endpoint *Endpoint
}

// NeedLeaderElection is true: the configurations have one writer.
func (*announcer) NeedLeaderElection() bool { return true }

// Start keeps the configurations until the context ends. It fails if they are those of somebody else.
func (a *announcer) Start(ctx context.Context) error {
	defer a.relent(ctx)
	var last string
	var at time.Time
	for {
		if text := a.endpoint.configurations(a.endpoint.FailurePolicy); text != last || time.Since(at) > again {
			err := manifests.ApplyOwned(ctx, a.client, text)
			switch {
			case errors.Is(err, manifests.ErrForeign):
				return err
			case err == nil:
				last, at = text, time.Now()
			case ctx.Err() == nil:
				ctrllog.FromContext(ctx).Error(err, "configurations of the webhooks")
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(min(a.endpoint.certificates.interval(), time.Second)):
		}
	}
}

// relent lets everything be stored without an answer, because there may be nobody left who answers.
func (a *announcer) relent(ctx context.Context) {
	if a.endpoint.FailurePolicy == admissionregistrationv1.Ignore {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := manifests.ApplyOwned(ctx, a.client, a.endpoint.configurations(admissionregistrationv1.Ignore)); err != nil {
		ctrllog.FromContext(ctx).Error(err, "configurations of the webhooks")
	}
}

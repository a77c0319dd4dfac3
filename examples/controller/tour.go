package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/pool"
)

//go:embed samples/pool.yaml
var samplePool string

//go:embed samples/claims.yaml
var sampleClaims string

//go:embed samples/pod.yaml
var samplePod []byte

// tour applies the samples, and prints what becomes of them: claims and quotas; the same
// after a release; and what the server says to a pod that is over the limits.
func tour(ctx context.Context, c client.Client, out io.Writer) error {
	if err := manifests.Apply(ctx, c, samplePool); err != nil {
		return err
	}
	// Claims that come before the controller knows pool and namespaces have their turns in
	// the order in which it learns of them.
	if err := waitForPool(ctx, c, "sampler", 2); err != nil {
		return err
	}
	if err := manifests.Apply(ctx, c, sampleClaims); err != nil {
		return err
	}
	fmt.Fprint(out, "Three claims on a pool of 2Gi:\n\n")
	if err := printWhen(ctx, c, out, "Bound PoolExhausted Bound"); err != nil {
		return err
	}
	if err := askRelease(ctx, c, "solar-prod", "base"); err != nil {
		return err
	}
	fmt.Fprint(out, "\nAfter the release of solar-prod/base:\n\n")
	if err := printWhen(ctx, c, out, "PoolExhausted Bound Bound"); err != nil {
		return err
	}
	fmt.Fprint(out, "\nA pod in solar-test:\n\n")
	refusal, err := refused(ctx, c)
	if err == nil {
		fmt.Fprintln(out, refusal)
	}
	return err
}

// waitForPool waits until a pool is open for some namespaces.
func waitForPool(ctx context.Context, c client.Client, name string, namespaces int) error {
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		p := &pool.ResourcePool{}
		err := c.Get(ctx, types.NamespacedName{Name: name}, p)
		return p.Status.NamespaceCount == namespaces, err
	})
}

// askRelease does what kubectl annotate does.
func askRelease(ctx context.Context, c client.Client, namespace, name string) error {
	claim := &pool.ResourcePoolClaim{}
	claim.Namespace, claim.Name = namespace, name
	text := fmt.Appendf(nil, `{"metadata":{"annotations":{%q:"true"}}}`, pool.ReleaseAnnotation)
	return c.Patch(ctx, claim, client.RawPatch(types.MergePatchType, text))
}

// printWhen waits until the claims, by name, have these reasons and nothing has changed for
// a second, and prints claims and quotas.
func printWhen(ctx context.Context, c client.Client, out io.Writer, reasons string) error {
	var last string
	err := wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		var claims capsule.ResourcePoolClaimList
		var quotas corev1.ResourceQuotaList
		if err := errors.Join(c.List(ctx, &claims), c.List(ctx, &quotas)); err != nil {
			return false, err
		}
		text := render(claims.Items, quotas.Items)
		if reasonsOf(claims.Items) != reasons || text != last {
			last = text
			return false, nil
		}
		_, err := io.WriteString(out, text)
		return true, err
	})
	if wait.Interrupted(err) {
		return fmt.Errorf("the claims are not %s: %w\n%s", reasons, err, last)
	}
	return err
}

func reasonsOf(claims []pool.ResourcePoolClaim) string {
	slices.SortFunc(claims, func(a, b pool.ResourcePoolClaim) int { return strings.Compare(a.Name, b.Name) })
	var reasons []string
	for _, claim := range claims {
		reasons = append(reasons, strings.Replace(claim.Status.Condition.Reason, "Succeeded", "Bound", 1))
	}
	return strings.Join(reasons, " ")
}

func render(claims []pool.ResourcePoolClaim, quotas []corev1.ResourceQuota) string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "NAMESPACE\tCLAIM\tPOOL\tREASON\tMESSAGE")
	for _, claim := range claims {
		condition := claim.Status.Condition
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", claim.Namespace, claim.Name, claim.Status.Pool.Name, condition.Reason, condition.Message)
	}
	table.Flush()
	fmt.Fprint(table, "\nNAMESPACE\tQUOTA\tREQUESTS.MEMORY\n")
	for _, quota := range quotas {
		amount := quota.Spec.Hard[corev1.ResourceRequestsMemory]
		fmt.Fprintf(table, "%s\t%s\t%s\n", quota.Namespace, quota.Name, amount.String())
	}
	table.Flush()
	return text.String()
}

// refused returns why the server does not take the sample pod. It only asks.
func refused(ctx context.Context, c client.Client) (string, error) {
	pod := &corev1.Pod{}
	if err := yaml.UnmarshalStrict(samplePod, pod); err != nil {
		return "", err
	}
	var refusal error
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		refusal = c.Create(ctx, pod.DeepCopy(), client.DryRunAll)
		// Until server and webhook have heard of the LimitRange.
		return refusal != nil && strings.HasPrefix(refusal.Error(), "admission webhook"), nil
	})
	if err != nil {
		return "", errors.Join(err, refusal)
	}
	return refusal.Error(), nil
}

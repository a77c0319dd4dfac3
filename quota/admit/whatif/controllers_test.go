package whatif_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func TestDeployment(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "2"), node("b", "2"))
	created := wantStory(t, c.Apply(deployment("web", 3, "1")), `
		Deployment web created 3/3/3
		  web-1-1 >a
		  web-1-2 >b
		  web-1-3 >a
		`)
	// One pod more than the replicas may be there, and none may be missing.
	wantStory(t, created.After.Apply(deployment("web", 3, "900m")), `
		Deployment web updated 3/3/3
		  web-2-1 >b
		  web-1-3 a>
		  web-2-2 >a
		  web-1-1 a>
		  web-2-3 >a
		  web-1-2 b>
		`)
	wantStory(t, created.After.Apply(deployment("web", 1, "1")), `
		Deployment web updated 1/1/1
		  web-1-3 a>
		  web-1-2 b>
		`)
	wantStory(t, created.After.Apply(deployment("web", 3, "1")), `
		Deployment web unchanged 3/3/3
		`)
}

func TestRolloutGetsStuck(t *testing.T) {
	full := read(t, whatif.Options{}, node("a", "4")).Apply(deployment("web", 4, "1")).After
	larger := deployment("web", 4, "2")
	r := wantStory(t, full.Apply(larger), `
		Deployment web updated 4/2/1 outdated 3
		  web-2-1: 0/1 nodes are available: 1 Insufficient cpu.
		  web-1-4 a>
		  web-2-2: 0/1 nodes are available: 1 Insufficient cpu.
		`)
	_ = r
	larger.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType
	wantStory(t, full.Apply(larger), ``)
}

func TestStatefulSet(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "2"), resourceQuota("q", "persistentvolumeclaims", "3", "pods", "9"))
	created := wantStory(t, c.Apply(statefulSet("db", 2, "1", "data", "log")), ``)
	_ = created
}

var _ = batchv1.Job{}
var _ = corev1.Pod{}
var _ = metav1.ObjectMeta{}
var _ = intstr.FromInt32
var _ = testkit.List

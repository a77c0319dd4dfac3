package tekton

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/tektoncd/pipeline/pkg/apis/pipeline"
	tekton "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	_ "github.com/tektoncd/pipeline/pkg/pipelinerunmetrics/fake" // which its reconciler needs
	"github.com/tektoncd/pipeline/pkg/reconciler/pipelinerun"
	"github.com/tektoncd/pipeline/pkg/reconciler/taskrun"
	fakes "github.com/tektoncd/pipeline/pkg/reconciler/testing"
	_ "github.com/tektoncd/pipeline/pkg/taskrunmetrics/fake"
	"github.com/tektoncd/pipeline/test"
	"go.uber.org/zap"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/version"
	discovery "k8s.io/client-go/discovery/fake"
	clients "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/record"
	quotacore "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/utils/clock"
	"knative.dev/pkg/apis"
	configmaps "knative.dev/pkg/configmap/informer"
	"knative.dev/pkg/controller"
	"knative.dev/pkg/logging"
	"knative.dev/pkg/reconciler"
	"knative.dev/pkg/system"
	_ "knative.dev/pkg/system/testing" // the namespace of Tekton

	"github.com/kubemath/kubemath/internal/testkit"
)

// cluster is Tekton's reconcilers with their own fake clients, and what the API server, the controller of StatefulSets,
// the scheduler and the kubelet do for the pods of a run.
type cluster struct {
	ctx context.Context
	test.Clients
	informers  test.Informers
	runs       *controller.Impl
	taskRuns   *controller.Impl
	namespaces map[string]*space
	lastError  error
}

// space is a namespace with LimitRanges and a quota.
type space struct {
	ranges   []*corev1.LimitRange
	hard     corev1.ResourceList
	taskRuns []string               // in the order in which they were created
	stored   map[string]*corev1.Pod // that have not ended
	refusal  string                 // of the last placeholder that was refused
}

// newCluster starts reconcilers with a flag and requirements of containers.
func newCluster(t *testing.T, coschedule, requirements string) (c *cluster, stop func()) {
	ctx, _ := fakes.SetupFakeContext(t)
	ctx, stop = context.WithCancel(logging.WithLogger(ctx, zap.NewNop().Sugar()))
	controller.GetEventRecorder(ctx).(*record.FakeRecorder).Events = nil // or it waits for somebody to read them
	config := func(name string, data map[string]string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: system.Namespace()}, Data: data}
	}
	data := test.Data{ConfigMaps: []*corev1.ConfigMap{
		config("feature-flags", map[string]string{"coschedule": coschedule}),
		config("config-defaults", map[string]string{"default-container-resource-requirements": requirements}),
	}}
	test.EnsureConfigurationConfigMapsExist(&data)
	c = &cluster{ctx: ctx, namespaces: map[string]*space{}}
	c.Clients, c.informers = test.SeedTestData(t, ctx, data)
	c.Kube.Discovery().(*discovery.FakeDiscovery).FakedServerVersion = &version.Info{Major: "1", Minor: "36"}
	c.Kube.PrependReactor("create", "pods", c.admit)
	c.Pipeline.PrependReactor("create", "taskruns", c.order)
	watcher := configmaps.NewInformedWatcher(c.Kube, system.Namespace())
	options := &pipeline.Options{Images: images}
	c.runs = pipelinerun.NewController(options, clock.RealClock{})(ctx, watcher)
	c.taskRuns = taskrun.NewController(options, clock.RealClock{})(ctx, watcher)
	for _, impl := range []*controller.Impl{c.runs, c.taskRuns} {
		testkit.OK(t, impl.Reconciler.(reconciler.LeaderAware).Promote(reconciler.UniversalBucket(), func(reconciler.Bucket, types.NamespacedName) {}))
	}
	testkit.OK(t, watcher.Start(ctx.Done()))
	return c, stop
}

// order remembers the order of TaskRuns, and gives them a UID.
func (c *cluster) order(action clients.Action) (bool, runtime.Object, error) {
	tr := action.(clients.CreateAction).GetObject().(*tekton.TaskRun)
	tr.UID = types.UID(tr.Namespace + "-" + tr.Name)
	s := c.namespaces[tr.Namespace]
	s.taskRuns = append(s.taskRuns, tr.Name)
	return false, nil, nil
}

// admit is the API server: it refuses pods, or counts them.
func (c *cluster) admit(action clients.Action) (bool, runtime.Object, error) {
	pod := action.(clients.CreateAction).GetObject().(*corev1.Pod)
	if err := c.namespaces[pod.Namespace].admit(pod); err != nil {
		return true, nil, err
	}
	return false, nil, nil
}

func (s *space) admit(pod *corev1.Pod) error {
	q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: "quota"}, Spec: corev1.ResourceQuotaSpec{Hard: s.hard}}
	q.Status.Hard, q.Status.Used = s.hard, corev1.ResourceList{}
	for name := range s.hard {
		used := q.Status.Used[name]
		for _, other := range s.stored {
			usage, err := quotacore.NewPodEvaluator(nil, clock.RealClock{}).Usage(other)
			if err != nil {
				return err
			}
			used.Add(usage[name])
		}
		q.Status.Used[name] = used
	}
	admitted, err := Run{Ranges: s.ranges, Quotas: []*corev1.ResourceQuota{q}}.Admit(pod)
	if err != nil {
		return err
	}
	if admitted.Err == nil {
		s.stored[pod.Name] = admitted.Stored
	}
	return admitted.Err
}

// start creates a run in a namespace of its own.
func (c *cluster) start(pr *tekton.PipelineRun, s *space) error {
	c.namespaces[pr.Namespace] = s
	s.stored = map[string]*corev1.Pod{}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: pr.Namespace}}
	if _, err := c.Kube.CoreV1().ServiceAccounts(pr.Namespace).Create(c.ctx, account, metav1.CreateOptions{}); err != nil {
		return err
	}
	for _, lr := range s.ranges {
		own := lr.DeepCopy()
		own.Namespace = pr.Namespace
		if err := c.informers.LimitRange.Informer().GetIndexer().Add(own); err != nil {
			return err
		}
	}
	_, err := c.Pipeline.TektonV1().PipelineRuns(pr.Namespace).Create(c.ctx, pr, metav1.CreateOptions{})
	return err
}

// settle lets everybody work until nothing changes: pods are created in the order of their TaskRuns, and the run is looked at
// when these have tried all that they can, retries included.
func (c *cluster) settle(namespace string) error {
	was := ""
	for i := range 100 {
		if i%4 == 0 { // nobody retries more than twice
			c.reconcile(c.runs, namespace, "run")
		}
		if err := c.placeholders(namespace); err != nil {
			return err
		}
		for _, name := range c.namespaces[namespace].taskRuns {
			c.reconcile(c.taskRuns, namespace, name)
		}
		is, err := c.digest(namespace)
		if err != nil || i%4 == 3 && is == was {
			return err
		}
		if i%4 == 3 {
			was = is
		}
	}
	return fmt.Errorf("%s does not settle: %s", namespace, was)
}

// reconcile reconciles an object. Errors are in its status; that it is to be reconciled again is one as well.
func (c *cluster) reconcile(impl *controller.Impl, namespace, name string) {
	if err := impl.Reconciler.Reconcile(c.ctx, namespace+"/"+name); err != nil {
		c.lastError = err
	}
}

// digest writes what may change.
func (c *cluster) digest(namespace string) (string, error) {
	run, err := c.run(namespace)
	if err != nil {
		return "", err
	}
	s := c.namespaces[namespace]
	condition := run.Status.GetCondition(apis.ConditionSucceeded)
	text := fmt.Sprint(condition.GetReason(), " ", condition.GetMessage(), ", ", len(s.stored), " pods ", s.refusal)
	for _, name := range s.taskRuns {
		tr, err := c.informers.TaskRun.Lister().TaskRuns(namespace).Get(name)
		if err != nil {
			return "", err
		}
		condition := tr.Status.GetCondition(apis.ConditionSucceeded)
		text += fmt.Sprintf("\n  %s %s %s, %d retries, pod %s", name, condition.GetReason(), condition.GetMessage(), len(tr.Status.RetriesStatus), tr.Status.PodName)
	}
	return text, nil
}

func (c *cluster) run(namespace string) (*tekton.PipelineRun, error) {
	return c.informers.PipelineRun.Lister().PipelineRuns(namespace).Get("run")
}

// placeholders creates the pods of StatefulSets.
func (c *cluster) placeholders(namespace string) error {
	sets, err := c.Kube.AppsV1().StatefulSets(namespace).List(c.ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	s := c.namespaces[namespace]
	for _, set := range sets.Items {
		if s.stored[set.Name+"-0"] != nil {
			continue
		}
		if err := s.admit(podOf(&set)); err != nil {
			s.refusal = err.Error() // it is tried again
		}
	}
	return nil
}

// podOf returns the pod of a StatefulSet, with the volumes of its claims.
func podOf(set *appsv1.StatefulSet) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: set.Name + "-0", Namespace: set.Namespace, Labels: set.Spec.Template.Labels}}
	set.Spec.Template.Spec.DeepCopyInto(&pod.Spec)
	for _, claim := range set.Spec.VolumeClaimTemplates {
		source := &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name + "-" + pod.Name}
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: claim.Name, VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: source}})
	}
	return pod
}

// running returns the pods of tasks that have a node: beside the placeholder that their affinity asks for, if any.
func (s *space) running() (all []*corev1.Pod) {
	for _, pod := range s.stored {
		if pod.Labels["tekton.dev/pipelineTask"] != "" && s.hasNode(pod) {
			all = append(all, pod)
		}
	}
	return all
}

func (s *space) hasNode(pod *corev1.Pod) bool {
	if pod.Spec.Affinity == nil || pod.Spec.Affinity.PodAffinity == nil {
		return true
	}
	for _, term := range pod.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
		selector, err := metav1.LabelSelectorAsSelector(term.LabelSelector)
		found := false
		for _, other := range s.stored {
			found = found || err == nil && other != pod && selector.Matches(labels.Set(other.Labels))
		}
		if !found {
			return false
		}
	}
	return true
}

// end ends pods successfully, with the result of their task.
func (c *cluster) end(pods []*corev1.Pod) error {
	for _, pod := range pods {
		ended, err := c.Kube.CoreV1().Pods(pod.Namespace).Get(c.ctx, pod.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		ended = ended.DeepCopy()
		ended.Status.Phase = corev1.PodSucceeded
		for _, container := range ended.Spec.Containers {
			terminated := &corev1.ContainerStateTerminated{Message: `[{"key":"r","value":"v","type":1}]`}
			ended.Status.ContainerStatuses = append(ended.Status.ContainerStatuses, corev1.ContainerStatus{Name: container.Name, State: corev1.ContainerState{Terminated: terminated}})
		}
		if _, err := c.Kube.CoreV1().Pods(pod.Namespace).Update(c.ctx, ended, metav1.UpdateOptions{}); err != nil {
			return err
		}
		delete(c.namespaces[pod.Namespace].stored, pod.Name)
	}
	return nil
}

// tasksOf returns the tasks of pods, sorted.
func tasksOf(pods []*corev1.Pod) (tasks []string) {
	for _, pod := range pods {
		tasks = append(tasks, pod.Labels["tekton.dev/pipelineTask"])
	}
	slices.Sort(tasks)
	return tasks
}

package schedulerlibrary

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	backend "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	library "sigs.k8s.io/scheduler-library/pkg/framework"
	"sigs.k8s.io/scheduler-library/pkg/state"
	"sigs.k8s.io/scheduler-library/pkg/upstreamsync"
	"sigs.k8s.io/scheduler-library/pkg/upstreamsync/snapshot"
)

// Scheduler is the default profile as the library sets it up, over a snapshot that its state of a cluster updates.
//
// SchedulingSimulator of the library does the same for a client of an API server.
type Scheduler struct {
	profiles  *upstreamsync.ProfileMap
	informers informers.SharedInformerFactory
	snapshot  *backend.Snapshot
	state     *state.ClusterState
}

// New returns a scheduler of an empty cluster.
func New(ctx context.Context) (*Scheduler, error) {
	// Without a configuration, the library fails: it asks a scheme that does not know the one of the scheduler.
	configuration, err := latest.Default()
	if err != nil {
		return nil, err
	}
	client := fake.NewClientset()
	s := &Scheduler{informers: informers.NewSharedInformerFactory(client, 0), snapshot: backend.NewEmptySnapshot()}
	s.profiles, err = library.NewProfileMap(ctx, client, s.informers, s.snapshot, configuration)
	if err != nil {
		return nil, err
	}
	s.state = state.New(backend.New(ctx, nil, false), s.profiles, s.snapshot)
	return s, nil
}

// Stores are what the plugins look up beside nodes and pods.
func (s *Scheduler) Stores() (namespaces, services, replicaSets cache.Store) {
	return s.informers.Core().V1().Namespaces().Informer().GetStore(), s.informers.Core().V1().Services().Informer().GetStore(),
		s.informers.Apps().V1().ReplicaSets().Informer().GetStore()
}

// Load adds nodes and pods to the cluster, and returns its snapshot and a placement of all of its nodes. Remove undoes it.
func (s *Scheduler) Load(nodes []*corev1.Node, pods []*corev1.Pod) (*snapshot.ClusterSnapshot, *fwk.Placement, error) {
	logger := klog.Background()
	names := make([]string, len(nodes))
	for i, node := range nodes {
		s.state.Cache.AddNode(logger, node)
		names[i] = node.Name
	}
	for _, pod := range pods {
		if err := s.state.Cache.AddPod(logger, pod); err != nil {
			return nil, nil, err
		}
	}
	taken, err := s.state.Snapshot(logger)
	if err != nil {
		return nil, nil, err
	}
	placement, err := taken.MakePlacement(names)
	return taken, placement, err
}

// Remove removes nodes and pods from the cluster.
func (s *Scheduler) Remove(nodes []*corev1.Node, pods []*corev1.Pod) error {
	logger := klog.Background()
	for _, pod := range pods {
		if err := s.state.Cache.RemovePod(logger, pod); err != nil {
			return err
		}
	}
	for _, node := range nodes {
		if err := s.state.Cache.RemoveNode(logger, node); err != nil {
			return err
		}
	}
	return nil
}

// Place returns the node that the library's copy of the scheduling cycle chooses among all nodes, empty if there is none,
// and then the message. SchedulePods of a snapshot runs the same cycle, but it looks for one node and no better ones.
func (s *Scheduler) Place(ctx context.Context, pod *corev1.Pod) (node, message string, err error) {
	profile, err := s.profiles.FrameworkForPod(pod)
	if err != nil {
		return "", "", err
	}
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return "", "", err
	}
	pending := &upstreamsync.PendingPod{PodInfo: info, CycleState: framework.NewCycleState()}
	cycle := upstreamsync.NewScheduler(s.snapshot, 0, 0, int32(s.snapshot.NumNodesInPlacement()))
	result, undo := cycle.SchedulePod(ctx, profile, pending)
	if undo == nil {
		return "", result.Status.AsError().Error(), nil
	}
	undo()
	return result.ScheduleResult.SuggestedHost, "", nil
}

// Scores returns the weighted sum of the scores of all plugins for the nodes that a pod fits on.
func (s *Scheduler) Scores(ctx context.Context, pod *corev1.Pod, feasible []string) (map[string]int64, error) {
	profile, err := s.profiles.FrameworkForPod(pod)
	if err != nil {
		return nil, err
	}
	nodes := make([]fwk.NodeInfo, len(feasible))
	for i, name := range feasible {
		if nodes[i], err = s.snapshot.NodeInfos().Get(name); err != nil {
			return nil, err
		}
	}
	cycle := framework.NewCycleState()
	if _, status, _ := profile.RunPreFilterPlugins(ctx, cycle, pod); !status.IsSuccess() {
		return nil, status.AsError()
	}
	if status := profile.RunPreScorePlugins(ctx, cycle, pod, nodes); !status.IsSuccess() {
		return nil, status.AsError()
	}
	scored, status := profile.RunScorePlugins(ctx, cycle, pod, nodes)
	if !status.IsSuccess() {
		return nil, status.AsError()
	}
	scores := map[string]int64{}
	for _, node := range scored {
		scores[node.Name] = node.TotalScore
	}
	return scores, nil
}

// Best returns the nodes with the highest score, sorted.
func Best(scores map[string]int64) (names []string) {
	highest := slices.Max(slices.Collect(maps.Values(scores)))
	for name, score := range scores {
		if score == highest {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

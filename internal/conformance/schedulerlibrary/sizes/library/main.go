// Library asks scheduler-library which nodes a pod fits on.
package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"sigs.k8s.io/scheduler-library/pkg/simulator"
)

func main() {
	feasible, err := feasible(context.Background())
	fmt.Println(feasible, err)
}

func feasible(ctx context.Context) ([]string, error) {
	client, err := simulator.NewReadonlyClient(&rest.Config{})
	if err != nil {
		return nil, err
	}
	configuration, err := latest.Default()
	if err != nil {
		return nil, err
	}
	simulator, err := simulator.NewSchedulingSimulator(ctx, configuration, client, nil)
	if err != nil {
		return nil, err
	}
	snapshot, err := simulator.NewClusterSnapshot(ctx, nil, []*corev1.Node{{}})
	if err != nil {
		return nil, err
	}
	placement, err := snapshot.MakePlacement([]string{""})
	if err != nil {
		return nil, err
	}
	names, _, err := snapshot.CanSchedulePod(ctx, &corev1.Pod{}, placement)
	return names, err
}

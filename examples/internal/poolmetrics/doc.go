// Package poolmetrics computes the values of Capsule's metrics of pools and claims. It returns plain
// values and depends on no metrics library, so that a controller can register them and a command can
// print them.
//
//	for _, m := range poolmetrics.Collect(pools, claims, pool.Options{}) {
//		fmt.Println(m.Name, len(m.Samples))
//	}
//
// [Collect] reads the statuses of the objects: see [pool.Allocation.Apply]. Its options select the
// version of Capsule whose metrics it returns.
//
// Results are sorted. Values are the floats nearest to the amounts and percentages, at any magnitude.
//
// Sources: Capsule's "Resource Pools", section "Metrics", and the recorders of pools and claims in its main branch
// at 65a4e19. Capsule's recorders round up to milli-units, and divide by a limit of zero.
package poolmetrics

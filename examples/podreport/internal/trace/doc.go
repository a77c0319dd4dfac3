// Package trace says where a number of a report comes from, in the order in which it is
// computed: what containers state, and what is filled in (stated.go); what one pod comes to,
// and all of them (pod.go); what quotas charge, what a node has room for, and what its
// kernel is told (after.go).
package trace

// Package controllers decides what the controllers of workloads do next. Each function is one sync of one controller: a
// pure function of a workload, of what it owns and of what is known of its pods, to what is created, deleted and
// scaled. Whoever calls it carries that out, as far as it is admitted, and calls it again until nothing is left to do.
package controllers

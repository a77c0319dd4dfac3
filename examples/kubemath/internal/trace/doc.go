// Package trace explains how a number of a report is computed, step by step: the amounts that
// containers set, and defaults (stated.go); the sum of one pod, and of all (pod.go); the quotas that
// count it, and the pods that fit on a node (after.go).
package trace

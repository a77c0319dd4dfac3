package controllers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
)

// indexes are completion indexes: intervals in order, with room between them.
type indexes []interval

type interval struct{ first, last int }

// with returns the indexes with others.
func (x indexes) with(others ...interval) (all indexes) {
	for _, next := range slices.SortedFunc(slices.Values(slices.Concat(x, others)), func(a, b interval) int {
		return cmp.Compare(a.first, b.first)
	}) {
		if last := len(all) - 1; last >= 0 && next.first <= all[last].last+1 {
			all[last].last = max(all[last].last, next.last)
		} else {
			all = append(all, next)
		}
	}
	return all
}

func (x indexes) has(index int) bool {
	return slices.ContainsFunc(x, func(i interval) bool { return i.first <= index && index <= i.last })
}

func (x indexes) total() (n int) {
	for _, i := range x {
		n += i.last - i.first + 1
	}
	return n
}

// missing returns the first indexes below completions that are not among x, at most n.
func (x indexes) missing(n, completions int) (missing []int) {
	next := 0
	for _, i := range slices.Concat(x, indexes{{completions, completions}}) {
		for ; next < min(i.first, completions) && len(missing) < n; next++ {
			missing = append(missing, next)
		}
		next = max(next, i.last+1)
	}
	return missing
}

// String returns the indexes as the status of a Job has them, such as 0,1,3-5.
func (x indexes) String() string {
	var parts []string
	for _, i := range x {
		switch i.last - i.first {
		case 0:
			parts = append(parts, strconv.Itoa(i.first))
		case 1:
			parts = append(parts, strconv.Itoa(i.first), strconv.Itoa(i.last))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", i.first, i.last))
		}
	}
	return strings.Join(parts, ",")
}

// parseIndexes returns the indexes below completions of a status. It ignores what is not a number.
func parseIndexes(text string, completions int32) (x indexes) {
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		last := first
		if isRange && err == nil {
			last, err = strconv.Atoi(to)
		}
		last = min(last, int(completions)-1)
		if err == nil && first <= last {
			x = append(x, interval{first, last})
		}
	}
	return x.with()
}

// indexOf returns the completion index of a pod, and -1 if it has none.
func indexOf(p Pod) int {
	if index, err := strconv.Atoi(p.Object.Annotations[batchv1.JobCompletionIndexAnnotation]); err == nil && index >= 0 {
		return index
	}
	return -1
}

// indexesOf returns the completion indexes of pods.
func indexesOf(pods []Pod) (all []interval) {
	for _, p := range pods {
		if index := indexOf(p); index >= 0 {
			all = append(all, interval{index, index})
		}
	}
	return all
}

// failuresOf returns how many pods of its index have failed before a pod.
func failuresOf(p Pod) int {
	n, err := strconv.ParseInt(p.Object.Annotations[batchv1.JobIndexFailureCountAnnotation], 10, 32)
	if err != nil {
		return 0
	}
	return max(0, int(n))
}

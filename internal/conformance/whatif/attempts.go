package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// attempt is that the scheduler tries to find a node for a pod. It tries one pod after the other; it binds them at the same
// time, so that only its log has their order.
type attempt struct {
	at      time.Time
	pod     types.NamespacedName
	failure string // why there is no node; empty if there is one
	target  string // the node where it preempts others; empty if it does not
	victims []types.NamespacedName
	hinted  bool // the node was among those of an equal pod just before: see OpportunisticBatch of the scheduler
}

// schedulerLog reads what the scheduler writes with -v=3.
type schedulerLog struct {
	path     string
	read     int // so many bytes
	attempts []attempt
}

// The lines that are read.
const (
	attempting = `"Attempting to schedule pod" `
	noFit      = `"Unable to schedule pod; no fit; waiting" `
	noNodes    = `"Unable to schedule pod; no nodes are registered to the cluster; waiting" `
	targeting  = `"the target node for the preemption is determined" `
	preempting = `"Preemptor Pod preempted victim Pod" `
	hinting    = `"OpportunisticBatch provided node hint" `
)

// update reads the lines that are new.
func (l *schedulerLog) update() error {
	text, err := os.ReadFile(l.path)
	if err != nil {
		return err
	}
	text = text[l.read:]
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	l.read += len(text)
	for line := range strings.Lines(string(text)) {
		l.take(line)
	}
	return nil
}

// take takes a line.
func (l *schedulerLog) take(line string) {
	if !strings.HasPrefix(line, "I") {
		return
	}
	switch {
	case strings.Contains(line, attempting):
		l.attempts = append(l.attempts, attempt{at: timeOf(line), pod: nameIn(line, "pod")})
	case strings.Contains(line, noFit):
		l.last(nameIn(line, "pod")).failure = valueIn(line, "err")
	case strings.Contains(line, noNodes):
		l.last(nameIn(line, "pod")).failure = "no nodes available to schedule pods"
	case strings.Contains(line, targeting):
		l.last(nameIn(line, "pod")).target = valueIn(line, "node")
	case strings.Contains(line, preempting):
		a := l.preempting(nameIn(line, "preemptor"), valueIn(line, "node"))
		a.victims = append(a.victims, nameIn(line, "victim"))
	case strings.Contains(line, hinting):
		l.last(nameIn(line, "pod")).hinted = true
	}
}

// last returns the last attempt of a pod.
func (l *schedulerLog) last(pod types.NamespacedName) *attempt {
	for i := len(l.attempts) - 1; i >= 0; i-- {
		if l.attempts[i].pod == pod {
			return &l.attempts[i]
		}
	}
	return &attempt{}
}

// preempting returns the last attempt of a pod that has preempted others on a node. The next one may begin as soon as the last victim is
// gone, before the log says so.
//
// Source: prepareCandidateAsync of k8s.io/kubernetes/pkg/scheduler/framework/preemption.
func (l *schedulerLog) preempting(pod types.NamespacedName, node string) *attempt {
	for i := len(l.attempts) - 1; i >= 0; i-- {
		if l.attempts[i].pod == pod && l.attempts[i].target == node {
			return &l.attempts[i]
		}
	}
	return &attempt{}
}

// isWritten reports whether a pod has this message after attempts to place it: that of the last one, or of one just before. The scheduler does
// not write a message that the pod has in its cache, even if another one has been written since then.
//
// Source: updatePod of k8s.io/kubernetes/pkg/scheduler.
func isWritten(tries []attempt, message string) bool {
	failures := failuresOf(tries)
	k := len(tries) - 1
	for k >= 0 && failures[k] != message {
		k--
	}
	if k < 0 {
		return len(tries) == 0 && message == ""
	}
	for i, later := range tries[k+1:] {
		if later.at.Sub(tries[k].at) > surelySeen || !slices.Contains(failures[:k], failures[k+1+i]) {
			return false
		}
	}
	return true
}

// failuresOf returns why attempts have found no node.
func failuresOf(tries []attempt) (failures []string) {
	for i := range tries {
		failures = append(failures, tries[i].failure)
	}
	return failures
}

// forget forgets all attempts.
func (l *schedulerLog) forget() { l.attempts = nil }

// timeOf returns the time in the header of a line, which lacks the year.
func timeOf(line string) time.Time {
	header := strings.Fields(line)
	t, err := time.ParseInLocation("2006 I0102 15:04:05.000000", strconv.Itoa(time.Now().Year())+" "+header[0]+" "+header[1], time.Local)
	if err != nil {
		return time.Time{}
	}
	return t
}

// valueIn returns a value of a line, the last one if there are several.
func valueIn(line, key string) string {
	all := regexp.MustCompile(` `+key+`=("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(line, -1)
	if len(all) == 0 {
		return ""
	}
	text, err := strconv.Unquote(all[len(all)-1][1])
	if err != nil {
		return ""
	}
	return text
}

func nameIn(line, key string) types.NamespacedName {
	namespace, name, _ := strings.Cut(valueIn(line, key), "/")
	return types.NamespacedName{Namespace: namespace, Name: name}
}

package main

import "fmt"

// tries is what was compared of the attempts of the scheduler.
type tries struct {
	placed, ties, waiting, preempting, drawn, hinted int
	unsure                                           int // attempts that are right in one of several situations
	unknown                                          int // attempts that nothing is said about
	claims                                           int // attempts for pods that use claims
}

func (t *tries) String() string {
	return fmt.Sprintf("%d attempts of the scheduler that place a pod on a node of the highest score, %d of them on one of several, %d by the score for the pod before\n"+
		"%d attempts that find no node, for the same reasons, %d of them preempt the same pods, %d others of equal rank\n"+
		"%d of these attempts are compared with the state before or after something else happened; about %d nothing is said; %d are for pods that use claims\n",
		t.placed, t.ties, t.hinted, t.waiting, t.preempting, t.drawn, t.unsure, t.unknown, t.claims)
}

func (t *tries) add(o *tries) {
	t.placed, t.ties, t.waiting, t.preempting = t.placed+o.placed, t.ties+o.ties, t.waiting+o.waiting, t.preempting+o.preempting
	t.claims += o.claims
	t.drawn, t.hinted, t.unsure, t.unknown = t.drawn+o.drawn, t.hinted+o.hinted, t.unsure+o.unsure, t.unknown+o.unknown
}

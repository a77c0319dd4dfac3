package vectors

import (
	"fmt"
	"strings"
)

// A Queue is a resource pool of Capsule and the claims on it, by age.
type Queue struct {
	Hard    Amounts   `json:"hard"`
	Ordered bool      `json:"ordered"` // whether a claim that waits makes those behind it wait
	Claims  []Amounts `json:"claims"`
}

// Bound says of each claim whether the pool binds it, and what is left of the pool.
type Bound struct {
	Bound     []bool  `json:"bound"`
	Available Amounts `json:"available"`
}

// Queues are pools of which nothing is bound yet.
func Queues() []Case[Queue, Bound] {
	var cases []Case[Queue, Bound]
	add := func(name, why string, ordered bool, hard string, claims ...string) {
		in := Queue{Hard: amounts(hard), Ordered: ordered, Claims: []Amounts{}}
		for _, c := range claims {
			in.Claims = append(in.Claims, amounts(c))
		}
		queue := "unordered"
		if ordered {
			queue = "ordered"
		}
		cases = append(cases, Case[Queue, Bound]{Name: name + ", " + queue, Why: why, Input: in})
	}
	rule := map[bool]string{
		false: "A claim is bound if its whole request remains when its turn comes.",
		true:  "A claim waits behind an older one that lacks a resource that both request; other resources of the older one remain open to others.",
	}
	for _, ordered := range []bool{false, true} {
		for a := 1; a <= 4; a++ {
			for b := 1; b <= 3; b++ {
				for c := 1; c <= 3; c++ {
					add(fmt.Sprintf("3 CPUs for claims of %d, %d and %d", a, b, c), rule[ordered], ordered, "requests.cpu 3", fmt.Sprint("requests.cpu ", a), fmt.Sprint("requests.cpu ", b), fmt.Sprint("requests.cpu ", c))
				}
			}
		}
		wants := []string{"requests.cpu 1", "requests.cpu 3", "requests.memory 1Gi", "requests.cpu 2, requests.memory 2Gi"}
		for _, a := range wants {
			for _, b := range wants {
				for _, c := range wants {
					add(fmt.Sprintf("2 CPUs and 2Gi for claims of %s", strings.Join([]string{"(" + a + ")", "(" + b + ")", "(" + c + ")"}, ", ")), rule[ordered]+" Each resource has its own queue.", ordered, "requests.cpu 2, requests.memory 2Gi", a, b, c)
				}
			}
		}
		add("no claims", "Everything remains.", ordered, "requests.cpu 1")
		add("a claim of zero", "It is bound even if claims wait for the resource.", ordered, "requests.cpu 1", "requests.cpu 2", "requests.cpu 0")
		add("a resource that the pool does not have", "The pool has zero of it.", ordered, "requests.cpu 1", "requests.memory 1", "requests.cpu 1")
		add("an amount in two notations", "They are equal.", ordered, "requests.cpu 1", "requests.cpu 1000m", "requests.cpu 1")
		add("a byte too much", "Amounts are exact.", ordered, "requests.memory 9007199254740993", "requests.memory 9007199254740992", "requests.memory 1", "requests.memory 1")
		add("a sum of more than 64 bits", "The claimed and the requested amount add up to 14Ei, which wraps around in 64 bits.", ordered, "requests.memory 7Ei", "requests.memory 7Ei", "requests.memory 7Ei")
	}
	return cases
}

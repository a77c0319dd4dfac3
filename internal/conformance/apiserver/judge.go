package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/kubemath/kubemath/quota/admit"
)

// request is an object to send to the server.
type request struct {
	kind   string // under which it is counted
	method func(ctx context.Context, path string, in, out any) error
	path   string
	object admit.APIObject
}

// create is a request for a new object.
func (n *namespace) create(kind, path string, object admit.APIObject) request {
	n.say("create", object)
	return request{kind: kind, method: n.client.Create, path: path, object: object}
}

// update is a request for another version of an object, or of a subresource of it.
func (n *namespace) update(kind, path string, object admit.APIObject) request {
	what := "replace"
	if strings.HasSuffix(path, "/resize") {
		what = "replace --subresource resize"
	}
	n.say(what, object)
	return request{kind: kind, method: n.client.Update, path: path, object: object}
}

// generated stands for the five letters that the server adds to metadata.generateName.
const generated = "xxxxx"

// send returns the server's answer, and the object if it is stored.
func (n *namespace) send(r request, parameters string) (answer, admit.APIObject) {
	found := reflect.New(reflect.TypeOf(r.object).Elem()).Interface().(admit.APIObject)
	err := r.method(n.ctx, r.path+parameters, r.object, found)
	a, err := answerOf(err, found)
	n.must(err)
	if r.object.GetName() == "" {
		a.Message = withoutLetters(a.Message, r.object.GetGenerateName())
	}
	return a, found
}

// withoutLetters replaces the letters after a prefix in quotes.
func withoutLetters(message, prefix string) string {
	before, after, found := strings.Cut(message, `"`+prefix)
	if at := strings.IndexByte(after, '"'); found && at == len(generated) {
		return before + `"` + prefix + generated + after[at:]
	}
	return message
}

// judge compares the server's answer with kubemath's, and the resulting usage. It returns the
// object if it is stored, and the server's answer.
func (n *namespace) judge(r request, ask decide) (admit.APIObject, answer) {
	possible, err := predict(n.ranges, n.quotas, ask)
	n.must(err)
	n.hear(r, possible)
	server, found := n.send(r, "")
	p := n.among(r.kind, server, possible)
	n.tally.add(r.kind, p.by, 1)
	before := n.quotas
	if server.isStored() {
		n.quotas = p.after
	} else {
		found = nil
	}
	if !server.isStored() && p.by != invalid && p.by != byRanges || server.isStored() && usageDifference(before, p.after) != "" {
		n.tally.add("quota admissions", "compared", 1)
	}
	n.compareUsage(r.kind)
	return found, server
}

// among returns the prediction that agrees with an answer, but for the order of the parts of its
// message. Without one, the two differ.
func (n *namespace) among(kind string, server answer, possible []prediction) prediction {
	var differences []string
	for _, p := range possible {
		diff := difference(byParts(server), byParts(p.answer))
		if diff == "" {
			return p
		}
		if len(differences) == 0 || differences[len(differences)-1] != diff {
			differences = append(differences, diff)
		}
	}
	n.differ("%s: (-server +kubemath)\n%s", kind, strings.Join(differences, "\nor, in another order:\n"))
	return prediction{}
}

// If several answers are possible, or a message has several parts, the request is repeated until
// the server has given no new answer for this many requests and has given kubemath's answer, up to
// a maximum number of requests.
const (
	quiet = 8
	most  = 400
)

// Has the server given kubemath's answer?
const (
	heardWhole   = "given by the server"
	heardByParts = "given by the server with its parts in other orders"
)

// hear repeats a dry run of the request, and compares the set of the server's answers with
// kubemath's: kubemath's own answer has to be one of them, word for word, and each of them has to
// be one that kubemath expects for some order of LimitRanges and quotas.
//
// Messages of more than three parts are the exception. The server fills maps in a certain order,
// and Go ranges over small ones from a random element, so only some orders occur.
func (n *namespace) hear(r request, possible []prediction) {
	ours, one := possible[0].answer, true
	for _, p := range possible {
		one = one && difference(ours, p.answer) == ""
	}
	if ours.isStored() && one {
		return
	}
	var heard []answer
	isHeard := func(a answer) bool {
		for _, h := range heard {
			if difference(h, a) == "" {
				return true
			}
		}
		return false
	}
	for asked, calm := 0, 0; (calm < quiet || !isHeard(ours)) && asked < most; asked++ {
		server, _ := n.send(r, "?dryRun=All")
		if isHeard(server) {
			calm++
			continue
		}
		calm = 0
		n.among(r.kind+", without effect", server, possible)
		heard = append(heard, server)
	}
	n.tally.add("answers that the server gives", size(len(heard)), 1)
	if !ours.isStored() {
		n.tally.add("parts of a message", size(max(1, len(partsOf(ours.Message))-1)), 1)
	}
	switch {
	case isHeard(ours):
		n.tally.add("kubemath's answer", heardWhole, 1)
	case len(partsOf(ours.Message)) > 4:
		n.tally.add("kubemath's answer", heardByParts, 1)
	default:
		n.differ("%s: the server does not say\n%s\nbut\n%s", r.kind, ours.Message, messages(heard))
	}
}

// size is a number, or a range of numbers.
func size(n int) string {
	switch {
	case n <= 4:
		return fmt.Sprintf("%d", n)
	case n <= 8:
		return "5 to 8"
	}
	return "9 or more"
}

func messages(all []answer) string {
	var texts []string
	for _, a := range all {
		texts = append(texts, fmt.Sprint(a.Code, " ", a.Reason, " ", a.Message))
	}
	return strings.Join(texts, "\n")
}

// compareUsage compares what is in use with what should be. From then on, the server's amounts are
// used. They are equal, but have been serialized: a sum that began as 1e9 prints differently before
// its first serialization.
func (n *namespace) compareUsage(after string) {
	if len(n.quotas) == 0 {
		return
	}
	found, err := n.storedQuotas(n.name)
	n.must(err)
	if diff := usageDifference(found, n.quotas); diff != "" {
		n.differ("in use after %s (-server +kubemath)\n%s", after, diff)
	}
	n.quotas = found
}

package admit

import (
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

// OfPolicy returns a namespace with LimitRanges that the API server might not store.
var OfPolicy = func(p *limitrange.Policy) *Namespace { return &Namespace{policy: p} }

// RefusalOf returns the refusal for a bound that is violated without defaults.
var RefusalOf = func(v *limitrange.Violation) *Refusal {
	return new(podAmounts).violationRefusal(v, nil, origins{}, nil)
}

// RefusalOfMismatch returns the refusal for a request that contradicts its limit, with any defaults.
var RefusalOfMismatch = func(i *computeresources.InvalidResource, defaults []computeresources.Change) *Refusal {
	a := podAmounts{defaults: defaults}
	return a.invalidRefusal(i, nil)
}

// OptionsOf returns the options that a namespace has been compiled with.
var OptionsOf = func(n *Namespace) Options { return n.opts }

// Typed returns an object of each type that is read from JSON with its type.
var Typed = typed

// What messages say about causes that objects seldom have.
var (
	RemedyOfInvalid = remedyOfInvalid
	RemedyOfResize  = remedyOfResize
	WordsOfFailure  = wordsOfFailure
)

// Package aggregate joins errors as the API server does when it has several.
package aggregate

import "strings"

// Error is several errors. It is comparable.
type Error struct {
	errs []error
}

// Of returns the errors of a list as one, nil if there are none.
func Of[E error](list []E) error {
	if len(list) == 0 {
		return nil
	}
	e := &Error{make([]error, len(list))}
	for i, err := range list {
		e.errs[i] = err
	}
	return e
}

// Error returns the message of a single error, and otherwise those of all in brackets, each
// different message once: "[a, b]", as NewAggregate of k8s.io/apimachinery/pkg/util/errors.
func (e *Error) Error() string {
	var messages []string
	seen := map[string]bool{}
	for _, err := range e.errs {
		if message := err.Error(); !seen[message] {
			seen[message] = true
			messages = append(messages, message)
		}
	}
	if len(messages) == 1 {
		return messages[0]
	}
	return "[" + strings.Join(messages, ", ") + "]"
}

// Unwrap returns the errors, for errors.Is and errors.As. The slice is the caller's.
func (e *Error) Unwrap() []error { return append([]error(nil), e.errs...) }

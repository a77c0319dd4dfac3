// Package enum reads and writes the three enumerations of integers as text, by the names that their String
// methods return: computeresources.Kind, computeresources.List and limitrange.Bound. All others are strings.
package enum

import (
	"fmt"
	"strings"
)

// Unknown is the name of an undefined value.
const Unknown = "unknown"

// A Value is an enumeration: constants from 1 on, without gaps, and their names. 0 is unspecified.
type Value interface {
	~uint8
	fmt.Stringer
}

// Marshal returns the name of a value. A value without a name is an error.
func Marshal[E Value](value E) ([]byte, error) {
	name := value.String()
	if name == Unknown {
		return nil, fmt.Errorf("%T: no name for %d", value, uint8(value))
	}
	return []byte(name), nil
}

// Unmarshal sets value to the one with that name. If no value up to last has the name, it returns
// an error with the names that there are, and does not change value.
func Unmarshal[E Value](value *E, name []byte, last E) error {
	if value == nil {
		return fmt.Errorf("a nil %T", value)
	}
	var names []string
	for v := range uint8(last) + 1 {
		if E(v).String() == string(name) {
			*value = E(v)
			return nil
		}
		names = append(names, fmt.Sprintf("%q", E(v).String()))
	}
	return fmt.Errorf("%T: unknown name %q: must be one of %s", *value, name, strings.Join(names[1:], ", "))
}

package arch_test

import "reflect"

// answerTypes are the structs that exported functions return, and that those reach.
func answerTypes() []reflect.Type {
	return []reflect.Type{
	}
}

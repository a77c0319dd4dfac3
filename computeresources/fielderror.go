package computeresources

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// FieldError is a *field.Error as plain data: it compares and survives a round trip through JSON, which the
// value of a *field.Error does not.
type FieldError struct {
	Type field.ErrorType `json:"type"`
	// Path is the field, such as resizePolicy[1]. Where it begins, the type says that holds the FieldError.
	Path string `json:"path"`
	// Value is the invalid value as the message has it: a string in quotes, a number, or JSON. It is empty if the
	// message has no value.
	Value  string `json:"value,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// FieldErrorOf returns an error as plain data, and nil for nil. Origins are left out.
func FieldErrorOf(err *field.Error) *FieldError {
	if err == nil {
		return nil
	}
	body := (&field.Error{Type: err.Type, BadValue: err.BadValue}).ErrorBody()
	_, value, _ := strings.Cut(body, err.Type.String()+": ")
	return &FieldError{Type: err.Type, Path: err.Field, Value: value, Detail: err.Detail}
}

// Field returns the error with the message that it was made of, word for word. Path is what e.Path is below; nil
// is nothing. The BadValue is a string if the value was one, field.OmitValueType if the message has no value, and
// otherwise of a type that prints as the Value.
func (e *FieldError) Field(path *field.Path) *field.Error {
	if e == nil {
		return nil
	}
	err := &field.Error{Type: e.Type, Field: e.Path, BadValue: printed(e.Value), Detail: e.Detail}
	if path != nil {
		err.Field = path.String() + "." + e.Path
	}
	if text, notQuoted := strconv.Unquote(e.Value); notQuoted == nil && strconv.Quote(text) == e.Value {
		err.BadValue = text
	}
	if e.Value == "" {
		err.BadValue = field.OmitValueType{}
	}
	return err
}

// printed is a value of a *field.Error that its message has as it is. The message has a value as JSON, and if that
// fails, as its String method returns it.
type printed string

// MarshalJSON returns an error.
func (printed) MarshalJSON() ([]byte, error) { return nil, strconv.ErrSyntax }

// String returns the text.
func (p printed) String() string { return string(p) }

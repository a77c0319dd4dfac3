package computeresources_test

import (
	"encoding/json"
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A FieldError has the message of the error that it was made of, also after it was written and read as JSON.
func TestFieldErrorKeepsMessages(t *testing.T) {
	types := []field.ErrorType{
		field.ErrorTypeNotFound, field.ErrorTypeRequired, field.ErrorTypeDuplicate, field.ErrorTypeInvalid,
		field.ErrorTypeNotSupported, field.ErrorTypeForbidden, field.ErrorTypeTooLong, field.ErrorTypeTooMany,
		field.ErrorTypeInternal, field.ErrorTypeTypeInvalid, "Other",
	}
	name := corev1.ResourceName("<cpu>")
	values := []any{
		nil, "", "a", "<a>", `"`, "\x00", "ü", "a\xff", ": ", name, &name, corev1.ResourceName(""), int32(-3), int64(5), 7, uint8(8), true, 1.5, math.NaN(),
		field.OmitValueType{}, map[string]string{"a": "<b>"}, map[string]string(nil), []string{}, (*int32)(nil), func() {}, field.NewPath("stringer"),
	}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.SampledFrom(values), rapid.Map(rapid.String(), func(s string) any { return s })).Draw(t, "value")
		if _, isFunction := value.(func()); isFunction {
			value = struct{ F func() }{} // which cannot be marshaled, nor compared
		}
		err := &field.Error{
			Type: rapid.SampledFrom(types).Draw(t, "type"), Field: rapid.SampledFrom([]string{"", "a", "a.b[1]", "<nil>"}).Draw(t, "field"),
			BadValue: value, Detail: rapid.SampledFrom([]string{"", "must be: 1", "Invalid value: "}).Draw(t, "detail"),
		}
		plain := computeresources.FieldErrorOf(err)
		testkit.Contract(t, func() any { return []any{computeresources.FieldErrorOf(err), plain.Field(field.NewPath("spec"))} }, plain)
		testkit.Equal(t, plain.Field(nil).Error(), err.Error())
		testkit.Equal(t, plain.Field(field.NewPath("spec").Index(2)).ErrorBody(), err.ErrorBody())
		testkit.Equal(t, plain.Field(field.NewPath("spec").Index(2)).Field, "spec[2]."+err.Field)
		text, fault := json.Marshal(plain)
		if fault != nil {
			t.Fatal(fault)
		}
		var again computeresources.FieldError
		if fault := json.Unmarshal(text, &again); fault != nil || again != *plain {
			t.Fatalf("%s is read as %+v, %v", text, again, fault)
		}
	})
	if computeresources.FieldErrorOf(nil) != nil {
		t.Error("no error is one")
	}
}

// Strings and missing values are those that apimachinery's functions set.
func TestFieldErrorValues(t *testing.T) {
	at := field.NewPath("a")
	for _, test := range []struct {
		err  *field.Error
		want any
	}{
		{field.Invalid(at, "x", ""), "x"},
		{field.NotSupported(at, corev1.ResourceName("x"), []string{"y"}), "x"},
		{field.Invalid(at, field.OmitValueType{}, ""), field.OmitValueType{}},
	} {
		testkit.Equal(t, computeresources.FieldErrorOf(test.err).Field(nil).BadValue, test.want, test.err, "the value is")
	}
}

package main

import (
	"context"
	"errors"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/quota/admit"
)

// An object that changes after it was read is read again.
func TestRest(t *testing.T) {
	set := func(revision string) *appsv1.StatefulSet {
		return &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "w", UID: "w", ResourceVersion: revision}}
	}
	r := &record{all: []happening{{revision: 1, object: set("1")}}}
	reads := 0
	objects, err := r.rest(t.Context(), 30*time.Millisecond, func(context.Context) ([]admit.APIObject, error) {
		reads++
		switch {
		case reads < 3:
			return []admit.APIObject{set("1")}, nil
		case reads == 3:
			r.all = append(r.all, happening{revision: 2, object: set("2")})
		case reads > 1000:
			return nil, errors.New("it does not rest")
		}
		if reads < 30 {
			return []admit.APIObject{set("1")}, nil
		}
		return []admit.APIObject{set("2")}, nil
	})
	if err != nil || len(objects) != 1 || objects[0].GetResourceVersion() != "2" {
		t.Errorf("%v, %v", objects, err)
	}
}

package affinity

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Collision is a name that several workspaces or runs generate for different objects. Only one of
// these objects can exist.
type Collision struct {
	Kind      string `json:"kind,omitempty"` // "StatefulSet" or "PersistentVolumeClaim"
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
	// Users are two or more workspaces, such as `workspace "src" of run "build-1"`, or whole runs, such as
	// `run "build-1"`, sorted by run and workspace.
	Users []string `json:"users,omitempty"`
}

// user is a workspace of a run, or, if workspace is empty, the whole run.
type user struct{ run, workspace string }

func (u user) String() string {
	if u.workspace == "" {
		return fmt.Sprintf("run %q", u.run)
	}
	return fmt.Sprintf("workspace %q of run %q", u.workspace, u.run)
}

// Error returns the collision in words: `StatefulSet ci/affinity-assistant-626dd15bc0:
// workspace "src" of run "build-1", workspace "srcb" of run "uild-1"`.
func (c *Collision) Error() string {
	if c == nil {
		return "<nil>"
	}
	return fmt.Sprintf("%s %s/%s: %s", c.Kind, c.Namespace, c.Name, strings.Join(c.Users, ", "))
}

// FindCollisions returns the names that the plans of several runs have in common: StatefulSets and
// claims that two of them create, claims that one creates and the other expects to exist, and
// StatefulSets that one creates and the other deletes. Nil plans, and repeated plans for one run,
// are ignored. Names are hashes of concatenated names, so two workspaces of different runs may have
// the same name. The result is sorted by kind, namespace and name; each collision is an error.
//
// Cost: n log n for n names in all plans.
func FindCollisions(plans []*Plan) []*Collision {
	users := map[object]map[user]bool{}
	created := map[object]bool{}
	for _, plan := range plans {
		if plan == nil {
			continue
		}
		for _, u := range plan.uses() {
			if users[u.object] == nil {
				users[u.object] = map[user]bool{}
			}
			users[u.object][u.user] = true
		}
		for _, o := range plan.creates() {
			created[o] = true
		}
	}
	var found []*Collision
	for o, ofObject := range users {
		if created[o] && len(ofObject) > 1 {
			found = append(found, collision(o, ofObject))
		}
	}
	slices.SortFunc(found, func(a, b *Collision) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return found
}

const (
	statefulSet           = "StatefulSet"
	persistentVolumeClaim = "PersistentVolumeClaim"
)

// object identifies an object by kind, namespace and name.
type object struct {
	kind, namespace, name string
}

// use is an object and its user.
type use struct {
	object
	user
}

// uses returns every object that a plan creates, mounts or deletes.
func (p *Plan) uses() (uses []use) {
	if p.Behavior.perRun() {
		uses = append(uses, use{p.object(statefulSet, assistantName("", p.Run.Name)), user{run: p.Run.Name}})
	}
	for _, b := range p.Workspaces {
		by := user{p.Run.Name, b.Workspace}
		if p.Behavior == PerWorkspace && b.Claim != "" {
			uses = append(uses, use{p.object(statefulSet, assistantName(b.Workspace, p.Run.Name)), by})
		}
		if b.Claim != "" {
			uses = append(uses, use{p.object(persistentVolumeClaim, b.Claim), by})
		}
	}
	return uses
}

// creates returns every object that a plan creates.
func (p *Plan) creates() (objects []object) {
	for i := range p.StatefulSets {
		objects = append(objects, p.object(statefulSet, p.StatefulSets[i].Name))
	}
	for i := range p.Claims {
		objects = append(objects, p.object(persistentVolumeClaim, p.Claims[i].Name))
	}
	for i := range p.Provisioned {
		objects = append(objects, p.object(persistentVolumeClaim, p.Provisioned[i].Name))
	}
	return objects
}

func (p *Plan) object(kind, name string) object { return object{kind, p.Run.Namespace, name} }

func collision(o object, users map[user]bool) *Collision {
	sorted := slices.SortedFunc(maps.Keys(users), func(a, b user) int {
		return cmp.Or(cmp.Compare(a.run, b.run), cmp.Compare(a.workspace, b.workspace))
	})
	c := &Collision{Kind: o.kind, Namespace: o.namespace, Name: o.name}
	for _, u := range sorted {
		c.Users = append(c.Users, u.String())
	}
	return c
}

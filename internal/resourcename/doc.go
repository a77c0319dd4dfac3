// Package resourcename answers what kind of resource a name is, and whether it is valid, as the API
// server does. computeresources/resourcelist has what callers need of it.
package resourcename

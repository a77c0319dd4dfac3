// Package solver
package solver

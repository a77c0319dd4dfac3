// Package pooltest makes claims for the tests of what works on pools.
package pooltest

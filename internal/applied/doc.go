// Package applied computes what is stored once a manifest is applied, as kubectl apply does: a merge of the manifest,
// of the one that was applied before, and of what is stored, in which lists are merged by their keys.
package applied

// Package recipes answers ten questions, each with a small program to copy. Each file has one program: an
// Example that the tests compile and run, with the functions that it needs.
//
//   - webhook_test.go: Is this pod admitted in a namespace with LimitRanges and ResourceQuotas, what
//     is stored, and which error does the client get?
//   - nodeusage_test.go: What do the pods of a node request, how many percent is that, and on which
//     nodes does another pod fit?
//   - rightsizer_test.go: What should a pod request, given what it has used, and how many replicas
//     of the result fit into the quotas?
//   - ledger_test.go: Which node has room for this pod, GPUs included, while pods come and go?
//   - costs_test.go: How many CPU hours have the pods of each team reserved?
//   - taskrunner_test.go: What does each step of a Tekton task request, and how much do the tasks of
//     a pipeline request at once?
//   - nodeagent_test.go: Whose is this cgroup, and how much CPU is its weight?
//   - tenantplanner_test.go: Can this tenant have more of a shared pool, and by how much would the
//     pool have to grow?
//   - linter_test.go: Which manifests will the API server refuse, and in which field?
//   - resizeplanner_test.go: What does a resize in place change, for quotas and on the node, and
//     when?
//
// The pages in docs have shorter pieces of code, by kind of user. Manifests are YAML where that is shorter than Go.
package recipes

package objects

// GeneratedName returns a name like that of the API server for metadata.generateName: the prefix is
// truncated so that the name has at most 63 characters, and five are appended.
func GeneratedName(prefix string) string {
	const added = "xxxxx"
	return prefix[:min(len(prefix), 63-len(added))] + added
}

package objects

// GeneratedName returns a name like the server's for metadata.generateName: it truncates the prefix
// so that the name has at most 63 characters, and appends five.
func GeneratedName(prefix string) string {
	const added = "xxxxx"
	return prefix[:min(len(prefix), 63-len(added))] + added
}

package objects

// GeneratedName returns a name such as the server makes of metadata.generateName: it cuts off what
// would make it longer than 63 characters, and adds five.
func GeneratedName(prefix string) string {
	const added = "xxxxx"
	return prefix[:min(len(prefix), 63-len(added))] + added
}

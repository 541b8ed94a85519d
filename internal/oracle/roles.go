package oracle

// RoleFaults counts the places where the roles of a history do not alternate,
// for the providers that want them to: two messages of the user or two of the
// assistant side by side, or an assistant's at the beginning. A history need
// not be free of them, but a repair adds none. It is 0 for a dialect that does
// not mind.
func RoleFaults(name string, src []byte) int {
	if name != gemini.name && name != bedrock.name {
		return 0
	}
	branches, err := read(src, nil)
	if err != nil {
		return 0
	}
	faults := 0
	for _, ms := range branches {
		before := "assistant" // so that one at the beginning counts
		for _, m := range ms {
			role := m.role
			if role == "model" {
				role = "assistant"
			}
			if role == before && (role == "user" || role == "assistant") {
				faults++
			}
			before = role
		}
	}
	return faults
}

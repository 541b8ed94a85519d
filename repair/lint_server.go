package repair

// unansweredServers finds the calls of tools that the provider runs itself
// which have no result in their message. In the last message the provider may
// still go on with them. Only the provider could give the result, and the call
// is its own: reported, never changed.
//
// Source: Anthropic, server tools and the stop reason pause_turn
// (vellum-assistant issue 15911), read 2026-11-30.
func (v *review) unansweredServers() {
	s := v.t.servers
	if len(s) == 0 {
		return
	}
	last := v.lastMessages()
	answered := make(map[string]bool)
	for i := len(s) - 1; i >= 0; i-- {
		if i+1 < len(s) && s[i+1].message != s[i].message {
			clear(answered)
		}
		switch m := s[i].message; {
		case s[i].isResult:
			answered[string(s[i].id)] = true
		case !answered[string(s[i].id)] && m != last[v.t.messages[m].branch]:
			v.find(ServerToolUnanswered, m, s[i].id, "", false)
		}
	}
}

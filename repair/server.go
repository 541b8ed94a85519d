package repair

// servers pairs the calls that the provider runs itself with their results.
// Both stand in one assistant message. They are never answered; but a result
// whose call is not before it in its message goes back behind the one open
// call of its id in an earlier message, and is removed if there is none.
func (p *planner) servers() {
	s := p.t.servers
	if len(s) == 0 {
		return
	}
	answered := p.serversAtHome()
	open := make(map[string][]int32)
	for i := range s {
		p.work++
		id := string(s[i].id)
		switch {
		case p.t.messages[s[i].message].drop && !s[i].isResult: // goes with its turn
		case !s[i].isResult && !answered[i]:
			open[id] = append(open[id], int32(i))
		case !s[i].isResult || s[i].owner != none:
		case len(open[id]) == 1 && s[open[id][0]].message < s[i].message:
			s[i].owner, s[i].moved = open[id][0], true
			open[id] = nil
		default:
			s[i].drop = true
		}
	}
}

// serversAtHome gives each result the call of its id before it in its own
// message, and says which calls got one.
func (p *planner) serversAtHome() (answered []bool) {
	s := p.t.servers
	answered = make([]bool, len(s))
	before := make(map[string]int32)
	for i := range s {
		p.work++
		if i > 0 && s[i].message != s[i-1].message {
			clear(before)
		}
		s[i].owner = none
		if !s[i].isResult {
			before[string(s[i].id)] = int32(i)
		} else if c, found := before[string(s[i].id)]; found {
			s[i].owner, answered[c] = c, true
		}
	}
	return answered
}

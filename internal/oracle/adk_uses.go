package oracle

import "fmt"

// A use of an id is a call or a response.
type use struct {
	call
	isCall   bool
	blank    bool // a response whose name is blank
	index    int
	group    int // of the last turns before it; those side by side are one
	answered bool
}

// judgeUses judges the calls and the responses of one id, in order.
func judgeUses(uses []*use) error {
	if err := known(uses); err != nil {
		return err
	}
	late := atHome(uses)
	var open, run []*use
	for _, u := range append(uses, &use{isCall: true, answered: true}) {
		switch {
		case late[u]:
			run = append(run, u)
		case u.isCall:
			if err := goBack(run, open); err != nil {
				return err
			}
			run = nil
			open = stillOpen(append(open, u))
		}
	}
	for _, u := range uses {
		waits := u.pending && !u.answered
		switch {
		case !u.isCall || waits:
		case u.fault != nil:
			return fmt.Errorf("events.%d: %w", u.index, u.fault)
		case !u.answered:
			return fmt.Errorf("events.%d: no function response for function call id %s", u.index, u.id)
		}
	}
	return nil
}

// known wants a call before each response, which has that one's name. Of turns
// side by side it may be any call.
func known(uses []*use) error {
	var nearest *use
	nameless := false // a call of those turns has no name to give
	for _, u := range uses {
		switch {
		case u.isCall:
			nameless = blank(u.name) || nameless && nearest.group == u.group
			nearest = u
		case u.id == "" || nearest == nil:
			return fmt.Errorf("events.%d: No function call event found for function responses ids: %q", u.index, u.id)
		case u.blank && !nameless:
			return fmt.Errorf("events.%d: function_response.name: must not be empty", u.index)
		}
	}
	return nil
}

// atHome gives the responses to the calls of the last turns before them, the
// last ones if there are more calls, and returns those that find none there.
func atHome(uses []*use) (late map[*use]bool) {
	late = map[*use]bool{}
	home := map[int][]*use{} // responses
	calls := map[int][]*use{}
	for _, u := range uses {
		switch {
		case u.isCall:
			calls[u.group] = append(calls[u.group], u)
		case calls[u.group] == nil:
			late[u] = true
		default:
			home[u.group] = append(home[u.group], u)
		}
	}
	for group, rs := range home {
		cs := calls[group]
		for _, c := range cs[max(0, len(cs)-len(rs)):] {
			c.answered = true
		}
	}
	return late
}

// goBack gives a run of responses to the calls before it that wait, if there
// is no doubt which. What finds none waiting is one more of an answered call.
func goBack(run, open []*use) error {
	if len(run) == 0 || len(open) == 0 {
		return nil
	}
	oneGroup := open[0].group == open[len(open)-1].group
	if !oneGroup && len(run) != len(open) {
		return fmt.Errorf("events.%d: several function calls could own the response of id %s", run[0].index, run[0].id)
	}
	for _, c := range open[max(0, len(open)-len(run)):] {
		c.answered = true
	}
	return nil
}

func stillOpen(calls []*use) []*use {
	var open []*use
	for _, c := range calls {
		if !c.answered {
			open = append(open, c)
		}
	}
	return open
}

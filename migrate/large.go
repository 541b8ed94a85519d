package migrate

import (
	"runtime"
	"sync"
)

// A value of very many tokens takes some hundred MiB while it is judged. Its
// worker waits for its turn, so that it is the only one: what the workers take
// together does not grow with their number.

// takeTurns makes the judge wait for its turn before it holds a large value.
func (j *judge) takeTurns(turn *sync.Mutex) {
	for i := range j.parsers {
		j.parsers[i].Large = func() {
			if j.turn == nil {
				turn.Lock()
				j.turn = turn
			}
		}
	}
}

// endTurn lets go of what the judge holds of a value, if that is large.
func (j *judge) endTurn() {
	if j.turn == nil {
		return
	}
	for i := range j.parsers {
		j.parsers[i].Release()
	}
	runtime.GC() // before the next one takes as much again
	j.turn.Unlock()
	j.turn = nil
}

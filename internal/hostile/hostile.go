// Package hostile makes histories for tests, from a seed: healthy ones that
// an oracle accepts, and hostile ones that hold every fault that was seen in a
// store or could be thought of.
//
// A history is planned without regard to a dialect (plan.go), spoiled by a few
// knobs (knobs.go), spelled by the dialect (one file each) and printed with
// odd spacing, names and escapes (text.go). Every text carries a tag that
// occurs nowhere else, so that a test can tell where it went: m7; in a message,
// r7; in a result, a7; in arguments. The numbers of m grow with their place.
package hostile

import "math/rand/v2"

// A dialect spells the steps of a plan. A new one is a file of its own and a
// line in dialects.
type dialect struct {
	name string
	// grouped is set where all results of a turn stand in one message.
	grouped bool
	// unique is set where an id may be used but once in a history.
	unique bool
	// also adds to a healthy plan what only this dialect has.
	also func(*Gen)
	// spell makes the elements of one step.
	spell func(*Gen, *step) []value
	// knobs are those that only this dialect has.
	knobs []knob
}

var dialects = []dialect{
	openAIChat,
	anthropic,
	pi,
	responses,
	gemini,
	adk,
	bedrock,
	ollama,
	aiSDKModel,
	aiSDKUI,
	langChain,
	grouped,
}

// Dialects returns the names that New knows.
func Dialects() []string {
	var names []string
	for _, d := range dialects {
		names = append(names, d.name)
	}
	return names
}

// A Gen makes histories of one dialect.
type Gen struct {
	dialect
	r *rand.Rand

	// What holds for one history.
	steps   []*step
	spelled spelling
	ids     int // the next number of an id
	tags    int // the next number of a tag
	serial  int // the number of a message that is linked
}

// New returns a generator. It panics for a dialect that is not in Dialects.
func New(seed uint64, dialect string) *Gen {
	for _, d := range dialects {
		if d.name == dialect {
			return &Gen{dialect: d, r: rand.New(rand.NewPCG(seed, 0))}
		}
	}
	panic("hostile: unknown dialect " + dialect)
}

// Healthy returns a history in which nothing is wrong as to pairing and
// arguments, if results out of call order are not.
func (g *Gen) Healthy() []byte {
	g.plan()
	return g.print()
}

// Hostile returns a history to which up to eight things have happened.
func (g *Gen) Hostile() []byte {
	g.plan()
	knobs := append(knobs[:len(knobs):len(knobs)], g.knobs...)
	for range 1 + g.r.IntN(8) {
		if len(g.steps) > 0 {
			knobs[g.r.IntN(len(knobs))].turn(g)
		}
	}
	return g.print()
}

// print spells and prints the steps.
func (g *Gen) print() []byte {
	list := array{}
	for _, s := range g.steps {
		for _, v := range g.spell(g, s) {
			list = append(list, v)
			for g.spelled.noise && g.chance(0.05) {
				list = append(list, g.noise())
			}
		}
	}
	return g.spelled.print(g, list)
}

func (g *Gen) chance(p float64) bool { return g.r.Float64() < p }

func pick[T any](g *Gen, from ...T) T { return from[g.r.IntN(len(from))] }

// noise is an element that is no message.
func (g *Gen) noise() value {
	return pick[value](g, raw("null"), raw("7"), raw(`"tool"`), array{}, object{},
		object{{"type", str("session_meta")}, {"turns", raw("9007199254740993")}},
		object{{"role", raw("7")}, {"tool_call_id", str("x")}},
		object{{"role", str("tool")}, {"tool_call_id", str("x")}, {"tool_calls", array{object{{"id", str("x")}}}}, {"local_only", raw("true")}})
}

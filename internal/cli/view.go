package cli

import (
	"boltmend/migrate"
)

// A view shows the events of one database after another.
type view interface {
	event(migrate.Event)
}

// view returns the view that o asks for, given the command's own view for
// text.
func (p *program) view(o options, text view) view {
	var v view
	switch {
	case o.json:
		v = newJSONView(p.stdout)
	case o.quiet:
		v = noView{}
	default:
		v = text
	}
	return safeView{v, o.showContent}
}

// noView shows nothing.
type noView struct{}

func (noView) event(migrate.Event) {}

// safeView hands events on as they may be shown.
type safeView struct {
	view
	showContent bool
}

func (v safeView) event(e migrate.Event) {
	if !v.showContent {
		switch x := e.(type) {
		case *migrate.History:
			h := *x
			h.Findings = redactFindings(x.Findings)
			e = &h
		case *migrate.Message:
			m := *x
			m.Findings = redactFindings(x.Findings)
			e = &m
		}
	}
	v.view.event(e)
}

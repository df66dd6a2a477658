package desk

import (
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// view is the question in front of the person, and the answers in the making to it and to others that were there.
type view struct {
	now    func() time.Time
	points bool               // see form.Options
	up     *opened            // on view; nil: nothing waits
	opened map[string]*opened // by session: what was on view and is not over
	seen   map[string]bool
}

// opened is a session that was on view, as it was last seen, and its form. It may have left the live ones since.
type opened struct {
	session queue.Session
	form    *form.Form
}

// Up returns the id of the session on view; empty: nothing waits.
func (v *view) Up() string {
	if v.up == nil {
		return ""
	}
	return v.up.session.ID
}

// Session returns the session on view as it was last seen; the zero Session: nothing waits.
func (v *view) Session() queue.Session {
	if v.up == nil {
		return queue.Session{}
	}
	return v.up.session
}

// Form returns the answer in the making on view; nil: nothing waits.
func (v *view) Form() *form.Form {
	if v.up == nil {
		return nil
	}
	return v.up.form
}

// FormOf returns the answer in the making of a session that was on view before; nil: it was not.
func (v *view) FormOf(id string) *form.Form {
	if o := v.opened[id]; o != nil {
		return o.form
	}
	return nil
}

// Pending returns the session on view as the clock left it, if it still waits.
func (v *view) Pending() (queue.Session, bool) {
	if v.up == nil {
		return queue.Session{}, false
	}
	now := v.up.session.At(v.now())
	return now, now.Pending()
}

// Seen reports whether a session was on view here.
func (v *view) Seen(id string) bool { return v.seen[id] }

// put puts a session on view, with what was typed into it before: in its form, else in its draft, unless that is nil.
func (v *view) put(s queue.Session, settings config.Settings, draft *queue.Draft) {
	if v.opened[s.ID] == nil {
		o := form.Options{Rules: Rules(settings, s), Points: v.points, Draft: draft}
		v.opened[s.ID] = &opened{s, form.New(s, o)}
	}
	v.up, v.seen[s.ID] = v.opened[s.ID], true
}

// follow takes over the newest state of a session.
func (v *view) follow(now queue.Session) {
	if v.Up() == now.ID {
		v.up.session = now
	}
	if o := v.opened[now.ID]; o != nil {
		o.session = now
	}
}

// followSettings puts the person's settings in force in every form.
func (v *view) followSettings(now config.Settings) {
	for _, o := range v.opened {
		o.form.Follow(Rules(now, o.session))
	}
}

// Rules returns the settings that the form of a session goes by, here and in a command that answers.
func Rules(now config.Settings, s queue.Session) form.Rules {
	var list []form.HiddenOption
	for _, h := range now.HiddenOptions {
		list = append(list, form.HiddenOption{Client: h.Client, ID: h.ID, Label: h.Label})
	}
	return form.Rules{Hidden: form.HiddenIn(s, list), NoNotes: !now.AnnotationsEnabled,
		NoPlaceholder: !now.PlaceholderVisible}
}

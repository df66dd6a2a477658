package question

import (
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/form"
)

// seconds are second thoughts: more detail first, later, not that option again, and taking back.
func (r verbs) seconds() panes.Table {
	return panes.Table{
		r.no.ends(panes.Row{Action: keys.ActDetail,
			Do: r.act(func(v *view, _ string) { r.begin(v, form.FieldDetail) })}, form.FieldDetail),
		{Action: keys.ActLater, Do: r.act(r.later), WhyNot: r.no.words(r.no.whyNotLater),
			Refused: func(key, why string) {
				if v := r.view(); v != nil {
					r.no.remember(v, keys.ActLater, key, why)
				}
			}},
		r.no.may(panes.Row{Action: keys.ActHide, Do: r.act(r.hide)}, func(v *view) form.WhyNot {
			_, why := v.q().MayHide()
			return why
		}),
		{Action: keys.ActUndoLast, Do: r.act(r.undo), WhyNot: r.no.words(r.no.whyNotUndone)},
	}
}

// text begins the person's own words; where the question takes none, they are why it is cancelled.
func (r verbs) text(v *view, _ string) {
	if v.q().MayWrite().OK() || v.form.Reviewing() {
		r.begin(v, form.FieldText)
		return
	}
	if r.begin(v, form.FieldReason) {
		v.form.BeginInstead()
	}
}

// later asks before it sets the question aside.
func (r verbs) later(v *view, _ string) {
	until, _, givesUp := r.host.Seat().LaterTimes()
	r.host.Offer(say.SetsAside(until, givesUp, say.Who(v.session.Origin), v.speech()), func() {
		if err := r.host.Seat().Later(); err != nil {
			r.host.Say(notLater(err))
		}
	})
}

// hide asks before it keeps the option under the cursor out of later questions of the same client; a hidden option is
// shown again at once.
func (r verbs) hide(v *view, _ string) {
	o, _ := v.q().MayHide()
	if r.o.SetHides == nil {
		return
	}
	entry := entryOf(v)
	if v.q().IsHidden(o.ID) {
		r.setHidden(v, entry, false)
		return
	}
	line := say.HideOption(v.speech(), o, v.q().Marked(o.ID), say.Who(v.session.Origin))
	r.host.Offer(line, func() { r.setHidden(v, entry, true) })
}

// entryOf returns the option under the cursor as the settings name it.
func entryOf(v *view) config.HiddenOption {
	o, _ := v.q().Current()
	return config.HiddenOption{Client: v.session.Origin.Client, ID: o.ID, Label: o.Label}
}

func (r verbs) setHidden(v *view, entry config.HiddenOption, hide bool) {
	v.hid = nil
	if hide {
		v.hid = &entry
	}
	r.host.Say(say.HiddenOption(hide, v.speech()))
	r.o.SetHides(entry, hide, func(err error) {
		if err != nil {
			r.host.Say(say.NotHidden(err))
		}
	})
}

// undo takes back the answer that is held back, else it shows the option again that was just hidden.
func (r verbs) undo(v *view, _ string) {
	switch {
	case r.host.Seat().TakeBack():
		r.host.Say(say.TakenBack)
	case v.hid != nil && r.o.SetHides != nil:
		r.setHidden(v, *v.hid, false)
	}
}

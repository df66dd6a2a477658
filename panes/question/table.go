package question

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// Table binds the actions of the room. The queue beside the question uses some of its rows too: for more and less time,
// for cancel, and for scrolling the text.
func (r *Room) Table() panes.Table {
	if v := r.at(); v != nil && v.reading() {
		return r.text
	}
	return r.table
}

// bind returns the table: what only this room or the screen has, and the words in the footer that only this room knows.
func (r *Room) bind() panes.Table {
	return slices.Concat(r.bindScrolling(), r.bindWords(), r.bindScreen())
}

// when returns an Offered that reports whether a condition holds for the question on view.
func (r *Room) when(is func(*display) bool) func(action.At) bool {
	return func(action.At) bool {
		v := r.at()
		return v != nil && is(v)
	}
}

// bindWords returns rows for actions on the question, with the words in the footer that depend on what is on screen.
func (r *Room) bindWords() panes.Table {
	return panes.Table{
		{Name: action.Digit, Now: func(at action.At, h action.Hint) action.Hint {
			h.Keys = r.at().digits()
			return action.Of(action.Digit).Now(at, h)
		}},
		{Name: action.ChangeOne, Now: action.Hinted(func(h action.Hint) action.Hint {
			v := r.at()
			h.Keys = v.keys.FirstKeys(action.PlaceReview, action.ChangeOne, v.form.Len())
			return h
		})},
		{Name: action.Allow, Now: r.allowHint},
		{Name: action.Refuse, Now: action.Named(r.optionWord(queue.ActRefuse))},
		{Name: action.ReasonDown, Now: action.Hinted(r.reasonsHint)},
		{Name: action.Back, Now: action.Named(r.backWord)},
	}
}

// allowHint returns the hint for the key that allows a request: it says if that key sends at once.
func (r *Room) allowHint(at action.At, h action.Hint) action.Hint {
	if at.SendsAtOnce(action.Allow) {
		return h.Say(action.Word{Long: "allow at once", Short: "allow"})
	}
	return action.Named(r.optionWord(queue.ActOnce))(at, h)
}

// optionWord returns the words in the footer for the key that marks the option with this act: the option's label if it
// is short, because the person looks for those words. In a batch the key marks all.
func (r *Room) optionWord(act string) func(action.Word) action.Word {
	return func(w action.Word) action.Word {
		switch v := r.at(); {
		case v.batch.rows != nil:
			return action.Word{Long: "all"}
		case v.inBatch: // space says what the key does to the one that is shown
			return action.Word{}
		}
		options := r.at().q().Options
		at := slices.IndexFunc(options, func(o queue.Option) bool { return o.Act == act })
		if at < 0 {
			return w
		}
		label := say.OneLine(options[at].Label)
		if ink.Width(label) > longestOptionWord {
			return w
		}
		return action.Word{Long: strings.ToLower(label), Short: w.Short}
	}
}

// longestOptionWord limits the words for a key that marks an option, in cells.
const longestOptionWord = 16

// reasonsHint returns the hint in the footer for the keys that go through the suggested reasons.
func (r *Room) reasonsHint(h action.Hint) action.Hint {
	v := r.at()
	h.Keys = v.keys.KeyOf(action.PlaceReason, action.ReasonUp) + v.keys.KeyOf(action.PlaceReason, action.ReasonDown)
	if v.form.Typing() != form.FieldReason {
		return h.Say(action.Word{Long: "suggestions"})
	}
	return h.Say(action.Word{Long: "suggested reasons", Short: "reasons"})
}

// backWord returns the words in the footer for the key that goes back.
func (r *Room) backWord(action.Word) action.Word {
	v := r.at()
	switch r.Place() {
	case action.PlaceTyping, action.PlaceReason:
		if _, asks := r.host.View().Guard.Doubts(true); asks {
			return action.Word{Long: "puts it aside"}
		}
	}
	switch r.Place() {
	case action.PlaceTyping:
		cancel := v.key(action.Cancel)
		if !v.session.Pending() || v.ofTeam {
			cancel = ""
		}
		return action.Word{Long: "back (keeps text)" + say.Keyed(", then ", cancel, " cancels"),
			Short: "back" + say.Keyed(", ", cancel, " cancel")}
	case action.PlaceReason:
		return action.Word{Long: "back"}
	case action.PlaceFind:
		return action.Word{Long: say.ShowAll, Short: say.ShowAllShort}
	case action.PlaceOver:
		_, footer := say.ClosedBack(r.host.View().ShowsHandOff())
		return action.Word{Long: footer}
	case action.PlaceQuestion, action.PlaceReview:
		if v.ofTeam {
			return action.Word{Long: "back"}
		}
	case action.PlaceBatch:
		return action.Word{Long: "back"}
	}
	return action.Word{}
}

// bindScrolling returns rows for the actions that change only what is on screen.
func (r *Room) bindScrolling() panes.Table {
	scroll := func(halves int) func(action.At, action.Arg) action.Effect {
		return r.onView(func(v *display) {
			switch {
			case v.batch.rows != nil:
				r.host.View().Batch.Move(halves * max(len(v.page.batch.lines)/2, 1))
				return
			case v.form.ConfirmsApart():
				confirmation{v}.scrollBy(halves)
				return
			}
			prompt{v}.scrollBy(halves)
		})
	}
	unnamed := r.when(func(v *display) bool { return prompt{v}.unseen() > 0 && !v.pages && v.batch.rows == nil })
	full := func(h action.Hint) action.Hint {
		if r.at().full { // the key brings the options back
			h.Room = action.Always
			return h.Say(action.Word{Long: textBack})
		}
		return h
	}
	return panes.Table{
		{Name: action.NewLine, Do: r.onView(func(v *display) {
			if field := v.editor(); field != nil {
				field.NewLine()
				r.Typed()
			}
		})},
		{Name: action.PageUp, Do: scroll(-2)},
		{Name: action.PageDown, Do: scroll(2), Offered: unnamed},
		{Name: action.Full, Do: r.onView(r.toggleFull),
			Offered: r.when(func(v *display) bool { return v.full || prompt{v}.unseen() > 0 && !v.inBatch }),
			Now:     action.Hinted(full)},
	}
}

// toggleFull shows only the text of the question on view, or brings its options back; in a batch it shows the request
// under the cursor alone, or the list again.
func (r *Room) toggleFull(v *display) {
	view := r.host.View()
	switch {
	case v.batch.rows != nil:
		view.Batch.ShowWhole()
	case v.inBatch:
		view.Batch.ShowList()
	default:
		if (prompt{v}).toggleFull(); !v.full {
			view.BroughtUp()
		}
	}
}

// onView returns the Do of a row that changes the display of the question on view.
func (r *Room) onView(do func(*display)) func(action.At, action.Arg) action.Effect {
	return action.Just(func() {
		if v := r.at(); v != nil {
			do(v)
		}
	})
}

// bindScreen returns rows for the actions that the screen itself carries out in every place: when the footer of a
// question shows their keys.
func (r *Room) bindScreen() panes.Table {
	wide := func() bool { return r.o.Wide != nil && r.o.Wide() }
	several := func() bool { return len(r.host.View().Desk().Waiting()) > 1 }
	strip := func() bool { return several() && r.host.View().HandOff() == "" }
	return panes.Table{
		{Name: action.Next, Offered: action.If(several)},
		{Name: action.Area, Offered: action.If(func() bool {
			v := r.at()
			return wide() || strip() && (v == nil || !v.reading())
		})},
		{Name: action.Pane, Offered: r.when(func(v *display) bool {
			return r.o.ToPane && v.session.Origin.Pane != "" && !v.session.Origin.Remote
		})},
		{Name: action.Settings},
		{Name: action.History, Offered: action.If(wide)},
		{Name: action.Chat, Offered: action.Never},
		{Name: action.Quit, Now: action.Named(func(w action.Word) action.Word {
			if r.host.View().HandOff() != "" {
				w.Long = "leave"
			}
			return w
		})},
	}
}

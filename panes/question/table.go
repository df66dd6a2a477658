package question

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// enoughToFind is the number of options that can have a digit as their key. With more options the foot offers to filter
// them.
const enoughToFind = 9

// Table binds the actions of the room. The queue beside the question uses some of its rows too: for more and less time,
// for cancel, and for scrolling the text.
func (r *Room) Table() panes.Table {
	if v := r.at(); v != nil && v.reading() {
		return r.text
	}
	return r.table
}

// bind returns the table: the actions that package deed carries out, with the words for them in the foot, and the
// actions that only this room or the screen has.
func (r *Room) bind() panes.Table {
	t := slices.Concat(r.bindScrolling(), r.bindOffered(), r.bindScreen())
	keyless := func(a keys.Action) bool { // only the plain mode has this action, or the page about the team
		return a == deed.Editor || !slices.ContainsFunc(keys.Table, func(b keys.Binding) bool { return b.Action == a })
	}
	for _, a := range slices.DeleteFunc(append(deed.Actions(), deed.Next, deed.Previous), keyless) {
		at := slices.IndexFunc(t, func(row panes.Row) bool { return row.Action == a })
		if at < 0 {
			t, at = append(t, panes.Row{Action: a}), len(t)
		}
		t[at].Deed = true
	}
	return t
}

// when returns a function that reports whether a condition holds for the question on view.
func (r *Room) when(is func(*view) bool) func() bool {
	return func() bool {
		v := r.at()
		return v != nil && is(v)
	}
}

// unless is like when, but the function returns false while only the text is on screen.
func (r *Room) unless(is func(*view) bool) func() bool {
	return r.when(func(v *view) bool { return !v.reading() && is(v) })
}

// can returns a function that reports whether an action would have an effect now, as far as that is known.
func (r *Room) can(a keys.Action) func() bool {
	return r.when(func(*view) bool { return r.hand.At().WhyNot(a).OK() })
}

// bindOffered returns rows for the actions that package deed carries out: when the foot shows their keys, and with
// which words.
func (r *Room) bindOffered() panes.Table {
	always := func(*view) bool { return true }
	several := r.unless(func(v *view) bool { return !v.q().Radio() && len(v.q().Options) > 1 })
	cancel := func(w keys.Word) keys.Word {
		if r.at().form.Reviewing() {
			return keys.Word{Long: "cancel all", Short: "cancel"}
		}
		return w
	}
	hidden := func(keys.Word) keys.Word {
		return keys.Word{Long: fmt.Sprintf("%d hidden", r.at().q().HiddenRows())}
	}
	each := func(h keys.Hint) keys.Hint {
		v := r.at()
		h.Keys = v.keys.FirstKeys(keys.PlaceReview, deed.ChangeOne, v.form.Len())
		return h
	}
	return panes.Table{
		{Action: deed.Mark, When: several},
		{Action: deed.Digit, Hint: r.digitHint,
			When: r.unless(func(v *view) bool { return len(v.q().Options) > 0 })},
		{Action: deed.Recommended,
			When: r.unless(func(v *view) bool { return !v.q().Radio() && len(v.q().Options) > 0 })},
		{Action: deed.Note, When: r.unless(func(v *view) bool { return v.q().Annotate && len(v.q().Options) > 0 })},
		{Action: deed.Comment, When: r.unless(func(v *view) bool { return v.form.Takes(form.FieldComment).OK() })},
		{Action: deed.Text, When: r.unless(func(v *view) bool { return v.q().TakesText() })},
		{Action: deed.Find, When: r.unless(func(v *view) bool { return len(v.q().Options) > enoughToFind })},
		{Action: deed.Cancel, Word: cancel},
		{Action: deed.Back, Word: r.backWord},
		{Action: deed.ReasonDown, Hint: r.reasonsHint},
		{Action: deed.Hidden, When: r.unless(func(v *view) bool { return v.q().HiddenRows() > 0 }), Word: hidden},
		{Action: deed.Hide, When: r.unless(always)},
		{Action: deed.TabNext, When: r.when(func(v *view) bool { return v.form.Several() })},
		{Action: deed.ChangeOne, Hint: each},
		{Action: deed.AllRec, When: r.when(func(v *view) bool { return v.form.Recommends() })},
		{Action: deed.StartOver, When: r.when(func(v *view) bool { return v.form.Changed() })},
		{Action: deed.Later, When: r.when(func(v *view) bool { return v.session.Pending() }), Word: r.laterWord},
		{Action: deed.Copy, When: r.when(func(v *view) bool { return len(v.form.Typed()) > 0 })},
		{Action: deed.More, When: r.when(func(v *view) bool {
			return v.session.Pending() && v.soon(r.host.Seat().Desk().Now())
		})},
		{Action: deed.Allow, When: r.unless(func(v *view) bool {
			return v.form.Offers(queue.ActOnce) && !allowsOnce(v)
		}), Word: r.optionWord(queue.ActOnce)},
		{Action: deed.Refuse, When: r.unless(always), Word: r.optionWord(queue.ActRefuse)},
		{Action: deed.Rule, When: r.can(deed.Rule)},
		{Action: deed.Alike, When: func() bool { return r.host.Seat().Round.Alike() > 1 },
			Word: func(keys.Word) keys.Word { return say.RoundHint(r.host.Seat().Round.Alike()) }},
		{Action: deed.AskTeam, When: r.can(deed.AskTeam)}, {Action: deed.Fetch, When: r.can(deed.Fetch)},
		{Action: deed.Defer, When: r.can(deed.Defer)}, {Action: deed.Wait, When: r.can(deed.Wait)},
		{Action: deed.GoOn, When: r.can(deed.GoOn)},
	}
}

// allowsOnce reports whether what allows an approval once is marked.
func allowsOnce(v *view) bool {
	return !slices.ContainsFunc(v.q().Options, func(o queue.Option) bool {
		return o.Act == queue.ActOnce && !v.q().Marked(o.ID)
	})
}

// optionWord returns the words in the foot for the key that marks the option with this act: the option's label if it is
// short, because the person looks for those words.
func (r *Room) optionWord(act string) func(keys.Word) keys.Word {
	return func(w keys.Word) keys.Word {
		options := r.at().q().Options
		at := slices.IndexFunc(options, func(o queue.Option) bool { return o.Act == act })
		if at < 0 {
			return w
		}
		label := say.OneLine(options[at].Label)
		if ink.Width(label) > longestOptionWord {
			return w
		}
		return keys.Word{Long: strings.ToLower(label), Short: w.Short}
	}
}

// longestOptionWord limits the words for a key that marks an option, in cells.
const longestOptionWord = 16

// digitHint returns the hint in the foot for the digits: the keys of the options on screen, and what they do.
func (r *Room) digitHint(h keys.Hint) keys.Hint {
	v := r.at()
	h.Keys = v.digits()
	switch {
	case v.q().SubmitsAtOnce():
		return h.Say(keys.Word{Long: "send at once"})
	case !v.q().Radio(): // space is there too
		h.Rank = 9
		return h.Say(keys.Word{Long: "mark"})
	}
	return h
}

// reasonsHint returns the hint in the foot for the keys that go through the suggested reasons.
func (r *Room) reasonsHint(h keys.Hint) keys.Hint {
	v := r.at()
	h.Keys = v.keys.KeyOf(keys.PlaceReason, deed.ReasonUp) + v.keys.KeyOf(keys.PlaceReason, deed.ReasonDown)
	if v.form.Typing() != form.FieldReason {
		return h.Say(keys.Word{Long: "suggestions"})
	}
	return h.Say(keys.Word{Long: "suggested reasons", Short: "reasons"})
}

// laterWord returns the words in the foot for the key that puts a question off or brings it back.
func (r *Room) laterWord(w keys.Word) keys.Word {
	if _, aside := r.at().session.AsideUntil(r.host.Seat().Desk().Now()); aside {
		return keys.Word{Long: "bring it back", Short: "back"}
	}
	return w
}

// backWord returns the words in the foot for the key that goes back.
func (r *Room) backWord(keys.Word) keys.Word {
	v := r.at()
	switch r.Place() {
	case keys.PlaceTyping, keys.PlaceReason:
		if _, asks := r.host.Seat().Guard.Doubts(true); asks {
			return keys.Word{Long: "puts it aside"}
		}
	}
	switch r.Place() {
	case keys.PlaceTyping:
		cancel := v.key(deed.Cancel)
		if !v.session.Pending() {
			cancel = ""
		}
		return keys.Word{Long: "back (keeps text)" + say.Keyed(", then ", cancel, " cancels"),
			Short: "back" + say.Keyed(", ", cancel, " cancel")}
	case keys.PlaceReason:
		return keys.Word{Long: "back"}
	case keys.PlaceFind:
		return keys.Word{Long: say.ShowAll, Short: say.ShowAllShort}
	case keys.PlaceOver:
		_, foot := say.ClosedBack(r.host.Seat().ShowsHandOff())
		return keys.Word{Long: foot}
	case keys.PlaceApproval:
		if n, _ := r.host.Seat().Round.At(); n > 0 && !v.reading() {
			return keys.Word{Long: say.RoundLeave, Short: "leave"}
		}
	}
	return keys.Word{}
}

// bindScrolling returns rows for the actions that change only what is on screen.
func (r *Room) bindScrolling() panes.Table {
	scroll := func(halves int) func(string) {
		return r.onView(func(v *view) {
			if v.form.Confirming() {
				confirmation{v}.scrollBy(halves)
				return
			}
			prompt{v}.scrollBy(halves)
		})
	}
	unnamed := r.when(func(v *view) bool { return prompt{v}.unseen() > 0 && !v.pages })
	full := func(h keys.Hint) keys.Hint {
		if r.at().full { // the key brings the options back
			h.Rank = 1
			return h.Say(keys.Word{Long: textBack})
		}
		return h
	}
	return panes.Table{
		{Action: keys.ActNewLine, Do: r.onView(func(v *view) {
			if field := v.editor(); field != nil {
				field.NewLine()
				r.Typed()
			}
		})},
		{Action: keys.ActPageUp, Do: scroll(-2)},
		{Action: keys.ActPageDown, Do: scroll(2), When: unnamed},
		{Action: keys.ActFull, Do: r.onView(func(v *view) {
			if (prompt{v}).toggleFull(); !v.full {
				r.host.Seat().BroughtUp()
			}
		}),
			When: r.when(func(v *view) bool { return v.full || prompt{v}.unseen() > 0 }), Hint: full},
	}
}

// onView returns the Do of a row that changes the view of the question on view.
func (r *Room) onView(do func(*view)) func(string) {
	return func(string) {
		if v := r.at(); v != nil {
			do(v)
		}
	}
}

// bindScreen returns rows for the actions that the screen itself carries out in every place: when the foot of a
// question shows their keys.
func (r *Room) bindScreen() panes.Table {
	never := func() bool { return false }
	wide := func() bool { return r.o.Wide != nil && r.o.Wide() }
	several := func() bool { return len(r.host.Seat().Desk().Waiting()) > 1 }
	strip := func() bool { return several() && r.host.Seat().HandOff() == "" }
	return panes.Table{
		{Action: deed.Next, When: func() bool {
			n, _ := r.host.Seat().Round.At()
			return n > 0 || several()
		}},
		{Action: deed.Area, When: func() bool {
			v := r.at()
			return wide() || strip() && (v == nil || !v.reading())
		}},
		{Action: keys.ActPane, When: r.when(func(v *view) bool {
			return r.o.ToPane && v.session.Origin.Pane != "" && !v.session.Origin.Far
		})},
		{Action: keys.ActSettings},
		{Action: keys.ActHistory, When: wide},
		{Action: keys.ActChat, When: never},
		{Action: keys.ActQuit, Word: func(w keys.Word) keys.Word {
			if r.host.Seat().HandOff() != "" {
				w.Long = "leave"
			}
			return w
		}},
	}
}

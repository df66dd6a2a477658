package action

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// Actions that open, close or copy a text.
const (
	Note       Name = "note"
	Comment    Name = "comment"
	Text       Name = "text"
	Copy       Name = "copy"
	Cancel     Name = "cancel"
	Detail     Name = "more_detail"
	EditorHere Name = "editor_typing"
	ReasonUp   Name = "reason_up"
	ReasonDown Name = "reason_down"
	Back       Name = "back"
)

// Reasons of these actions.
const (
	NothingToCopy = Words("you have typed nothing to copy")
	NoEditor      = Words("no editor here")
	KeptText      = Words("your text was not sent; copy it, or go back")
	EndedNow      = Words("this question has just ended; press it again to continue")
)

// texts returns the actions that open a text field, and the one that copies what was typed.
func texts() []Row {
	return []Row{
		{Name: Note, Opens: form.FieldNote, Keys: []string{"n"}, In: onQuestion,
			Chooses: true, Effect: alwaysIs(desk.Marking), Do: beginNote,
			Footer:  "note",
			Offered: func(at At) bool { return !at.Covered && at.Form.Here().Annotate && optionsOf(at) > 0 },
			Help:    "add a note to this option",
			Line:    Line{Word: "note", Args: "N WORDS", Help: "puts a note on option N"}},
		{Name: Comment, Agents: true, Opens: form.FieldComment, Keys: []string{"a"}, In: onWhole,
			Do:      func(at At, _ Arg) Effect { return beginField(at, Comment, form.FieldComment) },
			Footer:  "comment",
			Offered: func(at At) bool { return !at.Covered && at.Form.Takes(form.FieldComment).OK() },
			Help:    "comment on the whole answer",
			Line:    Line{Word: "comment", Args: "WORDS", Help: "puts a comment on the whole answer"}},
		{Name: Text, Opens: form.FieldText, Keys: []string{"t"}, In: onQuestion,
			Chooses: true, Effect: alwaysIs(desk.Marking), Do: beginText,
			Footer: "type", Offered: func(at At) bool { return !at.Covered && at.Form.Here().TakesText() },
			Help: "answer in your own words, or cancel with them as the reason",
			Line: Line{Word: "text", Args: "WORDS", Help: "answers in your own words, where the question takes them; " +
				"without words, or with \\ at the end, more lines follow"}},
		{Name: Copy, Keys: []string{"y"}, In: []Place{PlaceOver, PlaceHistory}, Waits: true,
			Closed: true, Needs: hasTyped,
			Do:     func(at At, _ Arg) Effect { return Effect{Copy: strings.Join(at.Form.Typed(), "\n\n")} },
			Footer: "copy my text", Short: "copy", Offered: func(at At) bool { return len(at.Form.Typed()) > 0 },
			Help:   "copy what you typed",
			HelpAt: map[Place]string{PlaceHistory: "copy the question and its answer"},
			Lacks: map[string]string{Lines: "what was typed is on the terminal, which copies it",
				Command: oneReply}},
		{Name: Cancel, Agents: true, Opens: form.FieldReason, Keys: []string{"x"}, In: onPending,
			Asked: true, Chooses: true, Effect: alwaysIs(desk.Marking),
			Do:     func(at At, _ Arg) Effect { return beginField(at, Cancel, form.FieldReason) },
			Footer: "cancel", Room: Always,
			Now: func(at At, h Hint) Hint {
				switch {
				case at.Form.Reviewing():
					return h.Say(Word{Long: "cancel all", Short: "cancel"})
				case at.Form.Approves() && at.On.Origin.Native():
					return h.Say(leaveIt(at.On.Origin))
				}
				return h
			},
			Help:   "cancel the question; asks for a reason first",
			HelpAt: map[Place]string{PlaceApproval: "leave it to the agent, which then asks with its own prompt"},
			Line: Line{Word: "cancel", Args: "[REASON]",
				Help: "cancels the question and tells the agent why; asks first"}},
		{Name: Detail, Agents: true, Opens: form.FieldDetail, Keys: []string{"m"}, In: onWhole,
			Asked: true, Chooses: true, Effect: alwaysIs(desk.Marking),
			Do:     func(at At, _ Arg) Effect { return beginField(at, Detail, form.FieldDetail) },
			Footer: "more detail", Short: "detail", Room: Spare,
			Help: "ask for more detail; the agent asks again",
			Line: Line{Word: "detail", Args: "[WORDS]",
				Help: "ends the question because you want more detail first; asks first"},
			Lacks: map[string]string{Command: "the reason of a cancel says it"}},
	}
}

// typing returns the actions of an open field.
func typing() []Row {
	return []Row{
		{Name: NewLine, Keys: []string{"ctrl+j", "alt+enter"}, Show: "^J", In: []Place{PlaceTyping, PlaceChat},
			Footer: "new line", Short: "line", Help: "new line; Shift-Enter and Ctrl-Enter too"},
		{Name: UndoTyping, Keys: []string{"ctrl+z", "ctrl+_"}, Show: "^Z", In: inField,
			Help:  "undo",
			Group: "undo, redo; ^U ^K delete to the start or end of the line, ^W Alt-D a word, ^Y puts it back"},
		{Name: RedoTyping, Keys: []string{"alt+z"}, Show: "Alt-Z", In: inField, Help: "redo", With: UndoTyping},
		{Name: EditorHere, Keys: []string{"ctrl+g"}, Show: "^G", In: []Place{PlaceTyping, PlaceChat},
			Closed: true, Needs: mayEdit, Do: edit,
			Footer: "editor", Help: "continue in $VISUAL or $EDITOR",
			Lacks: map[string]string{Page: browserText, Lines: wordsOnly, Command: fileHasText}},
		{Name: TakeBack, Keys: []string{"ctrl+r"}, In: []Place{PlaceChat},
			Footer: "take back", Help: "take back the last line that was not delivered yet"},
	}
}

// suggesting returns the actions that go through the suggested reasons.
func suggesting() []Row {
	return []Row{
		{Name: ReasonUp, Keys: []string{"up"}, In: []Place{PlaceReason},
			Closed: true, Do: func(at At, arg Arg) Effect { return suggest(at, arg.N, -1) },
			Help: "the previous suggested reason", Group: "another suggested reason",
			Lacks: map[string]string{Lines: wordsOnly, Command: allAtOnce}},
		{Name: ReasonDown, Keys: []string{"down"}, In: []Place{PlaceReason},
			Closed: true, Do: func(at At, arg Arg) Effect { return suggest(at, arg.N, 1) },
			Help: "the next suggested reason", With: ReasonUp,
			Lacks: map[string]string{Lines: wordsOnly, Command: allAtOnce}},
	}
}

// Actions of an open field that each frontend carries out itself.
const (
	NewLine    Name = "new_line"
	UndoTyping Name = "undo_typing"
	RedoTyping Name = "redo_typing"
	TakeBack   Name = "take_back"
)

// beginField opens a text field.
func beginField(at At, a Name, field form.Field) Effect {
	text, why := at.Form.Begin(field)
	return beganField(a, field, text, why)
}

// beganField returns the effect of a text field that opens, unless the form refused.
func beganField(a Name, field form.Field, text string, why form.WhyNot) Effect {
	if !why.OK() {
		return effectOfForm(a, why)
	}
	return Effect{Begin: field, Text: text}
}

// beginNote opens the note on the option under the cursor, or on the one with that number.
func beginNote(at At, arg Arg) Effect {
	if arg.N == 0 {
		return beginField(at, Note, form.FieldNote)
	}
	text, why := at.Form.BeginNote(arg.N)
	return beganField(Note, form.FieldNote, text, why)
}

// beginText opens the field of the person's own words. If the question does not accept own words, it opens the field of
// a reason for cancelling the question, unless it is about the team.
func beginText(at At, _ Arg) Effect {
	if at.Form.Here().TakesText() || at.Form.Reviewing() || at.ofTeam {
		return beginField(at, Text, form.FieldText)
	}
	return Effect{Begin: form.FieldReason, Text: at.Form.BeginInstead()}
}

// hasTyped says why there is no text to copy.
func hasTyped(at At, _ Arg) Message {
	if queue.Blank(strings.Join(at.Form.Typed(), "")) {
		return says(NothingToCopy)
	}
	return Message{}
}

// edit opens the text in the person's editor, in its field.
func edit(at At, _ Arg) Effect {
	var e Effect
	if field, a := editable(at.Form); at.Form.Typing() == form.FieldNone {
		e = beginField(at, a, field)
	}
	e.Edit = e.WhyNot.OK()
	return e
}

// editable returns the field that the person's editor would open, and the action that opens the same field without the
// editor: own words if the question accepts them, else the comment.
func editable(f *form.Form) (form.Field, Name) {
	if f.Here().TakesText() {
		return form.FieldText, Text
	}
	return form.FieldComment, Comment
}

// mayEdit returns the reason if the frontend has no editor.
func mayEdit(at At, _ Arg) Message {
	if !at.Edits {
		return says(NoEditor)
	}
	return Message{}
}

// suggest puts a suggested text into the open field: the n-th, counted from 1, or with n = 0 the text that is step
// places after the present suggestion.
func suggest(at At, n, step int) Effect {
	of := len(at.Reasons)
	if of == 0 {
		return Effect{}
	}
	to := at.Reason
	if to < 0 && step < 0 { // without a present suggestion, a step back leads to the last one
		to = 0
	}
	if to += step; n > 0 {
		to = n - 1
	}
	to = (to%of + of) % of
	at.Form.Type(at.Reasons[to])
	return Effect{Reason: &to, Text: at.Reasons[to]}
}

// goBack leaves the innermost thing that is open: a text field, the confirmation, a narrowed list of options, or the
// question itself if it was set aside or has closed.
func goBack(at At, _ Arg) Effect {
	typing := at.Form.Typing()
	switch {
	case at.inBatch:
		return leaveBatch(at)
	case at.paused:
		return then(resume)
	case typing != form.FieldNone:
		if n := at.Reason; typing.Ends() && n >= 0 && n < len(at.Reasons) && at.Form.ReasonText() == at.Reasons[n] {
			at.Form.Type("") // a suggestion that was only looked at is not the person's words
		}
		if typing == form.FieldFind { // first, because a filter that stays moves the mark to an option in sight
			at.Form.Here().ShowAll()
		}
		return endTyping(at)
	case !at.On.Pending():
		return then(leave)
	case at.Form.Confirming():
		at.Form.Decline()
		return Effect{}
	case !at.Form.Reviewing() && at.Form.Here().ShowAll():
		return Effect{Closed: true}
	case at.ofTeam:
		return then(asksTeam((*widen.Consult).Leave))
	}
	return Effect{Back: true}
}

// enterOver is the row of Enter on a question that has ended: it gives way, as with Esc. The guard treats what comes up
// then as come on its own, because this Enter may have been meant for the question.
var enterOver = &Row{Name: Enter, Closed: true, Effect: alwaysIs(desk.Stepping),
	Needs: func(at At, _ Arg) Message { // a text that was not sent stays in sight until the person goes back
		return MayLeaveOver(at.On, at.Form, at.View.Desk().Now())
	},
	Do: func(at At, _ Arg) Effect {
		if at.Full {
			return Effect{Back: true}
		}
		return then(leave, cameUp)
	}}

// MayLeaveOver returns why Enter does not leave a question that has ended: it ended only now, so that the key may have
// been meant to answer it, or a text was not sent, which stays in sight until the person goes back. f is its form, if
// there is one.
func MayLeaveOver(s queue.Session, f *form.Form, now time.Time) Message {
	switch {
	case f != nil && len(f.Typed()) > 0:
		return says(KeptText)
	case s.Outcome != nil && now.Sub(s.Outcome.At) < desk.Settle:
		return says(EndedNow)
	}
	return Message{}
}

// endTyping leaves the text field; the text stays.
func endTyping(at At) Effect {
	typing := at.Form.Typing()
	at.Form.EndTyping()
	return leftField(typing)
}

// leftField returns the effect of a text field that was closed.
func leftField(field form.Field) Effect {
	return Effect{Ends: field, Closed: true, Then: []FollowUp{endHold}}
}

// moveToOption moves the cursor to the n-th option, counted from 1. With 0 it does nothing.
func moveToOption(f *form.Form, n int) {
	q := f.Here()
	if row := slices.Index(q.Rows(), n-1); n > 0 && row >= 0 && row != q.Cursor() {
		q.Move(row - q.Cursor())
	}
}

// mostAgent is the most cells that the name of an agent may take in the footer.
const mostAgent = 12

// leaveIt names the cancel of an approval, which its agent then asks with its own prompt.
func leaveIt(o queue.Origin) Word {
	agent := o.ClientName()
	if agent == "" || len(agent) > mostAgent {
		agent = "its agent"
	}
	return Word{Long: "leave it to " + agent, Short: "leave it"}
}

// Package chat is the composer, in which the person writes a line (a short message) to an agent. It covers the lower
// rows of the screen from Open or Tell until the line is sent or the person leaves.
//
//	Open, Tell ─► desk.Chat ◄─ Type ─ what is typed in the field
//	                │  ▲
//	                │  └── the keys of the Table: send, next agent, take back, leave
//	                ├► LineOpened, LineChanged ─► the field
//	                └► LineSent, LineRefused, LineTakenBack ─► words
//
// The desk keeps the addressed agent, the text for each agent and the lines that are being sent. The room keeps only
// the text field. While the composer is closed, the room returns the words about chat for other parts of the screen.
package chat

import (
	"context"

	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Options hold what the room needs beside its host.
type Options struct {
	// Edit lets the person write in their editor. It is nil without an editor.
	Edit func(ctx context.Context, text string) (string, error)
	// Tee returns the column of a vertical line above the composer that the line over the composer joins; 0: there is
	// none.
	Tee func() int
}

// Room is the composer.
type Room struct {
	*tview.Box
	host  panes.Host
	line  *desk.Chat
	o     Options
	field *editor.Field // the text field of the composer that was opened last
}

// New returns a closed composer.
func New(host panes.Host, line *desk.Chat, o Options) *Room {
	r := &Room{Box: tview.NewBox(), host: host, line: line, o: o}
	d := host.View().Desk()
	desk.Hear(d, func(e desk.LineOpened) {
		if e.View == host.View() {
			r.field = editor.New(r.line.Text())
		}
	})
	desk.Hear(d, func(e desk.LineChanged) {
		if e.View == host.View() && r.line.Open() {
			r.takeText()
		}
	})
	desk.Hear(d, func(e desk.LineSent) { r.sayNews(e) })
	desk.Hear(d, func(e desk.LineRefused) { r.sayNews(e) })
	desk.Hear(d, func(e desk.LineTakenBack) { r.sayNews(e) })
	return r
}

// sayNews says what became of a line.
func (r *Room) sayNews(e desk.Event) {
	if words := say.LineNews(r.line, r.host.View(), e); words != "" {
		r.host.Say(words)
	}
}

// takeText puts the desk's text into the field. Characters that cannot be typed are removed from both.
func (r *Room) takeText() {
	r.field.SetText(r.line.Text())
	if r.field.Text() != r.line.Text() {
		r.Typed()
	}
}

// Open opens the composer for the addressed agent, unless WhyNot gives a reason.
func (r *Room) Open() {
	if r.WhyNot() != "" {
		return
	}
	r.line.Compose()
}

// WhyNot explains why there is no chat here; empty: there is.
func (r *Room) WhyNot() string {
	if r.line.Off() {
		return say.ChatOff(!r.host.View().Desk().Stays())
	}
	return ""
}

// Place returns the place of the composer's keys.
func (r *Room) Place() action.Place { return action.PlaceChat }

// Field returns the text field; nil: the composer is closed.
func (r *Room) Field() *editor.Field {
	if !r.line.Open() {
		return nil
	}
	return r.field
}

// Typed gives the desk the field's new text.
func (r *Room) Typed() { r.line.Type(r.field.Text()) }

// Table binds the keys of the composer.
func (r *Room) Table() panes.Table {
	return panes.Table{
		{Name: action.Enter, Do: action.Just(func() { r.send() })},
		{Name: action.Back, Do: action.Just(func() { r.line.Close() }),
			Now: action.Says("leave (keeps text)", "leave")},
		{Name: action.NewLine, Do: action.Just(func() { r.field.NewLine(); r.Typed() })},
		{Name: action.EditorHere, Do: action.Just(func() { r.edit() }), Needs: action.Unless(r.whyNoEditor)},
		{Name: action.Area, Now: action.Hinted(nextAgent), Do: action.Just(func() { r.next() }),
			Offered: action.If(r.line.HasOtherAgent),
			Needs:   action.Unless(r.whyNoNext)},
		{Name: action.TakeBack, Do: action.Just(func() { r.line.TakeBack() }), Offered: action.If(r.canTakeBack),
			Needs: action.Unless(r.whyNoTakeBack)},
	}
}

// nextAgent returns the hint for the key that goes to the next agent, which is wanted more here than elsewhere.
func nextAgent(h action.Hint) action.Hint {
	h.Room = action.Always
	return h.Say(action.Word{Long: "next agent", Short: "agent"})
}

// whyNoEditor explains why the person's editor does not open.
func (r *Room) whyNoEditor() string {
	if r.o.Edit == nil {
		return say.NoEditor
	}
	return ""
}

// whyNoNext explains that there is no other agent. While a text is being sent, the key does nothing and gives no
// reason.
func (r *Room) whyNoNext() string {
	if r.line.Busy() || r.line.HasOtherAgent() {
		return ""
	}
	return say.NoOtherAgent
}

// canTakeBack reports whether a line can be taken back.
func (r *Room) canTakeBack() bool { return len(r.unfetchedLines()) > 0 }

// whyNoTakeBack explains why no line can be taken back: the agent was given all of them. While no agent is addressed
// the key gives no reason.
func (r *Room) whyNoTakeBack() string {
	if r.line.Addressed() == nil || r.canTakeBack() {
		return ""
	}
	return say.NoLineToTakeBack
}

// send sends the line, or explains why not if the Enter line does not explain it already.
func (r *Room) send() {
	if words := say.LineRefused(r.line, r.line.Send()); words != "" {
		r.host.Say(words)
	}
}

// next addresses the next agent. If the text goes along to that agent, its field stays, so that undo still works.
func (r *Room) next() {
	r.line.Next()
	if r.field.Text() != r.line.Text() {
		r.field = editor.New(r.line.Text())
	}
}

// edit hands the line to the person's editor and takes it back.
func (r *Room) edit() {
	var text string
	var err error
	lent := r.host.Lend(func(ctx context.Context) { text, err = r.o.Edit(ctx, r.field.Text()) })
	switch {
	case !lent:
		r.host.Say(say.TerminalLent)
	case err != nil:
		r.host.Say(say.EditorTrouble(err))
	case text != r.field.Text():
		r.field.SetText(text)
		r.Typed()
	}
}

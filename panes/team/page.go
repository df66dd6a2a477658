package team

import (
	"context"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// Page covers the question: the letter, the choice once the team is asked, the review.
type Page struct {
	*tview.Box
	room *Room
	rows panes.Table
	on   desk.TeamStage // what top and seen are of
	gone bool           // its stage ended; it is shown only because another page covered it
	top  int            // the first line of the sheet on screen
	seen int            // so many of its first lines were on screen before
	laid ink.Laid[laidKey]
}

func newPage(r *Room) *Page {
	p := &Page{Box: tview.NewBox(), room: r}
	p.rows = p.bind()
	w, h := r.host.Size()
	p.Box.SetRect(0, 0, w, max(h-2, 1)) // until the layout says more
	p.turn()
	return p
}

// turn begins at the first line where another stage is shown.
func (p *Page) turn() {
	if stage := p.stage(); stage != p.on {
		p.on, p.top, p.seen = stage, 0, 0
	}
}

// End leaves the page as another one takes its place.
func (p *Page) End() {
	if !p.gone {
		p.gone, p.room.page = true, nil
		p.room.team().Leave()
	}
}

// consult returns the consultation that the page is of; an empty one where that ended.
func (p *Page) consult() *desk.Consultation {
	if c := p.room.team().On(); c != nil && !p.gone {
		return c
	}
	return &desk.Consultation{}
}

func (p *Page) stage() desk.TeamStage { return p.consult().Stage }

// Place returns the place in which keys are looked up now.
func (p *Page) Place() keys.Place {
	if p.Field() != nil {
		return keys.PlaceTeamLine
	}
	switch p.stage() {
	case desk.TeamLetter:
		return keys.PlaceLetter
	case desk.TeamChoice:
		return keys.PlaceTeamChoice
	case desk.TeamReview:
		return keys.PlaceTeamReview
	}
	return keys.PlaceTeamWait
}

// Table binds the keys of the page.
func (p *Page) Table() panes.Table { return p.rows }

// Field returns the line being typed; nil: none is.
func (p *Page) Field() *editor.Field {
	if p.gone {
		return nil
	}
	return p.room.line.edited()
}

// Typed tells the desk the line's new text.
func (p *Page) Typed() { p.room.line.typed() }

// InputHandler gives a key to the line.
func (p *Page) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return p.WrapInputHandler(func(ev *tcell.EventKey, _ func(tview.Primitive)) { p.room.line.key(ev) })
}

// PasteHandler gives pasted text to the line.
func (p *Page) PasteHandler() func(string, func(tview.Primitive)) {
	return p.WrapPasteHandler(func(text string, _ func(tview.Primitive)) { p.room.line.paste(text) })
}

// Foot says what Enter does, and the keys of the place.
func (p *Page) Foot() panes.Foot {
	place := p.Place()
	return panes.Foot{Line: p.enterLine(place), Hints: panes.Hints(p.room.host.Keys(), place, p.rows)}
}

func (p *Page) enterLine(place keys.Place) say.Line {
	c, in := p.consult(), speech(p.room.host)
	switch {
	case place == keys.PlaceTeamLine:
		return p.room.line.enterLine()
	case c.Stage == desk.TeamLetter:
		return say.TeamLetterEnter(c.Invited, c.Marked, c.WithPrompt, p.unread(), in)
	case c.Stage == desk.TeamCalling:
		return say.TeamCallGoesOn(in)
	case c.Stage == desk.TeamChoice:
		return say.TeamChoiceEnter(c.Parks, in)
	case c.Stage == desk.TeamFetching:
		return say.TeamFetchEnter(in)
	case c.Stage == desk.TeamSumming:
		return say.TeamSummingEnter(in)
	case c.Stage == desk.TeamReview:
		return say.TeamReviewEnter(queue.Blank(c.Answer()), p.unread(), in)
	}
	return say.Line{}
}

// bind returns the page's table.
func (p *Page) bind() panes.Table {
	at := func(stage desk.TeamStage) func() bool { return func() bool { return p.stage() == stage } }
	do := func(f func()) func(string) { return func(string) { f() } }
	team := p.room.team
	t := panes.Table{
		{Action: keys.ActEnter, Do: do(p.enter), WhyNot: panes.Because(p.whyNotEnter)},
		{Action: keys.ActBack, Do: do(p.back), Word: p.backWord,
			When: func() bool { return p.Place() != keys.PlaceLetter }}, // another key is offered there
		{Action: keys.ActLetterSend, Do: do(func() { team().Mark() })},
		{Action: keys.ActPromptToo, Do: do(func() { team().TogglePrompt() }), Word: p.promptWord},
		{Action: keys.ActLetterBack, Do: do(p.back)},
		{Action: keys.ActWait, Do: do(func() { team().Park(false) }), When: at(desk.TeamChoice)},
		{Action: keys.ActGoOn, Do: do(func() { team().Park(true) }), When: at(desk.TeamChoice)},
		{Action: keys.ActAccept, Do: do(p.accept), WhyNot: panes.Because(p.whyNotAccepted)},
		{Action: keys.ActEditor, Do: do(p.edit), WhyNot: panes.Because(p.whyNotEdited)},
		{Action: keys.ActDefer, Do: do(p.postpone),
			WhyNot: panes.Because(func() string { return say.TeamWhyNot(team().MayDefer(), say.FaceScreen) })},
		{Action: keys.ActFetch, Do: do(p.fetch), Word: panes.Says("fetch again", "fetch"),
			WhyNot: panes.Because(func() string { return say.TeamWhyNot(team().MayFetch(), say.FaceScreen) })},
	}
	return append(t, p.scrolls()...)
}

// backWord says what the way back does.
func (p *Page) backWord(keys.Word) keys.Word {
	if p.Field() == nil && p.stage() == desk.TeamSumming {
		return keys.Word{Long: say.TeamWithout}
	}
	return keys.Word{Long: "back"}
}

func (p *Page) promptWord(w keys.Word) keys.Word {
	if p.consult().WithPrompt {
		return keys.Word{Long: "without the agent's text", Short: "no text"}
	}
	return w
}

func (p *Page) enter() {
	switch c := p.consult(); {
	case p.Field() != nil:
		p.room.line.enter()
	case c.Stage == desk.TeamLetter:
		p.room.team().Send()
	case c.Stage == desk.TeamChoice:
		p.room.team().Choose()
	}
}

func (p *Page) whyNotEnter() string {
	switch c := p.consult(); {
	case p.Field() != nil:
		return p.room.line.whyNotEnter()
	case c.Stage == desk.TeamLetter && !c.Marked:
		w, _ := p.room.host.Size() // it is in the rule over the foot, whose ends take four cells
		return ink.Fit(p.enterLine(keys.PlaceLetter), w-4, p.room.host.Ink(nil).Glyphs)
	}
	return ""
}

// back goes one level back: out of the line, on without a summary, to the question.
func (p *Page) back() {
	switch {
	case p.gone: // what it was of ended while another page covered it
		p.room.host.Close()
	case p.Field() != nil:
		p.room.team().EndTyping()
	case p.stage() == desk.TeamSumming:
		p.room.team().GoOn()
	default:
		p.room.team().Leave()
	}
}

func (p *Page) whyNotAccepted() string {
	c := p.consult()
	if _, how := c.Accepts(p.room.host.Seat().Session()); how == desk.AcceptNothing {
		return say.TeamNothingToAccept(speech(p.room.host))
	}
	return say.TeamWhyNot(p.room.team().MayFetch(), say.FaceScreen)
}

// accept asks before it resolves the question, and where the person decides otherwise than the team why.
func (p *Page) accept() {
	c, host := p.consult(), p.room.host
	if c.Overrides() {
		if why := say.TeamWhyNot(p.room.team().BeginRationale(), say.FaceScreen); why != "" {
			host.Say(why)
		}
		return
	}
	host.Offer(acceptLine(host, c), func() { accept(host) })
}

func (p *Page) whyNotEdited() string {
	if p.room.o.Edit == nil {
		return say.NoEditor
	}
	return say.TeamWhyNot(p.room.team().MayFetch(), say.FaceScreen)
}

// edit hands the answer to the person's editor. Nothing is sent by that: what Enter would do then is said.
func (p *Page) edit() {
	if p.stage() != desk.TeamReview {
		return // it comes a moment after its key
	}
	c := p.consult()
	was := c.Answer()
	text, err := was, error(nil)
	lent := p.room.host.Lend(func(ctx context.Context) { text, err = p.room.o.Edit(ctx, was) })
	switch {
	case !lent:
		p.room.host.Say(say.TerminalLent)
		return
	case err != nil:
		p.room.host.Say(say.EditorTrouble(err))
		return
	}
	p.room.team().Edited(text)
	if c.Final == nil {
		p.room.host.Say(say.TeamUnwritten)
		return
	}
	if why := p.whyNotAccepted(); why != "" {
		p.room.host.Say(why)
		return
	}
	p.accept()
}

func (p *Page) postpone() {
	if why := say.TeamWhyNot(p.room.team().BeginDeferral(), say.FaceScreen); why != "" {
		p.room.host.Say(why)
	}
}

// fetch asks before it fetches the discussion again.
func (p *Page) fetch() {
	host := p.room.host
	host.Offer(say.TeamFetches(speech(host)), func() {
		if why := say.TeamWhyNot(p.room.team().Fetch(true), say.FaceScreen); why != "" {
			host.Say(why)
		}
	})
}

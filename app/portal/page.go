package portal

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// Panels that may cover the page.
const (
	panelSettings = "settings"
	panelHelp     = "help"
	panelBefore   = "before"
)

// page is one open page of one browser: its view at the desk, the question or list that it shows, and what its person
// has done there. Only the desk's owner uses it.
type page struct {
	pages   *Pages
	web     door.Session // says what the page may do
	view    *desk.View
	board   *action.Keyboard
	chat    *desk.Chat
	browser *browser

	// What it shows.
	path    string        // empty: the browser has not reported one yet
	id      string        // the id of the question; empty: the list
	last    queue.Session // that question in its last known state; the zero Session: not seen yet
	missing bool          // that question does not exist
	row     string        // the id of the list's current row
	panel   string        // panelSettings, panelHelp, panelBefore or empty
	before  beforeView    // what the agent was doing: the content of panelBefore, and its end below the question
	offered offer         // the words of the present offer; see Keyboard.Offers
	reason  int           // the number of the suggested reason in the cancel line, from 1; 0: none

	// What the next draw tells the browser.
	forced  bool   // also replace the text of the field being typed
	focus   string // the id of the element that gets the focus
	message string
	seen    int // the number of the last key that was processed
	alerts  alerts
	spoken  spoken
	wakes   time.Time // when the page is drawn again, because the words of the guard change then

	// How the question came on view, and what the person has seen of it.
	arrives bool   // the page has just moved to it, and the guard does not know that yet
	picked  bool   // the person moved the page there, so keys work without a wait
	waited  bool   // it was pending while the page showed it
	bare    bool   // nothing covers it
	lastUp  string // the id of the question that the view last had on view
	readOf  string // the text whose unread lines are counted; see textPath
	unread  int    // the number of its lines that were not on screen yet
	batches int    // how often a list of approvals that are alike has opened or closed

	// What the person does.
	touch           bool       // the person has no keyboard
	did             bool       // the last action had an effect
	leftUnconfirmed form.Field // the field that lost the focus by the last event, with a text that is put aside
	// by form: the question of it, from 1, whose only field the person left
	leftFields map[*form.Form]int
}

func newPage(p *Pages, s door.Session) *page {
	return &page{pages: p, web: s, leftFields: map[*form.Form]int{},
		browser: &browser{bell: make(chan struct{}, 1), sent: map[string]uint64{}, began: time.Now()}}
}

// takeView creates the page's view at the desk.
func (p *page) takeView() {
	p.view = p.pages.desk.View(desk.ViewOptions{Surface: queue.SurfaceWeb, Given: p.web.Agent, Points: true,
		Frames: true, Types: p.isTyping})
	p.board, p.chat = action.NewKeyboard(p.view, p), desk.NewChat(p.view)
	p.board.Serve(p)
	p.view.Cover(true)
}

// leaveView removes the view.
func (p *page) leaveView() {
	p.board.Drop()
	p.pages.desk.CloseView(p.view)
}

// pick moves the page to a path that the person chose on this page, so keys work there without a wait.
func (p *page) pick(path string) {
	if p.goTo(path) {
		p.picked = true
	}
}

// goTo moves the page to a path that the person did not choose on this page, such as that of a link: see pick. It
// reports whether the page has another question now, or the list in place of a question.
func (p *page) goTo(path string) (moved bool) {
	if path == "" {
		return false
	}
	if !p.web.MayList() && path != "/" {
		path = choicePath + p.web.Question // a link for one question opens only that one
	}
	id, isChoice := strings.CutPrefix(path, choicePath)
	if isChoice {
		if typed, ok := queue.TypedID(id); ok {
			id = typed
		}
	}
	if !isChoice || id == "" {
		id, path = "", "/"
	}
	p.board.Drop()
	if id != p.id && id != p.view.Up() {
		p.view.Batch.Leave()
	}
	p.path, p.panel, p.message = path, "", ""
	if id == p.id && (id == "" || p.last.ID != "") { // the page shows it already
		return false
	}
	p.id, p.last, p.missing, p.reason = id, queue.Session{}, false, 0
	p.findQuestion()
	p.arrives, p.picked, p.leftFields, p.waited = true, false, map[*form.Form]int{}, false
	return true
}

// findQuestion looks for the question of the page: among the live ones, else in the archive.
func (p *page) findQuestion() {
	if p.id == "" || !p.pages.desk.Loaded() || p.last.ID != "" || p.missing {
		return
	}
	if s, ok := p.pages.desk.Session(p.id); ok {
		p.takeState(s)
		return
	}
	id, store := p.id, p.pages.desk.Queue().Store
	if !queue.ValidID(id) {
		p.missing = true
		return
	}
	p.missing = true // until the archive has answered
	p.pages.runBeside(func(ctx context.Context) func() {
		s, err := store.Get(ctx, id)
		return func() {
			if p.id == id && p.last.ID == "" && err == nil {
				p.takeState(s)
			}
			p.drawSoon()
		}
	})
}

// takeState takes the newest state of the page's question.
func (p *page) takeState(s queue.Session) {
	if s.ID != p.id || s.IsMessage() {
		return
	}
	p.missing = false
	if p.web.MayOpen(s) {
		p.last = s
	}
}

// shownKeys returns the keys that the page mentions. For a person without a keyboard it mentions no keys.
func (p *page) shownKeys() action.Map {
	if p.touch {
		return action.Map{}
	}
	return p.pages.keys
}

// waiting returns the pending questions that the page may list.
func (p *page) waiting() []queue.Waiting {
	all := p.pages.desk.Waiting()
	if p.web.MayList() {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(w queue.Waiting) bool { return !p.web.MayOpen(*w.Session) })
}

// session returns the page's question. A question whose time is up counts as timed out, even if that is not stored yet.
// Its Ask is what the person is asked, also where that is something about the team.
func (p *page) session() queue.Session {
	s := p.last.At(p.pages.desk.Now())
	if p.asksOfTeam() && s.Pending() {
		s.Ask = p.view.Session().Ask
	}
	return s
}

// form returns the form of the page's question; nil if there is none to fill in. The view may have another question on
// view, one that this page may not open.
func (p *page) form() *form.Form {
	if p.id == "" || p.last.ID != p.id || p.view.Up() != p.id {
		return nil
	}
	return p.view.Form()
}

// held returns the answer to the page's question if it is held back; else nil.
func (p *page) held() *desk.Outgoing {
	if out := p.view.Undoable(); out != nil && out.Session == p.id {
		return out
	}
	return nil
}

// settleView makes the view show the page's question, and tells the guard how it came on view and whether something
// covers it. Once nothing does, what the agent was doing is read too.
func (p *page) settleView() {
	p.findQuestion()
	pending := p.id != "" && p.last.ID != "" && p.session().Pending()
	if pending && p.view.Up() != p.id && p.held() == nil {
		p.view.Show(p.id)
		p.arrives = true
	}
	if pending && p.arrives && p.view.Up() == p.id {
		if p.arrives = false; p.picked {
			p.view.BroughtUp()
		} else {
			p.view.CameUp()
		}
	}
	covered := !pending || p.view.Up() != p.id || p.panel != ""
	if !covered {
		p.followBefore()
	}
	if p.view.Cover(covered); p.bare == covered {
		p.bare = !covered
		p.pages.post(p.pages.desk.Refresh) // Refresh checks whether the team can be reached
	}
}

// Place returns the place of the key table in which keys are looked up now.
func (p *page) Place() action.Place {
	switch p.panel {
	case panelHelp:
		return action.PlaceHelp
	case panelSettings:
		return action.PlaceSettings
	case panelBefore:
		return action.PlacePeek
	}
	return p.placeBelow()
}

// placeBelow returns the place below the panel that is open.
func (p *page) placeBelow() action.Place {
	f := p.form()
	switch {
	case p.writing():
		return action.PlaceChat
	case p.id == "" && len(p.waiting()) == 0:
		return action.PlaceEmpty
	case p.id == "":
		return action.PlaceQueue
	case p.view.Batch.On():
		return action.PlaceBatch
	case p.held() != nil:
		return action.PlacePostponed
	case f == nil || !p.session().Pending():
		return action.PlaceOver
	}
	return action.PlaceOf(f)
}

// moveOn moves the page to the next open question after its own has ended, unless the ended question holds words of the
// person that were not sent. A notice says how it ended. A page that a link for one question opened stays on that.
func (p *page) moveOn() {
	s := p.session()
	if p.id == "" || p.last.ID != p.id || p.held() != nil || p.view.Batch.On() {
		return
	}
	if s.Pending() {
		p.waited = true
		return
	}
	ours := p.view.EndedBy(p.last)
	f := p.view.FormOf(p.id)
	if !p.waited || !p.web.MayList() || s.Outcome == nil || !ours && f != nil && len(f.Typed()) > 0 {
		return
	}
	for _, w := range p.pages.desk.Waiting() {
		if w.ID != p.id && w.Standing == queue.StandingOpen && p.pages.desk.Outbox().Of(w.ID) == nil {
			o := say.OverOf(s, say.OnPage)
			words := say.Title(s.Ask) + ": " + o.Head + o.What
			if ours {
				p.pick(choicePath + w.ID)
			} else {
				p.goTo(choicePath + w.ID)
			}
			p.settleView()
			p.message = words
			return
		}
	}
}

// noteFrame tells the guard that a frame is on screen at the page.
func (p *page) noteFrame(frame int, at time.Time) {
	if frame == p.view.Guard.Frame() {
		p.view.Guard.Drawn(at)
	}
}

// noteUnread notes how many lines of the question's text have not been on screen yet.
func (p *page) noteUnread(event pageEvent) {
	if event.Path == p.textPath() && p.id != "" {
		p.readOf, p.unread = event.Path, max(event.N, 0)
		if p.view.Batch.On() && p.unread == 0 {
			p.noteBatchSeen()
		}
		p.drawSoon()
	}
}

// textPath names the text to be read on the page: its path, and the list of approvals that are alike while it is open.
func (p *page) textPath() string {
	if p.view.Batch.On() {
		return p.path + "#" + p.batchID()
	}
	return p.path
}

// linesUnread returns how many lines of the text have not been on screen; 1 if that is not known.
func (p *page) linesUnread() int {
	if p.readOf != p.textPath() {
		return 1
	}
	return p.unread
}

// warnTime returns the setting warn_seconds: how long before its end a question is urgent.
func (p *page) warnTime() time.Duration {
	return time.Duration(p.pages.desk.Settings().Notify.WarnSeconds) * time.Second
}

// refocus moves the focus to the element of the present place.
func (p *page) refocus() { p.focus = p.focusNow() }

// focusNow returns the id of the element that should have the focus.
func (p *page) focusNow() string {
	f := p.form()
	switch p.Place() {
	case action.PlaceQueue:
		return "r-" + p.row
	case action.PlaceChat:
		return "f-" + lineField
	case action.PlaceTyping, action.PlaceReason, action.PlaceFind:
		return fieldID(f)
	case action.PlaceQuestion, action.PlaceApproval:
		return optionID(f.Here())
	case action.PlaceReview:
		return "a-" + itoa(f.Row()+1)
	case action.PlaceBatch:
		at, _ := p.view.Batch.Cursor()
		return "b-" + itoa(at+1)
	case action.PlaceConfirm:
		return "title" // Enter on the button would press it
	case action.PlaceHelp, action.PlaceSettings, action.PlacePeek:
		return "panel"
	}
	return "main"
}

// optionID returns the HTML id of the row under the cursor.
func optionID(q *form.Question) string {
	rows := q.Rows()
	if q.Cursor() >= len(rows) {
		return "main"
	}
	if i := rows[q.Cursor()]; i != form.OwnWords {
		return "o-" + itoa(i+1)
	}
	return "own"
}

// closeField closes the text field; the text stays. A field in the footer at the bottom of the page stays open, because
// closing it would do more than that.
func (p *page) closeField() {
	f := p.form()
	if f == nil || f.Typing() == form.FieldNone || inFooter(f.Typing()) {
		return
	}
	if f.Typing() == form.FieldText {
		p.leftFields[f] = f.At() + 1
	}
	f.EndTyping()
	p.view.EndHold()
}

// drawSoon makes the owner draw the pages after its current work.
func (p *page) drawSoon() { p.pages.drawSoon() }

// mayNot says why the person may not use an action on this page; empty: they may. Permission rules and settings affect
// other questions, so a paired device or a link for one question may not change them.
func (p *page) mayNot(a action.Name) string {
	switch a {
	case action.Rule:
		if !p.web.MaySettings() {
			return "a rule is made on your own machine, not from here"
		}
	case action.Chat:
		if !p.web.MaySettings() {
			return "messages to agents are written on your own machine, not from here"
		}
	case action.Alike, action.AskTeam, action.Fetch, action.Defer, action.Wait, action.GoOn:
		if !p.web.MayList() {
			return "this link opens one question: others are answered in the dashboard"
		}
	case action.Peek: // an agent may have been given the link
		if !p.web.MayList() {
			return "what the agent was doing is shown on your own pages, not by this link"
		}
	}
	return ""
}

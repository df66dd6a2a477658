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
	forced bool   // also replace the text of the field being typed
	focus  string // the id of the element that gets the focus
	notice string
	seen   int // the number of the last key that was processed
	alerts alerts
	spoken spoken
	wakes  time.Time // when the page is drawn again, because the words of the guard change then

	// How the question came on view, and what the person has seen of it.
	arrives bool   // the page has just moved to it, and the guard does not know that yet
	picked  bool   // the person moved the page there, so keys work without a wait
	waited  bool   // it was pending while the page showed it
	bare    bool   // nothing covers it
	lastUp  string // the id of the question that the view last had on view
	readOf  string // the id of the question whose unread lines are counted
	unread  int    // the number of its lines that were not on screen yet

	// What the person does.
	touch           bool       // the person has no keyboard
	did             bool       // the last action had an effect
	leftUnconfirmed form.Field // the field that lost the focus by the last event, with a text that is put aside
	leftField       int        // the question of the form, from 1, whose only field the person left
}

func newPage(p *Pages, s door.Session) *page {
	return &page{pages: p, web: s, browser: &browser{bell: make(chan struct{}, 1), sent: map[string]uint64{},
		began: time.Now()}}
}

// takeView creates the page's view at the desk.
func (g *page) takeView() {
	g.view = g.pages.desk.View(desk.ViewOptions{Surface: queue.SurfaceWeb, Given: g.web.Agent, Points: true,
		Frames: true, Types: g.isTyping})
	g.board, g.chat = action.NewKeyboard(g.view, g), desk.NewChat(g.view)
	g.board.Serve(g)
	g.view.Cover(true)
}

// leaveView removes the view.
func (g *page) leaveView() {
	g.board.Drop()
	g.pages.desk.CloseView(g.view)
}

// pick moves the page to a path that the person chose on this page, so keys work there without a wait.
func (g *page) pick(path string) {
	if g.goTo(path) {
		g.picked = true
	}
}

// goTo moves the page to a path that the person did not choose on this page, such as that of a link: see pick. It
// reports whether the page has another question now, or the list in place of a question.
func (g *page) goTo(path string) (moved bool) {
	if path == "" {
		return false
	}
	if !g.web.MayList() && path != "/" {
		path = choicePath + g.web.Question // a link for one question opens only that one
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
	g.board.Drop()
	if id != g.id && id != g.view.Up() {
		g.view.Round.Leave()
	}
	g.path, g.panel, g.notice = path, "", ""
	if id == g.id && (id == "" || g.last.ID != "") { // the page shows it already
		return false
	}
	g.id, g.last, g.missing, g.reason = id, queue.Session{}, false, 0
	g.findQuestion()
	g.arrives, g.picked, g.leftField, g.waited = true, false, 0, false
	return true
}

// findQuestion looks for the question of the page: among the live ones, else in the archive.
func (g *page) findQuestion() {
	if g.id == "" || !g.pages.desk.Loaded() || g.last.ID != "" || g.missing {
		return
	}
	if s, ok := g.pages.desk.Session(g.id); ok {
		g.takeState(s)
		return
	}
	id, store := g.id, g.pages.desk.Queue().Store
	if !queue.ValidID(id) {
		g.missing = true
		return
	}
	g.missing = true // until the archive has answered
	g.pages.runBeside(func(ctx context.Context) func() {
		s, err := store.Get(ctx, id)
		return func() {
			if g.id == id && g.last.ID == "" && err == nil {
				g.takeState(s)
			}
			g.drawSoon()
		}
	})
}

// takeState takes the newest state of the page's question.
func (g *page) takeState(s queue.Session) {
	if s.ID != g.id || s.IsMessage() {
		return
	}
	g.missing = false
	if g.web.MayOpen(s) {
		g.last = s
	}
}

// shownKeys returns the keys that the page mentions. For a person without a keyboard it mentions no keys.
func (g *page) shownKeys() action.Map {
	if g.touch {
		return action.Map{}
	}
	return g.pages.keys
}

// waiting returns the pending questions that the page may list.
func (g *page) waiting() []queue.Waiting {
	all := g.pages.desk.Waiting()
	if g.web.MayList() {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(w queue.Waiting) bool { return !g.web.MayOpen(*w.Session) })
}

// session returns the page's question. A question whose time is up counts as timed out, even if that is not stored yet.
func (g *page) session() queue.Session { return g.last.At(g.pages.desk.Now()) }

// form returns the form of the page's question; nil if there is none to fill in. The view may have another question on
// view, one that this page may not open.
func (g *page) form() *form.Form {
	if g.id == "" || g.last.ID != g.id || g.view.Up() != g.id {
		return nil
	}
	return g.view.Form()
}

// held returns the answer to the page's question if it is held back; else nil.
func (g *page) held() *desk.Outgoing {
	if out := g.view.Undoable(); out != nil && out.Session == g.id {
		return out
	}
	return nil
}

// settleView makes the view show the page's question, and tells the guard how it came on view and whether something
// covers it. Once nothing does, what the agent was doing is read too.
func (g *page) settleView() {
	g.findQuestion()
	pending := g.id != "" && g.last.ID != "" && g.session().Pending()
	if pending && g.view.Up() != g.id && g.held() == nil {
		g.view.Show(g.id)
		g.arrives = true
	}
	if pending && g.arrives && g.view.Up() == g.id {
		if g.arrives = false; g.picked {
			g.view.BroughtUp()
		} else {
			g.view.CameUp()
		}
	}
	covered := !pending || g.view.Up() != g.id || g.panel != "" || g.view.Round.Reviewing()
	if !covered {
		g.followBefore()
	}
	if g.view.Cover(covered); g.bare == covered {
		g.bare = !covered
		g.pages.post(g.pages.desk.Refresh) // Refresh checks whether the team can be reached
	}
}

// Place returns the place of the key table in which keys are looked up now.
func (g *page) Place() action.Place {
	f := g.form()
	switch {
	case g.panel == panelHelp:
		return action.PlaceHelp
	case g.panel == panelSettings:
		return action.PlaceSettings
	case g.panel == panelBefore:
		return action.PlacePeek
	case g.writing():
		return action.PlaceChat
	case g.id == "" && len(g.waiting()) == 0:
		return action.PlaceEmpty
	case g.id == "":
		return action.PlaceQueue
	case g.view.Round.Reviewing():
		return action.PlaceRound
	case g.held() != nil:
		return action.PlaceHeld
	case f == nil || !g.session().Pending():
		return action.PlaceOver
	case g.consult() != nil:
		return say.TeamPlace(g.consult())
	}
	return say.FormPlace(f)
}

// moveOn moves the page to the next open question after its own has ended, unless the ended question holds words of the
// person that were not sent. A notice says how it ended. A page that a link for one question opened stays on that.
func (g *page) moveOn() {
	s := g.session()
	if g.id == "" || g.last.ID != g.id || g.held() != nil || g.view.Round.On() {
		return
	}
	if s.Pending() {
		g.waited = true
		return
	}
	ours := g.view.EndedBy(g.last)
	f := g.view.FormOf(g.id)
	if !g.waited || !g.web.MayList() || s.Outcome == nil || !ours && f != nil && len(f.Typed()) > 0 {
		return
	}
	for _, w := range g.pages.desk.Waiting() {
		if w.ID != g.id && w.Standing == queue.StandingOpen && g.pages.desk.Outbox().Of(w.ID) == nil {
			o := say.OverOf(s, say.OnPage)
			words := say.Title(s.Ask) + ": " + o.Head + o.What
			if ours {
				g.pick(choicePath + w.ID)
			} else {
				g.goTo(choicePath + w.ID)
			}
			g.settleView()
			g.notice = words
			return
		}
	}
}

// noteFrame tells the guard that a frame is on screen at the page.
func (g *page) noteFrame(frame int, at time.Time) {
	if frame == g.view.Guard.Frame() {
		g.view.Guard.Drawn(at)
	}
}

// noteUnread notes how many lines of the question's text have not been on screen yet.
func (g *page) noteUnread(event pageEvent) {
	if event.Path == g.path && g.id != "" {
		g.readOf, g.unread = g.id, max(event.N, 0)
		g.drawSoon()
	}
}

// linesUnread returns how many lines of the text have not been on screen; 1 if that is not known.
func (g *page) linesUnread() int {
	if g.readOf != g.id {
		return 1
	}
	return g.unread
}

// warnTime returns the setting warn_seconds: how long before its end a question is urgent.
func (g *page) warnTime() time.Duration {
	return time.Duration(g.pages.desk.Settings().Notify.WarnSeconds) * time.Second
}

// refocus moves the focus to the element of the present place.
func (g *page) refocus() { g.focus = g.focusNow() }

// focusNow returns the id of the element that should have the focus.
func (g *page) focusNow() string {
	f := g.form()
	switch g.Place() {
	case action.PlaceQueue:
		return "r-" + g.row
	case action.PlaceTeamLine:
		return "f-" + teamField
	case action.PlaceLetter:
		return "team-prompt"
	case action.PlaceTeamChoice:
		return "team-until"
	case action.PlaceChat:
		return "f-" + lineField
	case action.PlaceTyping, action.PlaceReason, action.PlaceFind:
		return fieldID(f)
	case action.PlaceQuestion, action.PlaceApproval:
		return optionID(f.Here())
	case action.PlaceReview:
		return "a-" + itoa(f.Row()+1)
	case action.PlaceConfirm:
		return "confirm"
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
func (g *page) closeField() {
	f := g.form()
	if f == nil || f.Typing() == form.FieldNone || inFooter(f.Typing()) {
		return
	}
	if f.Typing() == form.FieldText {
		g.leftField = f.At() + 1
	}
	f.EndTyping()
	g.view.EndHold()
}

// drawSoon makes the owner draw the pages after its current work.
func (g *page) drawSoon() { g.pages.drawSoon() }

// mayNot says why the person may not use an action on this page; empty: they may. Permission rules and settings affect
// other questions, so a paired device or a link for one question may not change them.
func (g *page) mayNot(a action.Name) string {
	switch a {
	case action.Rule:
		if !g.web.MaySettings() {
			return "a rule is made on your own machine, not from here"
		}
	case action.Chat:
		if !g.web.MaySettings() {
			return "messages to agents are written on your own machine, not from here"
		}
	case action.Alike, action.AskTeam, action.Fetch, action.Defer, action.Wait, action.GoOn,
		action.Accept:
		if !g.web.MayList() {
			return "this link opens one question: others are answered in the dashboard"
		}
	case action.Peek: // an agent may have been given the link
		if !g.web.MayList() {
			return "what the agent was doing is shown on your own pages, not by this link"
		}
	}
	return ""
}

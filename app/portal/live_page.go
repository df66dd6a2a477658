package portal

import (
	"context"
	"errors"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// Panels that may cover the page.
const (
	panelSettings = "settings"
	panelHelp     = "help"
)

// page is one open page: a seat, and where the person is on it.
type page struct {
	all   *Pages
	grant Grant
	seat  *desk.Seat
	chat  *desk.Chat
	out   *mailbox

	stale   bool          // it must be drawn again
	path    string        // as the page has it; empty: it has not said yet
	id      string        // the question it is on; empty: the list
	last    queue.Session // that question as last seen; the zero Session: not seen yet
	missing bool          // there is no such question
	panel   string        // see above
	row     string        // of the list, where the keys are
	reason  int           // which suggested reason is in the cancel line, counted from 1; 0: none
	ousted  bool          // a draft from elsewhere took its confirmation away
	forced  bool          // the field being typed is to take over what is here
	focus   string        // what gets the focus with the next draw
	seen    int           // the last key that was done
	notice  string
	readOf  string // the question of which the page told what was read
	unread  int    // so many lines of it were not on screen yet
	sat     string // the question that the seat had on view last
	hand    *deed.Hand
	offered offer // see Hand.Offers
	did     bool  // the last action came to something
	bare    bool  // nothing covers its question
	alerts  alerts

	leftField bool              // the field of an answer that is only words was left: letters are keys
	waited    bool              // its question was pending while the page was on it
	touch     bool              // the person has no keyboard
	arrives   bool              // it has just been brought to its question
	picked    bool              // by the person, on this page
	frame     int               // the frame that the page was last asked to report; see Guard.Frame
	began     time.Time         // when the page came
	quickest  time.Duration     // from the page's clock to ours, by the word of it that was quickest on its way
	timed     bool              // that is known
	wakes     time.Time         // when the page is drawn again, as what the guard says changes then
	sent      map[string]uint64 // by part: what the page has
	told      map[string]clock  // by session: the times that the page has
}

// choicePath begins the path of a question.
const choicePath = "/choice/"

func newPage(p *Pages, g Grant) *page {
	return &page{all: p, grant: g, out: newMailbox(), sent: map[string]uint64{}, began: time.Now()}
}

// sit takes a seat at the desk.
func (g *page) sit() {
	g.seat = g.all.d.Seat(desk.SeatOptions{Surface: queue.SurfaceWeb, Given: g.grant.Given, Points: true, Frames: true,
		Types: g.types})
	g.hand, g.chat = deed.NewHand(g.seat, face{g}), desk.NewChat(g.seat)
	g.seat.Cover(true)
}

// rise leaves the seat.
func (g *page) rise() {
	g.hand.Drop()
	g.all.d.Unseat(g.seat)
}

// goTo brings the page to a path. picked: the person chose it here, so that keys need no wait.
func (g *page) goTo(path string, picked bool) {
	if path == "" {
		return
	}
	if !g.grant.MayList() && path != "/" {
		path = choicePath + g.grant.Only // whatever was asked for, the link opens one question
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
	g.hand.Drop()
	if id != g.id && id != g.seat.Up() {
		g.seat.Round.Leave()
	}
	g.path, g.panel, g.notice = path, "", ""
	if id == g.id && (id == "" || g.last.ID != "") {
		return
	}
	g.id, g.last, g.missing, g.reason, g.ousted = id, queue.Session{}, false, 0, false
	g.find()
	g.arrives, g.picked, g.leftField, g.waited = true, picked, false, false
}

// find looks the question of the page up: among the live ones, else in the archive.
func (g *page) find() {
	if g.id == "" || !g.all.d.Loaded() || g.last.ID != "" || g.missing {
		return
	}
	if s, ok := g.all.d.Session(g.id); ok {
		g.see(s)
		return
	}
	id, store := g.id, g.all.d.Queue().Store
	if !queue.ValidID(id) {
		g.missing = true
		return
	}
	g.missing = true // until it is found
	g.all.beside(func(ctx context.Context) func() {
		s, err := store.Get(ctx, id)
		return func() {
			if g.id == id && g.last.ID == "" && err == nil {
				g.see(s)
			}
			g.drawSoon()
		}
	})
}

// see takes over the newest state of the question on the page.
func (g *page) see(s queue.Session) {
	if s.ID != g.id || s.IsMessage() {
		return
	}
	g.missing = false
	if g.grant.MayOpen(s) {
		g.last = s
	}
}

// hear follows what happens at the desk.
func (g *page) hear(e desk.Event) {
	switch e := e.(type) {
	case desk.Changed:
		g.see(e.Now)
	case desk.Ended:
		g.see(e.Session)
		g.alerts.ended(g, e.Session)
	case desk.Stored:
		g.see(e.Session)
	case desk.Shown:
		if e.Seat == g.seat {
			g.hand.Drop()
			g.follow(e.ID)
		}
	case desk.DraftTaken:
		if e.Seat == g.seat && e.ID == g.id {
			g.forced, g.ousted = true, e.Unconfirmed
		}
	case desk.NotStored:
		if e.ID == g.id && !e.Again {
			g.notice = say.NotSent(e.Err, say.FacePage)
		}
	case desk.NotMoved:
		g.say(e.ID, say.ClockNotMoved(e.Err, say.FacePage))
	case desk.NotLater:
		g.say(e.ID, say.NotSetAside(e.Err))
	default:
		g.followLine(e)
		g.followTeam(e)
	}
}

// follow goes to the question that the seat turned to while the one on the page is still to be answered: the person set
// that aside, parked it, goes through similar ones, or took an answer back.
func (g *page) follow(id string) {
	was := g.sat
	g.sat = id
	waits := g.session().Pending() || g.seat.Round.On()
	if id == "" || g.id == "" || id == g.id || was != g.id || g.last.ID != g.id || !waits || !g.grant.MayList() ||
		g.all.d.Outbox().Of(g.id) != nil {
		return
	}
	g.goTo(choicePath+id, false)
	g.arrives = false // the desk has told the guard how it came on view
	verbs{g}.refocus()
}

// say says something of a question, if the page is on it.
func (g *page) say(id, words string) {
	if id == g.id {
		g.notice = words
	}
}

// said returns the keys that the page speaks of: none to a person without a keyboard.
func (g *page) said() keys.Map {
	if g.touch {
		return keys.Map{}
	}
	return g.all.keys
}

// waiting returns the pending questions that the page may list.
func (g *page) waiting() []queue.Waiting {
	all := g.all.d.Waiting()
	if g.grant.MayList() {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(w queue.Waiting) bool { return !g.grant.MayOpen(*w.Session) })
}

// session returns the question of the page as the clock leaves it.
func (g *page) session() queue.Session { return g.last.At(g.all.d.Now()) }

// form returns the form of the page's question; nil if there is nothing to fill in. The seat may have a question on
// view that the page may not open; last holds only a question that it may.
func (g *page) form() *form.Form {
	if g.id == "" || g.last.ID != g.id || g.seat.Up() != g.id {
		return nil
	}
	return g.seat.Form()
}

// held returns the answer of this page that is held back, if it is one to its question.
func (g *page) held() *desk.Outgoing {
	if out := g.seat.Undoable(); out != nil && out.Session == g.id {
		return out
	}
	return nil
}

// settle has the seat show what the page shows.
func (g *page) settle() {
	g.find()
	pending := g.id != "" && g.last.ID != "" && g.session().Pending()
	if pending && g.seat.Up() != g.id && g.held() == nil {
		g.seat.Show(g.id)
		g.arrives = true
	}
	if pending && g.arrives && g.seat.Up() == g.id {
		if g.arrives = false; g.picked {
			g.seat.BroughtUp()
		} else {
			g.seat.CameUp()
		}
	}
	covered := !pending || g.seat.Up() != g.id || g.panel != "" || g.seat.Round.Reviewing()
	if g.seat.Cover(covered); g.bare == covered {
		g.bare = !covered
		g.all.post(g.all.d.Refresh) // which looks whether the team can be reached
	}
}

// place returns the place in which keys are looked up now.
func (g *page) place() keys.Place {
	f := g.form()
	switch {
	case g.panel == panelHelp:
		return keys.PlaceHelp
	case g.panel == panelSettings:
		return keys.PlaceSettings
	case g.writing():
		return keys.PlaceChat
	case g.id == "" && len(g.waiting()) == 0:
		return keys.PlaceEmpty
	case g.id == "":
		return keys.PlaceQueue
	case g.seat.Round.Reviewing():
		return keys.PlaceRound
	case g.held() != nil:
		return keys.PlaceHeld
	case f == nil || !g.session().Pending():
		return keys.PlaceOver
	case g.consult() != nil:
		return say.TeamPlace(g.consult())
	}
	return placeIn(f)
}

// placeIn returns the place in which keys are looked up on a pending question.
func placeIn(f *form.Form) keys.Place {
	switch f.Typing() {
	case form.FieldReason, form.FieldDetail, form.FieldRefusal:
		return keys.PlaceReason
	case form.FieldFind:
		return keys.PlaceFind
	case form.FieldText, form.FieldNote, form.FieldComment:
		return keys.PlaceTyping
	}
	switch {
	case f.Confirming():
		return keys.PlaceConfirm
	case f.Reviewing():
		return keys.PlaceReview
	case f.Approves():
		return keys.PlaceApproval
	}
	return keys.PlaceQuestion
}

var seed = maphash.MakeSeed()

// drawSoon has the page drawn, after what the owner is at.
func (g *page) drawSoon() {
	g.stale = true
	g.all.drawSoon()
}

// concerns reports whether something that happened may show on the page.
func (g *page) concerns(e desk.Event) bool {
	switch e := e.(type) {
	case desk.Changed: // that the queue is another one is told as Ordered
		return e.Now.ID == g.id
	case desk.Shown:
		return e.Seat == g.seat
	case desk.DraftTaken:
		return e.Seat == g.seat
	case desk.RoundMoved:
		return e.Seat == g.seat
	}
	return true
}

// draw tells the page what has changed on it.
func (g *page) draw() {
	if g.path == "" {
		return
	}
	g.settle()
	g.leadOn()
	v := viewer{g}.view()
	known := g.all.keysIn(g.place())
	if g.hand.Offers() && !slices.Contains(known, "enter") {
		known = append(slices.Clone(known), "enter")
	}
	if c := g.consult(); c != nil && c.Stage != widen.Asking { // Tab is the browser's
		known = slices.DeleteFunc(slices.Clone(known), func(key string) bool {
			return key == "tab" || key == "backtab"
		})
	}
	g.out.put(func(m *message) {
		for id, p := range v.parts {
			if g.sent[id] != p.sum {
				g.sent[id], m.Parts[id] = p.sum, p.html
			}
		}
		for id, text := range v.values {
			if sum := maphash.String(seed, text); g.sent["="+id] != sum || g.forced {
				g.sent["="+id], m.Values[id] = sum, text
			}
		}
		maps.DeleteFunc(g.sent, func(part string, _ uint64) bool { // a field that is gone comes back empty
			id, field := strings.CutPrefix(part, "=")
			_, here := v.values[id]
			return field && !here
		})
		m.Force = m.Force || g.forced
		if sum := maphash.String(seed, strings.Join(known, " ")+v.title+g.path); g.sent["keys"] != sum {
			g.sent["keys"], m.Keys, m.Title, m.Path = sum, known, v.title, g.path
		}
		for id, c := range g.news() {
			m.Times[id] = c
		}
		if g.focus != "" {
			m.Focus = g.focus
		}
		if g.notice != "" {
			m.Say = notice(g.notice)
		}
		m.Seen = g.seen
		if frame := g.seat.Guard.Frame(); frame != g.frame {
			g.frame, m.Frame = frame, frame
		}
	})
	g.wake()
	g.forced, g.focus, g.notice = false, "", ""
}

// notice begins a notice with a capital, unless a key of one letter does: J and j are two keys.
func notice(words string) string {
	if first, _, _ := strings.Cut(words, " "); len(first) == 1 {
		return words
	}
	return say.Capital(words)
}

// leadOn goes to the next question that is pending once the one on the page has ended: the person answered it, or it
// closed and holds none of their words. How it ended is said for a while. A link that opens one question stays there.
func (g *page) leadOn() {
	s := g.session()
	if g.id == "" || g.last.ID != g.id || g.held() != nil || g.seat.Round.On() {
		return
	}
	if s.Pending() {
		g.waited = true
		return
	}
	ours := g.seat.EndedBy(g.last)
	f := g.seat.FormOf(g.id)
	if !g.waited || !g.grant.MayList() || s.Outcome == nil || !ours && f != nil && len(f.Typed()) > 0 {
		return
	}
	for _, w := range g.all.d.Waiting() {
		if w.ID != g.id && w.Standing == queue.StandingOpen && g.all.d.Outbox().Of(w.ID) == nil {
			o := say.OverOf(s, say.FacePage)
			words := say.Title(s.Ask) + ": " + o.Head + o.What
			g.goTo(choicePath+w.ID, ours)
			g.settle()
			g.notice = words
			return
		}
	}
}

// wake has the page drawn again once what the guard says changes on its own.
func (g *page) wake() {
	now := g.all.d.Now()
	if due := g.seat.Guard.Due(now); !due.IsZero() && !due.Equal(g.wakes) {
		g.wakes = due
		time.AfterFunc(due.Sub(now), func() { g.all.post(g.drawSoon) })
	}
}

// timeOf returns the time at which the person acted. The page measures it on its own clock, so that a slow connection
// does not count: the delay beyond that of the page's quickest message is subtracted.
func (g *page) timeOf(d pageEvent) time.Time {
	const most = 10 * time.Second
	now := g.all.d.Now()
	if d.At <= 0 {
		return now
	}
	took := time.Since(g.began) - time.Duration(d.At*float64(time.Millisecond))
	if !g.timed || took < g.quickest {
		g.timed, g.quickest = true, took
	}
	return now.Add(-min(took-g.quickest, most).Truncate(time.Millisecond))
}

// shownOn notes that a frame is on screen at the page.
func (g *page) shownOn(frame int, at time.Time) {
	if frame == g.seat.Guard.Frame() {
		g.seat.Guard.Drawn(at)
	}
}

// readOn notes how many lines of its question's text the page has not shown yet.
func (g *page) readOn(d pageEvent) {
	if d.Path == g.path && g.id != "" {
		g.readOf, g.unread = g.id, max(d.N, 0)
		g.drawSoon()
	}
}

// linesUnread returns how many lines of the text on the page were not on screen, at least one if that is not known.
func (g *page) linesUnread() int {
	if g.readOf != g.id {
		return 1
	}
	return g.unread
}

// actLate does what a letter was for that waited, once its time has come.
func (g *page) actLate() {
	if g.hand.ActLate(g.all.d.Now()) {
		g.all.d.Refresh()
	}
	g.drawSoon()
}

// errText returns an error in the page's words.
func errText(err error) string {
	if errors.Is(err, desk.ErrStuck) {
		return say.DiskMute
	}
	return say.Cause(err)
}

// warn returns how long before its end a question's time is shown as urgent.
func (g *page) warn() time.Duration {
	return time.Duration(g.all.d.Settings().Notify.WarnSeconds) * time.Second
}

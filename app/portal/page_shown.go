package portal

import (
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// shown returns what the page shows now.
func (g *page) shown() shown {
	d := g.pages.desk
	v := shown{now: d.Now(), home: g.pages.services.Home, place: g.Place(), in: g.speech(), maySet: g.web.MaySettings(),
		mayList: g.web.MayList(), top: g.top(), panel: g.panel}
	if v.mayList {
		v.pending = len(d.Waiting())
	}
	switch {
	case g.id == "":
		v.list = g.list()
	case v.place == action.PlaceRound:
		v.round = g.roundReview(v.in)
	case g.last.ID != "":
		g.showQuestion(&v)
	case !d.Loaded():
		v.words = wordsLoading
	default:
		v.words = "There is no such question, or it is no longer kept."
		if s, ok := d.Session(g.id); ok && !g.web.MayOpen(s) {
			v.words = "This link does not open that question. " +
				"Answer it in the dashboard, or start choicetui web yourself."
		}
	}
	if g.writing() {
		v.line = g.lineFooter(v)
	}
	switch g.panel {
	case panelHelp:
		v.panelData = g.help()
	case panelBefore:
		v.panelData = g.before
	case panelSettings:
		v.panelData = g.settingsView()
	}
	return v
}

// top returns the line at the top of the page.
func (g *page) top() topView {
	d := g.pages.desk
	t := topView{List: g.web.MayList() && g.id != "", Settings: g.web.MaySettings(),
		Writes: g.mayNot(action.Chat) == "" && !g.chat.Off() && g.chat.Addressed() != nil}
	if g.web.MayList() {
		t.Waiting = say.Waiting(len(d.Waiting()), d.Gone(), g.view.Up(), d.Needed())
	}
	if trouble := d.Trouble(); trouble.Queue != nil {
		t.Problem = say.Sentence(say.QueueUnread(trouble.Queue)[0])
	} else if trouble.Disk {
		t.Problem = say.Sentence(say.DiskSilent)
	}
	return t
}

// showQuestion fills in the page's question.
func (g *page) showQuestion(v *shown) {
	d, s, f := g.pages.desk, g.session(), g.form()
	held, out := g.held(), d.Outbox().Of(g.id)
	a := &asked{session: s, who: d.Name(s.Origin), form: g.view.FormOf(g.id), fills: f != nil,
		locked: held != nil || out != nil, notices: g.notices(s)}
	v.asked = a
	if sent, late := g.view.TooLate(s); late {
		a.tooLate = say.TooLate(s, sent)
	}
	for _, w := range d.Waiting() {
		if w.ID != s.ID {
			a.next, a.nextID = w.Ask, w.ID
			break
		}
	}
	if b := g.before; g.showsBefore() && b.Of == g.id && b.Says != "" && !b.Unknown {
		a.before = new(b.end())
	}
	if held != nil {
		a.footer.held = say.Held(s.Ask.Summary(held.Answer()), held.Until().Sub(v.now), v.in).In("·")
	}
	if out != nil {
		a.footer.sending = "Sending…"
		if out.Err != nil {
			a.footer.sending = say.Capital(say.AnswerUnsaved(say.Cause(out.Err)))
		}
	}
	if f == nil {
		return
	}
	g.fillFooter(&a.footer, f, v)
	if c := g.consult(); c != nil {
		if c.OnPage() {
			a.consult = g.consulting(*v, c)
		}
		if line := c.Line(); line != widen.NoLine {
			a.teamLine = new(c.Text(line))
		}
		a.footer.team = &footerView{}
		g.consultFooter(*v, a.footer.team, c)
	}
}

// fillFooter fills in what the footer below the question says and does.
func (g *page) fillFooter(b *footerValues, f *form.Form, v *shown) {
	guard, round := &g.view.Guard, g.view.Round
	if g.board.Offers() {
		b.offer = g.offered
	}
	if until, paused := g.view.Paused(); paused {
		b.paused = new(say.Words(say.Paused(until, v.in)[0]))
	}
	at := g.board.At()
	for _, a := range footerButtons {
		if at.WhyNot(a).OK() && g.mayNot(a) == "" {
			b.can = append(b.can, a)
		}
	}
	b.gone, b.unread = v.asked.session.Gone(g.pages.desk.Alive), g.linesUnread()
	says := guard.Says(v.now)
	b.refused, b.behind = say.NotYet(says.NotTaken, says.Why, says.Before, says.Again, v.in), says.Behind
	b.doubts, b.asks = guard.Doubts(f.TextSends())
	b.keyTyped, b.letter = g.board.KeyTyped(), g.board.LetterTyped()
	if b.round.n, b.round.of = round.At(); b.round.n > 0 {
		b.round.next = round.Next()
	} else if f.Approves() {
		b.round.alike = round.Alike()
	}
}

// notices returns the sentences above a question about its circumstances.
func (g *page) notices(s queue.Session) (list []string) {
	if n, of := g.view.Round.At(); n > 0 && g.view.Up() == g.id {
		list = append(list, say.RoundAt(n, of, g.view.Round.Aside())[0])
	}
	if words := say.AllowedBefore(g.pages.desk.AllowedBefore(s), g.pages.desk.Now()); words != "" && s.Pending() {
		list = append(list, say.Sentence(words))
	}
	if names := g.pages.desk.MeantFor(s); len(names) > 0 {
		list = append(list, say.Sentence(say.MeantFor(names)))
	}
	if s.Ask.Odd() {
		list = append(list, say.Capital(say.HiddenCharacters)+".")
	}
	if words := say.MarkedLine(s.Ask.Approval); words != "" {
		list = append(list, words)
	}
	if s.Gone(g.pages.desk.Alive) {
		list = append(list, say.GoneKept(say.Who(s.Origin), say.InLines))
	}
	if words := say.AnsweringNow(g.pages.desk.Answering(s.ID)); words != "" {
		list = append(list, words)
	}
	if role, foreign := g.view.Foreign(); foreign && g.view.Up() == g.id {
		list = append(list, say.Sentence(say.Drafted(role, say.OnPage)))
	}
	return list
}

// list returns the HTML of the list. It is drawn once for all pages that may list all questions.
func (g *page) list() *part {
	p := g.pages
	if p.queue != nil && g.web.MayList() {
		return p.queue
	}
	empty := say.NothingPendingLine(p.desk.Needed())
	if !p.desk.Loaded() {
		empty = wordsLoading
	}
	all, more := g.waiting(), ""
	if n := len(all) - mostListed; n > 0 {
		all, more = all[:mostListed], say.AndMore(n)
	}
	hosts := ""
	if names := slices.Sorted(maps.Keys(p.desk.Settings().Remotes)); len(names) > 0 && g.web.MayList() {
		hosts = "Questions on " + say.AllOf(names) + " are in the dashboard in your terminal, not on this page."
	}
	made := partOf("list", listView{p.entriesOf(all), g.needed(), g.lastAnswers(), empty, more, hosts})
	if g.web.MayList() {
		p.queue = &made
	}
	return &made
}

// entriesOf returns the rows of pending questions in the list.
func (p *Pages) entriesOf(waiting []queue.Waiting) (list []entryView) {
	for i, w := range waiting {
		e := entryView{ID: w.ID, Title: say.Title(w.Ask), Who: p.desk.Name(w.Origin), Path: choicePath + w.ID,
			Aside: w.Standing != queue.StandingOpen, Key: p.keys.KeyFor(action.PlaceQueue, action.OpenOne, i+1)}
		if w.Ask.Kind == queue.KindApproval {
			e.Title = "Approve? " + e.Title
		}
		e.Standing = strings.Join(p.standing(w), " · ")
		e.Draft = p.desk.HasDraft(w.ID)
		list = append(list, e)
	}
	return list
}

// lastAnswers returns the last answers that this page may show.
func (g *page) lastAnswers() (list []answeredView) {
	d := g.pages.desk
	for _, s := range d.Today().Recent() {
		if len(list) < mostLast && (g.web.MayList() || s.ID == g.web.Question) {
			answer, _ := say.AnswerOf(s)
			list = append(list, answeredView{say.Title(s.Ask), answer, new(queue.Names).Of(s.Origin),
				say.ClockTime(s.Outcome.At, d.Now()), choicePath + s.ID})
		}
	}
	return list
}

// needed returns the agents that need the person in their own panes, if this page may show them.
func (g *page) needed() (list []neededView) {
	if !g.web.MayList() {
		return nil
	}
	d := g.pages.desk
	for _, n := range d.Notices() {
		list = append(list, neededView{say.NoticeSays(n), d.Name(*n.Origin), say.ClockTime(n.Notice.At, d.Now())})
	}
	return list
}

// standing returns the notes beside a question in the list: why it is not urgent, for whom it is meant, and who else is
// answering it.
func (p *Pages) standing(w queue.Waiting) (words []string) {
	if why, _ := say.Standing(w, ""); why != "" {
		words = append(words, why)
	}
	if names := p.desk.MeantFor(*w.Session); len(names) > 0 && w.Standing != queue.StandingOthers {
		words = append(words, say.MeantFor(names))
	}
	if who, _ := say.Answering(p.desk.Answering(w.ID)); who != "" {
		words = append(words, who)
	}
	return words
}

// Limits of the list: questions, and last answers.
const (
	mostListed = 200
	mostLast   = 10
)

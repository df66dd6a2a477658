package portal

import (
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// shown returns what the page shows now.
func (p *page) shown() shown {
	d := p.pages.desk
	v := shown{now: d.Now(), home: p.pages.services.Home, place: p.Place(), in: p.speech(), maySet: p.web.MaySettings(),
		mayList: p.web.MayList(), ready: p.suggestions(), top: p.top(), panel: p.panel}
	if v.mayList {
		v.pending = len(d.Waiting())
	}
	switch {
	case p.id == "":
		v.list = p.list()
	case v.place == action.PlaceBatch:
		v.batch = p.batch(v.in)
	case p.last.ID != "":
		p.showQuestion(&v)
	case !d.Loaded():
		v.words = wordsLoading
	default:
		v.words = "There is no such question, or it is no longer kept."
		if s, ok := d.Session(p.id); ok && !p.web.MayOpen(s) {
			v.words = "This link does not open that question. " +
				"Answer it in the dashboard, or start choicetui web yourself."
		}
	}
	if p.writing() {
		v.line = p.lineFooter(v)
	}
	switch p.panel {
	case panelHelp:
		v.panelData = p.help()
	case panelBefore:
		v.panelData = p.before
	case panelSettings:
		v.panelData = p.settingsView()
	}
	return v
}

// top returns the line at the top of the page.
func (p *page) top() topView {
	d := p.pages.desk
	t := topView{List: p.web.MayList() && p.id != "", Settings: p.web.MaySettings(),
		Writes: p.mayNot(action.Chat) == "" && !p.chat.Off() && p.chat.Addressed() != nil}
	if p.web.MayList() {
		t.Waiting = say.Waiting(len(d.Waiting()), d.Gone(), p.view.Up(), d.Needed())
	}
	if trouble := d.Trouble(); trouble.Queue != nil {
		t.Problem = say.Sentence(say.QueueUnread(trouble.Queue)[0])
	} else if trouble.Disk {
		t.Problem = say.Sentence(say.DiskSilent)
	}
	return t
}

// showQuestion fills in the page's question.
func (p *page) showQuestion(v *shown) {
	d, s, f := p.pages.desk, p.session(), p.form()
	held, out := p.held(), d.Outbox().Of(p.id)
	a := &asked{session: s, who: d.Name(s.Origin), form: p.shownForm(), fills: f != nil, ofTeam: p.asksOfTeam(),
		locked: held != nil || out != nil, notices: p.notices(s)}
	v.asked = a
	if sent, late := p.view.TooLate(s); late {
		a.tooLate = say.TooLate(s, sent)
	}
	for _, w := range d.Waiting() {
		if w.ID != s.ID {
			a.next, a.nextID = w.Ask, w.ID
			break
		}
	}
	if b := p.before; p.showsBefore() && b.Of == p.id && b.Says != "" && !b.Unknown {
		a.before = new(b.end())
	}
	if held != nil {
		a.footer.held = say.Postponed(s.Ask.Summary(held.Answer()), held.Until().Sub(v.now), v.in).In("·")
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
	p.fillFooter(&a.footer, f, v)
}

// fillFooter fills in what the footer below the question says and does.
func (p *page) fillFooter(b *footerValues, f *form.Form, v *shown) {
	guard := &p.view.Guard
	if p.board.Offers() {
		b.offer = p.offered
	}
	if until, paused := p.view.Paused(); paused {
		b.paused = new(say.Words(say.Paused(until, v.in)[0]))
	}
	at := p.board.At()
	for _, a := range footerButtons {
		if at.WhyNot(a).OK() && p.mayNot(a) == "" {
			b.can = append(b.can, a)
		}
	}
	b.gone = v.asked.session.Gone(p.pages.desk.Alive)
	says := guard.Says(v.now)
	b.refused, b.behind = say.NotYet(says.NotTaken, says.Why, says.Before, says.Again, v.in), says.Behind
	b.doubts, b.asks = guard.Doubts(f.TextSends())
	b.keyTyped, b.letter = p.board.KeyTyped(), p.board.LetterTyped()
	if row := action.Of(action.Alike); f.Approves() && row.Offered(at) {
		b.alike = row.Now(at, action.Hint{}).Word
	}
}

// notices returns the sentences above a question about its circumstances.
func (p *page) notices(s queue.Session) (list []string) {
	if words := say.AllowedBefore(p.pages.desk.AllowedBefore(s), p.pages.desk.Now()); words != "" && s.Pending() {
		list = append(list, say.Sentence(words))
	}
	list = append(list, p.teamNotices()...)
	if names := p.pages.desk.MeantFor(s); len(names) > 0 {
		list = append(list, say.Sentence(say.MeantFor(names)))
	}
	if s.Ask.Odd() {
		list = append(list, say.Capital(say.HiddenCharacters)+".")
	}
	for _, words := range []string{say.MarkedLine(s.Ask.Approval), say.TaggedLine(s.Ask.Approval)} {
		if words != "" {
			list = append(list, words)
		}
	}
	if s.Gone(p.pages.desk.Alive) {
		list = append(list, say.GoneKept(say.Who(s.Origin), say.InLines))
	}
	if words := say.AnsweringNow(p.pages.desk.Answering(s.ID)); words != "" {
		list = append(list, words)
	}
	if role, foreign := p.view.Foreign(); foreign && p.view.Up() == p.id {
		list = append(list, say.Sentence(say.Drafted(role, say.OnPage)))
	}
	return list
}

// list returns the HTML of the list. It is drawn once for all pages that may list all questions.
func (p *page) list() *part {
	all := p.pages
	if all.queue != nil && p.web.MayList() {
		return all.queue
	}
	empty := say.NothingPendingLine(all.desk.Needed())
	if !all.desk.Loaded() {
		empty = wordsLoading
	}
	waiting, more := p.waiting(), ""
	if n := len(waiting) - mostListed; n > 0 {
		waiting, more = waiting[:mostListed], say.AndMore(n)
	}
	hosts := ""
	if names := slices.Sorted(maps.Keys(all.desk.Settings().Remotes)); len(names) > 0 && p.web.MayList() {
		hosts = "Questions on " + say.AllOf(names) + " are in the dashboard in your terminal, not on this page."
	}
	made := partOf("list", listView{all.entriesOf(waiting), p.needed(), p.lastAnswers(), empty, more, hosts})
	if p.web.MayList() {
		all.queue = &made
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
func (p *page) lastAnswers() (list []answeredView) {
	d := p.pages.desk
	for _, s := range d.Today().Recent() {
		if len(list) < mostLast && (p.web.MayList() || s.ID == p.web.Question) {
			answer, _ := say.AnswerOf(s)
			list = append(list, answeredView{say.Title(s.Ask), answer, new(queue.Names).Of(s.Origin),
				say.ClockTime(s.Outcome.At, d.Now()), choicePath + s.ID})
		}
	}
	return list
}

// needed returns the agents that need the person in their own panes, if this page may show them.
func (p *page) needed() (list []neededView) {
	if !p.web.MayList() {
		return nil
	}
	d := p.pages.desk
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

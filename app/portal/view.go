package portal

import (
	"bytes"
	"hash/maphash"
	"html/template"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// templates parses the templates for the parts of a page. All text goes through html/template, and text from an agent
// first goes through say.Text, say.OneLine or markup. They are parsed when the first page is drawn, because every
// command links this package and few show a page.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"inc": func(n int) int { return n + 1 },
	}).Parse(readAsset("page.html")))
})

// drawn is the content of a page: HTML by the id of its element, and texts by the id of their field.
type drawn struct {
	parts  map[string]part
	values map[string]string
	title  string
}

// part is the HTML of one element, with a checksum that tells whether the page already has it.
type part struct {
	html string
	sum  uint64
}

// partOf returns the HTML of an element with its checksum.
func partOf(html string) part { return part{html, maphash.String(seed, html)} }

// Kinds of content in the middle of a page, by their templates.
const (
	kindList     = "list"
	kindQuestion = "question"
	kindOver     = "over"
	kindWords    = "words"
	kindRound    = "round"
)

// drawn returns what is on the page.
func (g *page) drawn() drawn {
	made := drawn{parts: map[string]part{"foot": {}}, values: map[string]string{}, title: "choicetui"}
	kind, data := g.middle()
	switch kind {
	case kindList:
		made.parts["main"] = g.list()
	case kindQuestion:
		q := data.(questionView)
		made.title = q.Title
		made.values = q.texts
		if f := g.form(); f != nil && f.Unconfirmed() { // the text is in its field, and not in the answer yet
			made.values[fieldID(f)] = f.TypedText()
		}
		made.parts["foot"] = partOf(drawTemplate("foot", g.footer()))
		made.parts["main"] = partOf(drawTemplate(kind, q))
	case kindRound:
		made.parts["foot"] = partOf(drawTemplate("roundfoot", data))
		made.parts["main"] = partOf(drawTemplate(kind, data))
	default:
		made.parts["main"] = partOf(drawTemplate(kind, data))
	}
	if g.writing() {
		made.parts["foot"] = partOf(drawTemplate("linefoot", g.lineFooter()))
		made.values["f-"+lineField] = g.chat.Text()
	}
	if n := len(g.all.d.Waiting()); n > 0 && g.web.MayList() {
		made.title = "(" + itoa(n) + ") " + made.title
	}
	made.parts["top"] = partOf(drawTemplate("top", g.top()))
	made.parts["panel"] = partOf(g.panelHTML())
	return made
}

// drawTemplate executes a template with its data.
func drawTemplate(name string, data any) string {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		return template.HTMLEscapeString(err.Error()) // the template has a mistake; a test draws them all
	}
	return b.String()
}

// middle returns the kind of content in the middle of the page, and the data for its template.
func (g *page) middle() (kind string, data any) {
	switch {
	case g.id == "":
		return kindList, nil
	case g.Place() == action.PlaceRound:
		return kindRound, g.roundReview()
	case g.last.ID == "" && !g.all.d.Loaded():
		return kindWords, wordsLoading
	case g.last.ID == "":
		if s, ok := g.all.d.Session(g.id); ok && !g.web.MayOpen(s) {
			return kindWords, "This link does not open that question. " +
				"Answer it in the dashboard, or start choicetui web yourself."
		}
		return kindWords, "There is no such question, or it is no longer kept."
	}
	if s := g.session(); !s.Pending() || g.held() == nil && g.form() == nil {
		return kindOver, g.overQuestion(s)
	}
	return kindQuestion, g.question()
}

// topView is the line at the top of the page.
type topView struct {
	Waiting  string
	List     bool // there is a link to the list
	Settings bool
	Writes   bool // a line to an agent can be written
	Keys     map[string]string
	Problem  string
}

// top returns the line at the top of the page.
func (g *page) top() topView {
	d := g.all.d
	t := topView{List: g.web.MayList() && g.id != "", Settings: g.web.MaySettings(),
		Writes: g.mayNot(action.Chat) == "" && !g.chat.Off() && g.chat.Addressed() != nil,
		Keys: map[string]string{"chat": g.key(action.Chat),
			"settings": g.key(action.Settings), "help": g.key(action.Help),
			"next": g.key(action.Next)}}
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

// key returns the name of an action's key in the present place; empty: it has no key.
func (g *page) key(a action.Name) string {
	place := g.Place()
	switch place {
	case action.PlaceTyping, action.PlaceReason, action.PlaceFind, action.PlaceChat, action.PlaceHelp,
		action.PlaceSettings,
		action.PlacePeek:
		place = action.PlaceQuestion
		if g.id == "" {
			place = action.PlaceQueue
		}
	}
	return g.shownKeys().KeyOf(place, a)
}

// helpView is the help page: the list of keys.
type helpView struct {
	Groups []helpGroup
	Out    []helpOut
}

// helpOut is a key of the dashboard that the page does not have, with the reason.
type helpOut struct{ Keys, Words, Why string }

// leftOut returns the actions on a question that the page does not have.
func (g *page) leftOut() (list []helpOut) {
	for _, b := range g.all.keys {
		why := b.Lacks[action.Page]
		if key := b.Shown(); why != "" && key != "" {
			list = append(list, helpOut{key, b.Help, why})
		}
	}
	return list
}

type helpGroup struct {
	Name string
	Rows []action.HelpRow
}

// pagePlaces lists the places of a page in which keys are looked up.
var pagePlaces = []action.Place{action.PlaceQuestion, action.PlaceApproval, action.PlaceReview, action.PlaceConfirm,
	action.PlaceTyping, action.PlaceReason, action.PlaceHeld, action.PlaceQueue, action.PlaceRound,
	action.PlaceChat, action.PlaceLetter, action.PlaceTeamChoice, action.PlaceTeamReview,
	action.PlaceTeamLine}

// help returns the help page. The present place comes first.
func (g *page) help() (h helpView) {
	var list action.Map
	for _, b := range g.all.keys {
		in := b
		b.In = slices.DeleteFunc(slices.Clone(pagePlaces), func(place action.Place) bool {
			return !has(b.Name, place) || slices.Contains(onButtons, b.Name) || !in.IsIn(place) ||
				g.all.keys.KeyOf(place, b.Name) == ""
		})
		if len(b.In) > 0 && b.Help != "" {
			list = append(list, b)
		}
	}
	first := action.PlaceQuestion
	if g.id == "" {
		first = action.PlaceQueue
	}
	h.Out = g.leftOut()
	for _, row := range list.HelpRows(first) {
		if row.Heading != "" {
			h.Groups = append(h.Groups, helpGroup{Name: say.Capital(row.Heading)})
			continue
		}
		g := &h.Groups[len(h.Groups)-1]
		g.Rows = append(g.Rows, row)
	}
	return h
}

// panelHTML returns the panel in front of the page; empty if there is none.
func (g *page) panelHTML() string {
	switch g.panel {
	case panelHelp:
		return drawTemplate("help", g.help())
	case panelBefore:
		return drawTemplate("before", g.before)
	case panelSettings:
		problem := say.OneLine(strings.Join(g.all.problems, " · "))
		if err := g.all.services.Settings.Err(); err != nil {
			problem = errLine(err)
		}
		return drawTemplate("settings", struct {
			Rows    []settingView
			Moves   bool
			Problem string
		}{g.settingRows(), g.form() != nil, problem})
	}
	return ""
}

// entryView is a row of the list.
type entryView struct {
	ID, Title, Who, Standing, Path string
	Draft, Aside                   bool
	Key                            string
}

// neededView is an agent that needs the person in its own terminal pane.
type neededView struct{ Says, Who, At string }

// answeredView is one of the last answers.
type answeredView struct{ Title, What, Who, At, Path string }

// list returns the HTML of the list. It is drawn once for all pages that may list all questions.
func (g *page) list() part {
	p := g.all
	if p.queue != nil && g.web.MayList() {
		return *p.queue
	}
	empty := say.NothingPendingLine(p.d.Needed())
	if !p.d.Loaded() {
		empty = wordsLoading
	}
	all, more := g.waiting(), ""
	if n := len(all) - mostListed; n > 0 {
		all, more = all[:mostListed], say.AndMore(n)
	}
	hosts := ""
	if names := slices.Sorted(maps.Keys(p.d.Settings().Remotes)); len(names) > 0 && g.web.MayList() {
		hosts = "Questions on " + say.AllOf(names) + " are in the dashboard in your terminal, not on this page."
	}
	made := partOf(drawTemplate(kindList, struct {
		Waiting []entryView
		Needed  []neededView
		Last    []answeredView
		Empty   string
		More    string
		Hosts   string
	}{p.entriesOf(all), g.needed(), g.lastAnswers(), empty, more, hosts}))
	if g.web.MayList() {
		p.queue = &made
	}
	return made
}

// entriesOf returns the rows of pending questions in the list.
func (p *Pages) entriesOf(waiting []queue.Waiting) (list []entryView) {
	for i, w := range waiting {
		e := entryView{ID: w.ID, Title: say.Title(w.Ask), Who: p.d.Name(w.Origin), Path: choicePath + w.ID,
			Aside: w.Standing != queue.StandingOpen, Key: p.keys.KeyFor(action.PlaceQueue, action.OpenOne, i+1)}
		if w.Ask.Kind == queue.KindApproval {
			e.Title = "Approve? " + e.Title
		}
		e.Standing = strings.Join(p.standing(w), " · ")
		e.Draft = p.d.HasDraft(w.ID)
		list = append(list, e)
	}
	return list
}

// lastAnswers returns the last answers that this page may show.
func (g *page) lastAnswers() (list []answeredView) {
	d := g.all.d
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
	d := g.all.d
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
	if names := p.d.MeantFor(*w.Session); len(names) > 0 && w.Standing != queue.StandingOthers {
		words = append(words, say.MeantFor(names))
	}
	if who, _ := say.Answering(p.d.Answering(w.ID)); who != "" {
		words = append(words, who)
	}
	return words
}

// Limits of the list: questions, and last answers.
const (
	mostListed = 200
	mostLast   = 10
)

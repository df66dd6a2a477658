package portal

import (
	"cmp"
	"html/template"
	"net/url"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// head returns the head of the question.
func (v shown) head() headView {
	s := v.asked.session
	h := headView{ID: s.ID, Title: say.Title(s.Ask), Who: cmp.Or(v.asked.who, say.Who(s.Origin)),
		Where: say.Tilde(say.OneLine(s.Origin.Cwd), v.home), Approval: s.Ask.Kind == queue.KindApproval,
		Clock: s.Pending() && s.HasClock()}
	if s.Origin.Branch != "" {
		h.Where += " (" + say.OneLine(s.Origin.Branch) + ")"
	}
	if _, aside := s.AsideUntil(v.now); aside {
		h.Later = say.Later(s)
	}
	if s.Pending() && s.Perhaps != "" {
		h.Later = say.Perhaps(s)
	}
	return h
}

// question returns the content of the question in the present state of its form.
func (v shown) question() questionView {
	a, f := v.asked, v.asked.form
	made := questionView{shown: v, headView: v.head(), texts: map[string]string{}, Notices: a.notices, OfTeam: a.ofTeam,
		Locked: a.locked, Before: a.before}
	if f == nil {
		return made
	}
	if made.Team = teamOf(a.session, v.now); made.Team != nil {
		made.Stands = say.TeamStands
	}
	switch {
	case f.Typing() == form.FieldRefusal:
		made.texts[fieldID(f)] = f.Here().NoteOn(f.TypingNote())
	case f.Typing().Ends():
		made.texts[fieldID(f)] = f.ReasonText()
	}
	if made.Tabs = formTabs(f); made.Tabs != nil {
		made.Answered = say.FormAnswered(f, "")[0]
	}
	switch {
	case f.ConfirmsApart():
		made.Confirm = v.confirm(a.session, f)
		return made
	case f.Reviewing():
		made.Review = v.review(f)
	default:
		v.fillOptions(&made, f)
	}
	v.fillComment(&made, f)
	return made
}

// formTabs returns the tabs of a form: its questions, and the review. A single question has none.
func formTabs(f *form.Form) (tabs []tabView) {
	if !f.Several() {
		return nil
	}
	for i := range f.Len() {
		q := f.Question(i)
		tabs = append(tabs, tabView{N: i + 1, Name: say.Short(form.LongName(q), 40), On: i == f.At(), Taken: q.Taken()})
	}
	return append(tabs, tabView{N: f.Len() + 1, Name: "Review", On: f.Reviewing(), IsTheReview: true})
}

// fillOptions fills in the text and the options of the form's present question.
func (v shown) fillOptions(made *questionView, f *form.Form) {
	q := f.Here()
	made.Title = say.ApprovalTitle(f.Ask())
	if form.TabsSayTitle(f) {
		made.Title, made.Heard = "", say.Short(form.LongName(q), mostNews)
	}
	made.Prompt, made.Radio = v.approvalHTML(f.Ask())+markup(form.Text(f)), q.Radio()
	for _, hint := range form.Hints(f) {
		made.Hints = append(made.Hints, say.OneLine(hint))
	}
	made.Several = !q.Radio() && len(q.Options) > 1 && !f.Approves()
	if !q.Radio() && len(q.Options) > 0 && !f.Approves() {
		made.Marking = say.Marking(q.Question, len(q.Options)-q.HiddenRows(), len(q.Selected()), q.HiddenMarks(),
			v.Key(action.Hidden))
	}
	if len(q.Options) > enoughToFind {
		made.Find = v.field("find", "Filter the options", "", action.Find)
		made.texts["f-find"] = q.Narrowed()
	}
	for at, i := range q.Rows() {
		if i == form.OwnWords {
			made.Own = v.ownRow(q, at)
			made.texts["f-own"] = q.Words()
			continue
		}
		made.Rows = append(made.Rows, v.optionRow(made, f, at, i))
	}
	switch {
	case q.HiddenRows() > 0:
		made.Hidden = "Show what is hidden (" + itoa(q.HiddenRows()) + ")"
	case q.ShowsHidden() && len(f.Rules().Hidden[q.ID]) > 0:
		made.Hidden = "Hide them again"
	}
	made.All = f.Several() && f.FirstOpen() >= 0 && !v.asked.ofTeam
}

// approvalHTML returns the content of an approval: all its parts, and where it would run.
func (v shown) approvalHTML(ask queue.Ask) (html template.HTML) {
	a := ask.Approval
	if a == nil {
		return ""
	}
	for _, p := range a.Parts {
		p, _ = p.Shown()
		if heading := say.PartHeading(p, len(a.Parts) > 1); heading != "" {
			html += "<p><b>" + template.HTML(template.HTMLEscapeString(heading)) + "</b></p>"
		}
		html += partHTML(p)
	}
	if where := say.ApprovalBelow(ask, v.home); where != "" {
		html += "<p class=\"sub\">" + template.HTML(template.HTMLEscapeString(where)) + "</p>"
	}
	return html
}

// enoughToFind is the number of options that can have a digit as their key. A question with more options has a field
// for finding one.
const enoughToFind = 9

// leastToHide is the number of options above which the option under the cursor has a button that hides it. The key for
// that works in any case.
const leastToHide = 3

// optionRow returns the row of an option.
func (v shown) optionRow(made *questionView, f *form.Form, at, i int) rowView {
	q := f.Here()
	o := q.Options[i]
	r := rowView{N: i + 1, Label: say.OneLine(o.Label),
		Key:   v.in.Keys.NumberOf(i + 1),
		About: inlineMarkup(o.Description), On: q.Marked(o.ID), Star: o.Recommended, Tab: at == q.Cursor(),
		Cursor: at == q.Cursor() && q.Points(), Hidden: q.IsHidden(o.ID), Locked: made.Locked}
	r.MayNote = q.Annotate && !made.Locked && (r.Cursor || r.On && !q.Radio())
	if _, why := q.ToHide(0); r.Cursor && why.OK() {
		r.MayHide = v.maySet && !made.Locked && len(q.Options) > leastToHide
	}
	note := shownText(q.NoteOn(o.ID), o.Note)
	if f.Typing() == form.FieldNote && f.TypingNote() == o.ID {
		r.Typing = v.field("note", "Note: "+r.Label, "", action.Note)
		r.Typing.N = r.N
		made.texts["f-note"] = note
		return r
	}
	if q.Annotate {
		r.Note = say.Text(note)
	}
	return r
}

// shownText returns the content of a text field. If it is still the text that the agent put there, hidden characters
// are made visible. The person's own text is left as typed.
func shownText(text, agents string) string {
	if text == agents {
		return say.Text(text)
	}
	return text
}

// ownRow returns the row of the person's own words.
func (v shown) ownRow(q *form.Question, at int) *ownView {
	hint := say.OneLine(q.Placeholder)
	label := "Your own words"
	if q.Mode == queue.ModeText {
		label = "Your answer"
	}
	o := &ownView{Field: *v.field("own", label, hint, action.Text), Cursor: at == q.Cursor(),
		Alone: q.Mode == queue.ModeText}
	o.On = !queue.Blank(q.Words()) && (!q.Radio() || q.OnWords())
	return o
}

// fillComment fills in the comment field, or the button that opens it.
func (v shown) fillComment(made *questionView, f *form.Form) {
	switch text := f.CommentText(); {
	case !f.Takes(form.FieldComment).OK():
	case f.Typing() == form.FieldComment, !queue.Blank(text):
		made.Comment = v.field("comment", "Comment on the whole answer", "", action.Comment)
		made.texts["f-comment"] = shownText(text, f.Ask().Comment)
	case f.Approves():
	default:
		made.Offers = "Add a comment"
	}
}

// review returns the answers before they are sent.
func (v shown) review(f *form.Form) (list []reviewView) {
	for i := range f.Len() {
		q := f.Question(i)
		r := reviewView{N: i + 1, Name: form.LongName(q), Answer: "not answered yet", On: i == f.Row(),
			Open: !q.Taken(), Key: v.in.Keys.KeyFor(action.PlaceReview, action.ChangeOne, i+1),
			Notes: say.NotesOn(q)}
		if q.Taken() {
			r.Answer = q.Summary(q.Sent())
		}
		list = append(list, r)
	}
	return list
}

// confirm returns the confirmation step.
func (v shown) confirm(s queue.Session, f *form.Form) *confirmView {
	made := &confirmView{Chose: s.Ask.Summary(f.Answer()), Agent: say.Who(s.Origin),
		Says: say.Text(f.Ask().ConfirmMessage), RunsIn: say.RunsIn(s.Origin, v.home, "")}
	if s.HasClock() {
		made.AtEnd = say.NothingConfirmed(s.Origin)
	}
	return made
}

// teamOf returns the notice for a question; nil: the team was not asked.
func teamOf(s queue.Session, now time.Time) *teamView {
	if s.Widen == nil || !s.Pending() {
		return nil
	}
	made := &teamView{Text: say.OneLine(s.Widen.ThreadURL)}
	made.Who, _ = say.TeamAsked(*s.Widen, now)
	made.Who = say.Sentence(made.Who)
	if mayBeLink(s.Widen.ThreadURL) {
		made.Link = s.Widen.ThreadURL
	}
	return made
}

// mayBeLink reports whether an address from elsewhere may be a link: it uses https, contains only visible ASCII, and
// has no user name before the host. Any other address is shown as text.
func mayBeLink(address string) bool {
	if _, odd := queue.Visible(address); odd {
		return false
	}
	for _, r := range address {
		if r <= ' ' || r > '~' || r == '\\' {
			return false
		}
	}
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil && u.Opaque == ""
}

// headView is the head of a question.
type headView struct {
	ID, Title, Who, Where string
	Heard                 string // the heading for a screen reader, where the tabs say the title; else empty
	Approval, Clock       bool
	Later                 string
}

// questionView is a pending question as the page shows it.
type questionView struct {
	shown
	headView
	Tabs    []tabView
	Notices []string
	Team    *teamView // nil: the team was not asked
	OfTeam  bool      // the person is asked something about the team, in front of the agent's question
	Stands  string    // shown in place of the time left while the clock is stopped
	Hints   []string  // the agent's hints about asking the team
	Prompt  template.HTML
	Marking string
	Find    *fieldView
	Radio   bool
	Several bool // several options can be marked
	Rows    []rowView
	Own     *ownView
	Comment *fieldView
	Offers  string // the button that opens the comment; empty: there is no button
	Review  []reviewView
	Confirm *confirmView
	Hidden  string      // the button that shows hidden options, or hides them again
	All     bool        // there is a button that takes all recommended options
	Locked  bool        // an answer is held back or being sent, so nothing can be changed
	Before  *beforeView // the end of what the agent was doing; nil: it is not shown

	// Answered says how many of the questions are answered; a narrow page has no room for the tabs, which show that
	// too.
	Answered string

	texts map[string]string // the content of text fields, by their id
}

type tabView struct {
	N           int
	Name        string
	On, Taken   bool
	IsTheReview bool
}

// rowView is the row of an option.
type rowView struct {
	N          int
	Label, Key string
	About      template.HTML
	// Tab: the Tab key goes to this row, even if the cursor is not shown yet.
	On, Cursor, Tab  bool
	Star, Hidden     bool
	Note             string     // the note, while it is not being typed
	Typing           *fieldView // the field of the note, while it is being typed
	MayNote, MayHide bool
	Locked           bool
}

// ownView is the row of the person's own words.
type ownView struct {
	Field             fieldView
	On, Cursor, Alone bool // Alone: there are no options
}

type reviewView struct {
	N                        int
	Key, Name, Answer, Notes string
	On, Open                 bool
}

// confirmView is the step in which the person confirms the answer.
type confirmView struct{ Chose, Agent, Says, RunsIn, AtEnd string }

// teamView is the notice above a question that the team was asked about.
type teamView struct {
	Who  string
	Link string // the address of the team's discussion, if it is safe as a link
	Text string // the address as text; empty: it is not known
}

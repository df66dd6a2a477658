package queue

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Kinds of ask. An approval is created by hooks and `choicetui ask --approval` only, never by a model.
const (
	KindChoice   = "choice"
	KindApproval = "approval"
)

// Selection modes of a question (docs/contract.md section 3.1).
const (
	ModeSingle = "single"
	ModeMulti  = "multi"
	ModeText   = "text_input"
	ModeHybrid = "hybrid"
)

// Effects of a timeout. The ask fixes the effect when it is created.
const (
	OnTimeoutNone     = "none"
	OnTimeoutDefaults = "defaults"
)

// Limits of an ask; characters are Unicode code points. An agent's own prompt has wider ones, see nativeLimits.
const (
	MaxTitle       = 200
	MaxPromptBytes = 32 << 10
	MaxAskBytes    = 256 << 10
	MaxOptions     = 200
	MaxQuestions   = 50
	MaxOptionID    = 200
	MaxLabel       = 1000
	MaxNote        = 8000 // descriptions, notes, comments, reasons, messages
	MinTimeout     = time.Second
	MaxTimeout     = 24 * time.Hour
)

// Ask describes a decision that the caller wants. It never changes once it is in the queue.
type Ask struct {
	Kind           string     `json:"kind"`
	Title          string     `json:"title"`
	Prompt         string     `json:"prompt"` // empty only where every question has a text
	Questions      []Question `json:"questions"`
	Confirm        bool       `json:"confirm,omitempty"`
	ConfirmMessage string     `json:"confirm_message,omitempty"`
	Approval       *Approval  `json:"approval,omitempty"` // the action that an agent's own prompt asks for
	HandOff        bool       `json:"hand_off,omitempty"`
	Web            bool       `json:"web,omitempty"`     // open the question in the person's browser
	Comment        string     `json:"comment,omitempty"` // the caller's starting value of the comment on the whole
	TimeoutSeconds int        `json:"timeout_seconds"`
	OnTimeout      string     `json:"on_timeout"`
	WaitsSeconds   int        `json:"waits_seconds,omitempty"` // how long the caller waits, if it said so
	Audience       []string   `json:"audience,omitempty"`      // people it is meant for; empty: everybody
	// NoClock hides the time left, because the agent's own dialog is open at the same time, and its answer ends the
	// question too.
	NoClock bool `json:"no_clock,omitempty"`
}

// Question asks for one decision. Min and Max are always filled (see Bounds).
type Question struct {
	ID           string   `json:"id"`
	Header       string   `json:"header,omitempty"`
	Text         string   `json:"text,omitempty"`
	Mode         string   `json:"mode"`
	Placeholder  string   `json:"placeholder,omitempty"`  // empty when placeholder_visible is false
	DefaultText  string   `json:"default_text,omitempty"` // own words that the answer starts with
	Options      []Option `json:"options,omitempty"`
	Defaults     []string `json:"defaults,omitempty"`
	Min          int      `json:"min"`
	Max          int      `json:"max"`
	SingleSubmit bool     `json:"single_submit,omitempty"`
	Annotate     bool     `json:"annotate,omitempty"`
	// StartsEmpty leaves a radio without defaults unmarked until the person marks an option.
	StartsEmpty bool `json:"starts_empty,omitempty"`
	// Format restricts the person's own words; nil accepts any text.
	Format *TextFormat `json:"format,omitempty"`
}

// Option describes one row that the person can choose. Note comes from the caller; the person can edit it.
type Option struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Note        string `json:"note,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
	Act         string `json:"act,omitempty"` // in an approval: the effect of this choice at the agent
	// Exact means that with this choice the agent keeps a permission rule of its own, which covers exactly the shown
	// action.
	Exact bool `json:"exact,omitempty"`
}

// Bounds returns the default number of options that an answer needs: exactly one in single, one to all in multi, none
// to all in hybrid, none in text_input.
func Bounds(mode string, options int) (least, most int) {
	switch mode {
	case ModeSingle:
		return 1, 1
	case ModeMulti:
		return 1, options
	case ModeHybrid:
		return 0, options
	}
	return 0, 0
}

// TakesText reports whether the person may answer in their own words.
func (q Question) TakesText() bool { return q.Mode == ModeText || q.Mode == ModeHybrid }

// Radio reports whether choosing one row un-chooses the others, as in single and in hybrid with max 1.
func (q Question) Radio() bool {
	return q.Mode == ModeSingle || q.Mode == ModeHybrid && q.Max == 1
}

// Option finds an option by its id. ok is false for an unknown id.
func (q Question) Option(id string) (o Option, ok bool) {
	for _, o := range q.Options {
		if o.ID == id {
			return o, true
		}
	}
	return Option{}, false
}

// Annotates reports whether the ask accepts a comment: at least one of its questions accepts notes.
func (a Ask) Annotates() bool {
	return slices.ContainsFunc(a.Questions, func(q Question) bool { return q.Annotate })
}

// everyQuestionHasText reports whether each question has a text of its own. Such an ask needs no prompt, because some
// formats contain nothing but questions.
func (a Ask) everyQuestionHasText() bool {
	return len(a.Questions) > 0 && !slices.ContainsFunc(a.Questions, func(q Question) bool { return Blank(q.Text) })
}

// MeantFor reports whether the ask's audience names this person.
func (a Ask) MeantFor(person string) bool {
	return slices.ContainsFunc(a.Audience, func(name string) bool { return Called(person, name) })
}

// MeantForOthers reports whether the audience names other people but not this person. An empty person means that one
// person has the whole queue; then it returns false.
func (a Ask) MeantForOthers(person string) bool {
	return person != "" && len(a.Audience) > 0 && !a.MeantFor(person)
}

// Odd reports whether any text of the ask contains invisible characters, which Visible writes out. A surface that
// shows the ask warns the person of them.
func (a Ask) Odd() bool {
	odd := a.oddTexts(a.Title, a.Prompt, a.ConfirmMessage, a.Comment) || a.Approval.Odd()
	for _, q := range a.Questions {
		odd = odd || a.oddTexts(q.ID, q.Header, q.Text, q.Placeholder, q.DefaultText)
		for _, o := range q.Options {
			odd = odd || a.oddTexts(o.ID, o.Label, o.Description, o.Note)
		}
	}
	return odd
}

// oddTexts reports whether one of the texts contains invisible characters.
func (a Ask) oddTexts(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { _, odd := a.Visible(text); return odd })
}

// Visible cleans a text of this ask like the function Visible. In an approval it also writes out invisible characters
// that select, join or tint an emoji, because the person judges the action by the text alone.
func (a Ask) Visible(text string) (shown string, odd bool) {
	return visible(text, a.Kind == KindApproval)
}

// Shown returns an approval with the caller's texts cleaned by Visible, for display; other asks are returned
// unchanged. It leaves out Approval and the texts that the person may edit. Call Odd on the original ask, not on the
// result.
func (a Ask) Shown() Ask {
	if a.Kind != KindApproval {
		return a
	}
	show := func(texts ...*string) {
		for _, text := range texts {
			*text, _ = a.Visible(*text)
		}
	}
	a.Questions = slices.Clone(a.Questions)
	show(&a.Title, &a.Prompt, &a.ConfirmMessage)
	for i := range a.Questions {
		q := &a.Questions[i]
		q.Options = slices.Clone(q.Options)
		show(&q.Header, &q.Text, &q.Placeholder)
		for j := range q.Options {
			q.Options[j].Label = shownLabel(q.Options[j].Label)
			show(&q.Options[j].Description)
		}
	}
	return a
}

// limits bounds what an ask may contain. Bytes are those of the text, and for the whole ask those of its JSON.
type limits struct {
	prompt, whole      int // bytes
	questions, options int
	text               int // characters of a question's text, of a description, and of a part of an approval
}

var (
	// callLimits holds for what a model asks with one of our tools: it is told to ask for less.
	callLimits = limits{prompt: MaxPromptBytes, whole: MaxAskBytes, questions: MaxQuestions, options: MaxOptions,
		text: MaxNote}
	// nativeLimits holds for an agent's own prompt. Nobody can ask the agent for less, so nearly everything fits. JSON
	// writes some characters as six, so the whole may take more than six times MaxDecided.
	nativeLimits = limits{prompt: MaxDecided, whole: 13 << 19, questions: 1000, options: 1000, text: MaxDecided}
)

// Check lists the problems that keep the ask of a model's call out of the queue, with paths as in its JSON
// (`questions[0].options[2].id`). The list is empty if the ask is valid.
func (a Ask) Check() []Problem { return a.check(callLimits) }

// check lists the problems of an ask within the given limits.
func (a Ask) check(most limits) []Problem {
	if a.Kind == KindMessage {
		return a.checkMessage()
	}
	c := checker{most: most}
	if !slices.Contains([]string{KindChoice, KindApproval}, a.Kind) {
		c.addProblem("kind", fmt.Sprintf("is %q", a.Kind), "choice or approval")
	}
	c.checkText("title", a.Title, MaxTitle, required)
	if !Blank(a.Prompt) || !a.everyQuestionHasText() {
		c.checkPrompt("prompt", a.Prompt, "the context of the current task and why you ask")
	}
	c.checkText("confirm_message", a.ConfirmMessage, MaxNote, optional)
	c.checkText("comment", a.Comment, MaxNote, optional)
	c.checkTimeout(a.TimeoutSeconds)
	checkApproval(&c, a)
	checkActs(&c, a)
	checkAudience(&c, a.Audience)
	if a.OnTimeout != OnTimeoutNone && a.OnTimeout != OnTimeoutDefaults {
		c.addProblem("on_timeout", fmt.Sprintf("is %q", a.OnTimeout), "none or defaults")
	}
	if n := len(a.Questions); n > most.questions {
		c.addProblem("questions", fmt.Sprintf("has %d entries", n), fmt.Sprintf("at most %d", most.questions))
		return c.problems
	}
	a.checkQuestions(&c)
	if raw, err := json.Marshal(a); err == nil && len(raw) > most.whole {
		c.addProblem("", fmt.Sprintf("the whole ask takes %d bytes", len(raw)),
			fmt.Sprintf("at most %d bytes: shorten the prompt or the descriptions", most.whole))
	}
	return c.problems
}

func (a Ask) checkQuestions(c *checker) {
	if len(a.Questions) == 0 {
		c.addProblem("questions", "is empty", "at least one question")
	}
	seen := map[string]int{}
	for i, q := range a.Questions {
		at := fmt.Sprintf("questions[%d]", i)
		if j, dup := seen[q.ID]; dup {
			c.addProblem(at+".id", fmt.Sprintf("%s is also the id of questions[%d]", Quote(q.ID), j),
				"a different id for each question")
		}
		seen[q.ID] = i
		q.checkQuestion(c, at)
	}
}

func (q Question) checkQuestion(c *checker, at string) {
	c.checkText(at+".id", q.ID, MaxOptionID, required)
	c.checkText(at+".header", q.Header, MaxTitle, optional)
	c.checkText(at+".text", q.Text, c.most.text, optional)
	c.checkText(at+".placeholder", q.Placeholder, MaxLabel, optional)
	switch q.Mode {
	case ModeSingle, ModeMulti, ModeHybrid:
		q.checkOptions(c, at)
		q.checkBounds(c, at)
	case ModeText:
		if len(q.Options) > 0 {
			c.addProblem(at+".options", fmt.Sprintf("has %d entries, but text_input has no options", len(q.Options)),
				"no options, or mode hybrid")
		}
		if len(q.Defaults) > 0 {
			c.addProblem(at+".defaults", "is not possible with text_input", "leave it out")
		}
	default:
		c.addProblem(at+".mode", "is "+Quote(q.Mode), "single, multi, text_input or hybrid")
		return
	}
	if q.Placeholder != "" && !q.TakesText() {
		c.addProblem(at+".placeholder", "is not possible with mode "+q.Mode+", where nothing is typed",
			"leave it out, or use text_input or hybrid")
	}
	q.checkDefaultText(c, at)
	q.checkFormat(c, at)
	if q.SingleSubmit && !q.Radio() {
		c.addProblem(at+".single_submit", "is not possible with mode "+q.Mode+" here",
			"single, or hybrid with at most one selection")
	}
}

func (q Question) checkDefaultText(c *checker, at string) {
	c.checkText(at+".default_text", q.DefaultText, MaxNote, optional)
	switch {
	case q.DefaultText == "":
	case !q.TakesText():
		c.addProblem(at+".default_text", "is not possible with mode "+q.Mode+", where nothing is typed",
			"leave it out, or use text_input or hybrid")
	case q.Radio() && len(q.Defaults) > 0:
		c.addProblem(at+".default_text", "comes with a default option", "either the option or the text, not both")
	}
}

func (q Question) checkOptions(c *checker, at string) {
	switch n := len(q.Options); {
	case n == 0:
		c.addProblem(at+".options", "is empty", "at least one option, or mode text_input")
		return
	case n > c.most.options:
		c.addProblem(at+".options", fmt.Sprintf("has %d entries", n),
			fmt.Sprintf("at most %d: narrow the choice down first", c.most.options))
		return
	}
	seen := map[string]int{}
	for i, o := range q.Options {
		p := fmt.Sprintf("%s.options[%d]", at, i)
		c.checkText(p+".id", o.ID, MaxOptionID, required)
		if j, dup := seen[o.ID]; dup && o.ID != "" {
			c.addProblem(p+".id", fmt.Sprintf("%s is also the id of options[%d]", Quote(o.ID), j),
				"a different id for each option")
		} else {
			seen[o.ID] = i
		}
		c.checkText(p+".label", o.Label, MaxLabel, strings.TrimSpace(o.ID) != "")
		c.checkText(p+".description", o.Description, c.most.text, optional)
		c.checkText(p+".note", o.Note, MaxNote, optional)
	}
	q.checkDefaults(c, at)
}

// checkIDs checks that each id is that of an option, and is there once. It returns the ids as a set.
func (q Question) checkIDs(c *checker, at string, ids []string) map[string]bool {
	taken := map[string]bool{}
	for i, id := range ids {
		p := fmt.Sprintf("%s[%d]", at, i)
		if _, ok := q.Option(id); !ok {
			c.addProblem(p, "is "+Quote(id)+", which is not an option", "one of "+q.optionIDs())
		} else if taken[id] {
			c.addProblem(p, Quote(id)+" is there twice", "each id once")
		}
		taken[id] = true
	}
	return taken
}

func (q Question) checkDefaults(c *checker, at string) {
	q.checkIDs(c, at+".defaults", q.Defaults)
	if n := len(q.Defaults); q.Max >= 1 && n > q.Max {
		c.addProblem(at+".defaults", fmt.Sprintf("has %d entries", n),
			fmt.Sprintf("at most %d, the most that may be selected", q.Max))
	}
}

func (q Question) checkBounds(c *checker, at string) {
	n := len(q.Options)
	if q.Mode == ModeSingle {
		if q.Min != 1 || q.Max != 1 {
			c.addProblem(at+".min", "is not possible with single, where exactly one is chosen",
				"leave min and max out, or use multi or hybrid")
		}
		return
	}
	if q.Min < 0 {
		c.addProblem(at+".min", fmt.Sprintf("is %d", q.Min), "0 or more")
	}
	if q.Max < 1 {
		c.addProblem(at+".max", fmt.Sprintf("is %d", q.Max), "1 or more")
	} else if q.Min > q.Max {
		c.addProblem(at+".min", fmt.Sprintf("is %d", q.Min),
			fmt.Sprintf("it must not be more than max (%d)", q.Max))
	}
	if n > 0 && q.Max > n {
		c.addProblem(at+".max", fmt.Sprintf("is %d, but there are %d options", q.Max, n), fmt.Sprintf("at most %d", n))
	}
}

// optionIDs lists the ids of the first options for use in an error message.
func (q Question) optionIDs() string {
	var ids []string
	for i, o := range q.Options {
		if i == 12 {
			ids = append(ids, fmt.Sprintf("… (%d in all)", len(q.Options)))
			break
		}
		ids = append(ids, Quote(o.ID))
	}
	return strings.Join(ids, ", ")
}

// checker collects the problems of an ask or an answer. Each method checks one value.
type checker struct {
	problems []Problem
	most     limits // of an ask; an answer has none
}

// addProblem adds a problem: its path, the fault, and a description of valid values.
func (c *checker) addProblem(path, wrong, want string) {
	c.problems = append(c.problems, Problem{Path: path, Wrong: wrong, Want: want})
}

func (c *checker) checkTimeout(seconds int) {
	if d := time.Duration(seconds) * time.Second; d < MinTimeout || d > MaxTimeout {
		c.addProblem("timeout_seconds", fmt.Sprintf("is %d", seconds), "a whole number of seconds from 1 to 86400")
	}
}

// Whether checkText refuses a blank text.
const required, optional = true, false

// checkText checks a text that may have at most that many characters, and must not be blank if it is required.
func (c *checker) checkText(path, s string, most int, isRequired bool) {
	switch {
	case !utf8.ValidString(s):
		c.addProblem(path, "is not valid UTF-8", "UTF-8 text")
	case isRequired && Blank(s):
		c.addProblem(path, "is missing or blank", WantsText)
	case utf8.RuneCountInString(s) > most:
		c.addProblem(path, fmt.Sprintf("has %d characters", utf8.RuneCountInString(s)), fmt.Sprintf("at most %d", most))
	}
}

// checkPrompt checks a text that is required and limited by its bytes. want describes a valid one.
func (c *checker) checkPrompt(path, s, want string) {
	switch {
	case !utf8.ValidString(s):
		c.addProblem(path, "is not valid UTF-8", "UTF-8 text")
	case Blank(s):
		c.addProblem(path, "is missing or blank", want)
	case len(s) > c.most.prompt:
		c.addProblem(path, fmt.Sprintf("takes %d bytes", len(s)), fmt.Sprintf("at most %d bytes", c.most.prompt))
	}
}

// Quote returns an agent's value in quotation marks for use in our own sentences: cleaned, on one line, at most 60
// characters.
func Quote(s string) string {
	const most = 60
	v, _ := VisibleLine(Shorten(s, most, "…"))
	return "\"" + v + "\""
}

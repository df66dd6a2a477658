package plain

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// command is a word that the person can type, with what lines do for it. The word, what may follow it and its help are
// in the row of its action. Its short forms are the keys of that action in the dashboard, so a key that is rebound
// there is rebound here too.
type command struct {
	does        action.Name // empty: only lines have it
	action.Line             // of the row of does; for a command without an action its own
	answers     bool        // the command chooses, writes, sends or cancels, so the guard may refuse it
	keepsAnswer bool        // the command leaves the answer as it is, so an open confirmation stays open
	run         func(l *Lines, rest string)
}

// commands is the table of all words. Parsing and the help read it.
var commands = withWords([]command{
	{does: action.Text, answers: true, run: toAnswer((*answering).writeText)},
	{does: action.Note, answers: true, run: toAnswer((*answering).writeNote)},
	{does: action.Comment, answers: true, run: toAnswer((*answering).writeComment)},
	{does: action.Allow, answers: true, run: runOnQuestion(action.Allow)},
	{does: action.Refuse, answers: true, run: toAnswer((*answering).refuseApproval)},
	{does: action.Rule, answers: true, run: runQuietly(action.Rule, guarded)},
	{does: action.Alike, answers: true, run: toAnswer((*answering).listAlike)},
	{does: action.Recommended, answers: true, run: runOnQuestion(action.Recommended)},
	{does: action.All, answers: true, run: toAnswer((*answering).chooseAll)},
	{does: action.Choose, answers: true, run: runOnQuestion(action.Choose)},
	{does: action.AllRec, answers: true, run: toAnswer((*answering).allRecommended)},
	{does: action.StartOver, answers: true, run: toAnswer((*answering).startOver)},
	{does: action.Cancel, answers: true, run: toAnswer((*answering).cancelQuestion)},
	{does: action.Detail, answers: true, run: toAnswer((*answering).askDetail)},
	{does: action.Later, answers: true, run: runQuietly(action.Later, guarded)},
	{does: action.UndoLast, run: toAnswer((*answering).undoLast)},
	{does: action.Confirm, answers: true, run: func(l *Lines, _ string) { l.answer.sayYes(l.quit) }},
	{does: action.Decline, run: toAnswer((*answering).sayNo)},
	{does: action.TabBack, run: toAnswer((*answering).goBack)},
	{does: action.More, keepsAnswer: true, run: runQuietly(action.More, unguarded)},
	{does: action.Less, keepsAnswer: true, run: runQuietly(action.Less, unguarded)},
	{Line: action.Line{Word: "show", Help: "shows the question again (also: again)"},
		run: toAnswer((*answering).showAgain)},
	{Line: action.Line{Word: "again"}, run: toAnswer((*answering).showAgain)},
	{does: action.Find, run: toAnswer((*answering).findOptions)},
	{does: action.Hidden, run: toAnswer((*answering).showHidden)},
	{does: action.Hide, answers: true, run: toAnswer((*answering).hideOption)},
	{does: action.Browser, keepsAnswer: true,
		run: func(l *Lines, _ string) { browsing{l.voice, l.o.Browse}.openPage() }},
	{does: action.Peek, keepsAnswer: true, run: (*Lines).writeBefore},
	{does: action.AskTeam, run: withTeam(action.AskTeam)},
	{does: action.Fetch, run: withTeam(action.Fetch)},
	{does: action.Defer, run: withTeam(action.Defer)},
	{Line: action.Line{Word: "list", Help: "lists all pending questions"}, keepsAnswer: true, run: (*Lines).writeList},
	{does: action.Next, run: func(l *Lines, _ string) { l.stepQuestion(1) }},
	{does: action.Previous, run: func(l *Lines, _ string) { l.stepQuestion(-1) }},
	{does: action.Help, keepsAnswer: true, run: (*Lines).writeHelp},
	{does: action.Quit, run: (*Lines).quit},
})

// withWords gives each command the words of its action.
func withWords(list []command) []command {
	for i, c := range list {
		if at := slices.IndexFunc(action.Table, func(r action.Row) bool { return r.Name == c.does }); at >= 0 {
			list[i].Line = action.Table[at].Line
		}
	}
	return list
}

// takesWords reports whether words may follow; a line with words after any other command is not that command.
func (c command) takesWords() bool { return c.Args != "" }

// toAnswer returns the run of a command about the question on view.
func toAnswer(f func(*answering, string)) func(*Lines, string) {
	return func(l *Lines, rest string) { f(l.answer, rest) }
}

// withTeam returns the run of a command that begins the conversation of an action about the team.
func withTeam(about action.Name) func(*Lines, string) {
	return func(l *Lines, named string) { l.team.begin(named, about) }
}

// vocabulary holds the commands with the person's own short forms.
type vocabulary struct {
	commands []command
	keys     map[string][]string // word → short forms
}

// newVocabulary reads the short forms from the person's key table. Only keys that are a single character can be typed
// as a line; the whole word always works.
func newVocabulary(s config.Settings) vocabulary {
	own, _ := action.New(s.Keys, ink.Width)
	v := vocabulary{commands, map[string][]string{}}
	for _, c := range commands {
		if c.does == "" || c.Keyless {
			continue
		}
		for _, b := range own {
			if b.Name != c.does {
				continue
			}
			for _, k := range b.Keys {
				if r := []rune(k); len(r) == 1 && !strings.ContainsRune("0123456789", r[0]) {
					v.keys[c.Word] = append(v.keys[c.Word], k)
				}
			}
		}
	}
	return v
}

// shortForm returns the shortest way to type a command.
func (v vocabulary) shortForm(word string) string {
	if len(v.keys[word]) > 0 {
		return v.keys[word][0]
	}
	return word
}

// shortFormOf returns the shortest way to type the command of an action; empty: no command does it.
func (v vocabulary) shortFormOf(a action.Name) string {
	at := slices.IndexFunc(v.commands, func(c command) bool { return c.does == a && !c.Keyless })
	if at < 0 {
		return ""
	}
	return v.shortForm(v.commands[at].Word)
}

// findCommand returns the command that a word means. Short forms are case-sensitive: J is not j.
func (v vocabulary) findCommand(word string) (command, bool) {
	for _, c := range v.commands {
		if slices.Contains(v.keys[c.Word], word) || strings.EqualFold(c.Word, word) {
			return c, true
		}
	}
	return command{}, false
}

// parseNumbers reads a line that holds only numbers, separated by spaces or commas.
func parseNumbers(text string) (list []int, ok bool) {
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		n, err := strconv.Atoi(f)
		if err != nil || n < 0 || f[0] == '+' {
			return nil, false
		}
		list = append(list, n)
	}
	return list, len(list) > 0
}

// refusesCut refuses a line of which the rest is missing, and takes back what was asked, so that the next Enter agrees
// to nothing.
func (l *Lines) refusesCut(typed line) bool {
	if !typed.isCut(l.o.Typed) {
		return false
	}
	if l.answer.typing == nil {
		l.answer.withdrawAsked()
	}
	l.say(say.LineCut(len(typed.text)))
	return true
}

// handleLine carries out one line of the person: text, a command, numbers, the id of a question, or an Enter.
func (l *Lines) handleLine(typed line) {
	l.view.Pressed(l.desk.Now())
	if l.refusesCut(typed) {
		return
	}
	if say.HoldsKeys(typed.text) {
		l.say(say.NotText)
		return
	}
	typed.text = say.Typable(typed.text)
	if l.answer.typing != nil {
		l.answer.takeTyped(typed.text)
		return
	}
	text := strings.TrimSpace(typed.text)
	word, rest, _ := strings.Cut(text, " ")
	c, known := l.words.findCommand(word)
	if rest != "" && !c.takesWords() { // “yes, but not the last one” must not send, nor “all tests pass” choose all
		known = false
	}
	if text == "n" && c.Word == "note" && l.answer.asked != asksNothing { // as an answer, n means no
		c, known = l.words.findCommand("no")
	}
	id := l.waitingID(text)
	list, isNumbers := parseNumbers(text)
	l.answer.line, l.answer.at = text, typed.at
	switch {
	case id == "" && !isNumbers && !known && text != "":
		l.sayUnknown(text)
	case l.refusesLine(c, text, isNumbers): // it has said why
	case text == "":
		l.answer.enter()
	case id != "":
		l.answer.dropConfirmation()
		l.openQuestion(id)
	case isNumbers:
		l.answer.dropConfirmation()
		if !l.view.Batch.On() {
			l.answer.withdrawAsked()
		}
		l.answer.answerBy(action.Choose, action.Arg{List: list}) // in a review a number opens its answer
	default:
		l.runCommand(c, strings.TrimSpace(rest))
	}
}

// refusesLine asks the guard about a line before the line changes anything. It says why the line is refused, and
// reports whether it is.
func (l *Lines) refusesLine(c command, text string, isNumbers bool) bool {
	a := l.answer
	agrees := text == "" || c.Word == "yes"
	switch {
	case isNumbers:
		return a.board.Refuses(a.input(action.Choose, guarded), a.at)
	case !agrees:
		return c.answers && a.board.Refuses(a.input(c.does, guarded), a.at)
	case a.asked == asksEnter:
		return a.board.Refuses(a.input(action.Enter, guarded), a.at)
	case a.asked == asksOffer: // action.Hand asks the guard when it takes the offer
	case text == "" && a.asked == asksNothing && !l.view.Guard.Remembers(): // the person is only told what Enter does
	default:
		return a.board.RefusesYes(text, a.asked == asksConfirm || a.asked == asksBatch, a.at)
	}
	return false
}

// runCommand runs a command. It first takes back what was asked before, unless the command answers that.
func (l *Lines) runCommand(c command, rest string) {
	switch {
	case c.keepsAnswer && l.answer.asked == asksConfirm:
		c.run(l, rest)
		l.answer.confirmStays()
		return
	case c.Word == "yes", c.Word == "no":
	case l.view.Batch.On() && (c.does == action.Alike || c.does == action.All || c.does == action.Choose):
	case c.Word == "quit":
		l.answer.dropConfirmation()
	default:
		l.answer.dropConfirmation()
		l.answer.withdrawAsked()
	}
	c.run(l, rest)
}

// sayUnknown says that a line is no command. It also takes back what was asked, because the person meant something
// else. Only a confirmation stays open: nothing but yes sends it.
func (l *Lines) sayUnknown(text string) {
	if l.answer.asked == asksConfirm {
		l.say(say.ShortQuoted(text, 60) + " confirms nothing.")
		l.answer.confirmStays()
		return
	}
	l.answer.withdrawAsked()
	l.say(say.ShortQuoted(text, 60) + " is not a command; help lists them.")
	if f := l.view.Form(); f != nil && f.Here().TakesText() {
		l.say("To answer in your own words, type " + l.speech().Key(action.Text) + ", a space and your answer.")
	}
}

// waitingID returns the id that the person typed, if that question is pending.
func (l *Lines) waitingID(text string) string {
	id, ok := queue.TypedID(text)
	if _, waits := l.pendingQuestion(id); !waits || !ok {
		return ""
	}
	return id
}

// writeList writes all pending questions, in queue order, and the agents that need the person.
func (l *Lines) writeList(string) {
	const most = 200
	waiting := l.desk.Waiting()
	if len(waiting) == 0 {
		l.say(say.NothingPendingLine(l.desk.Needed()))
	}
	for i, w := range waiting {
		if i == most {
			l.say(say.AndMore(len(waiting) - most))
			break
		}
		f := l.view.FormOf(w.ID)
		l.say(listLine(w, l.desk.Name(w.Origin), l.view.Up() == w.ID, f != nil && f.Changed(), l.desk.Now()))
	}
	for _, n := range l.desk.Notices() {
		l.say(say.NoticeLine(n, l.desk.Name(*n.Origin), l.desk.Now()))
	}
}

// listLine returns the line of a pending question in the list. agent is the name of its agent; begun: the person has
// chosen or typed something there.
func listLine(w queue.Waiting, agent string, onView, begun bool, now time.Time) string {
	notes := ""
	if idle := say.Idle(w, say.InLines); idle != "" {
		notes = ", " + idle
	}
	switch {
	case onView && (w.Standing == queue.StandingLater || w.Widen != nil): // the line says why it is not urgent too
		notes += ", current"
	case onView:
		notes = ", current"
	case begun:
		notes += ", partly answered"
	}
	return fmt.Sprintf("%s%s: %s from %s, %s", w.ID, notes, say.ShortQuoted(say.Title(w.Ask), 200), agent,
		timeLeft(*w.Session, now))
}

// stepQuestion brings the question n places further in the queue on view. After the last comes the first.
func (l *Lines) stepQuestion(n int) {
	list, at := l.desk.Waiting(), l.position(l.view.Up())
	if len(list) == 0 && l.view.Up() == "" {
		l.say(say.NothingPendingLine(l.desk.Needed()))
		return
	}
	if len(list) == 0 || len(list) == 1 && at == 0 {
		l.say(say.Sentence(say.NothingElse))
		return
	}
	l.openQuestion(list[(at+n+len(list))%len(list)].ID)
}

// helpBefore precedes the commands in the help.
var helpBefore = []string{
	"Numbers choose options: 2, or 1 3 where you may choose several. They replace your earlier choice.",
	"Your choice is read back to you. Press Enter on an empty line to send it, " +
		"or type something else to change it. With the setting \"send with one key\", the number is enough.",
}

// writeHelp writes what can be typed.
func (l *Lines) writeHelp(string) {
	for _, words := range helpBefore {
		l.say(words)
	}
	for _, c := range l.words.commands {
		if words := c.help(l.words.keys[c.Word]); words != "" {
			l.say(words)
		}
	}
	for _, words := range helpBehind(l.o.Typed) {
		l.say(words)
	}
}

// help returns the help on a command with its shorter forms: `x or cancel [REASON]: …`. It returns "" for another name
// of a command.
func (c command) help(shorter []string) string {
	if c.Help == "" {
		return ""
	}
	name := strings.Join(append(slices.Clone(shorter), c.Word), " or ")
	if c.Args != "" {
		name += " " + c.Args
	}
	return "  " + name + ": " + c.Help
}

// helpBehind returns the help that follows the commands. typed: a person types the lines.
func helpBehind(typed bool) []string {
	rows := []string{
		"  an id, such as k7f3m2qx: goes to that question",
		"End a text of several lines with a line that is only \".\"; type \"..\" for a line that is one dot.",
		"Here you choose by number, and copy with your terminal.",
	}
	if typed {
		rows = append(rows,
			"A line that came before its question, or within half a second after it, is not taken as its answer.")
	}
	return rows
}

// browserWithin limits the time in which the portal and the browser must start.
const browserWithin = 15 * time.Second

// browsing shows questions in the person's browser.
type browsing struct {
	*voice
	browse func(ctx context.Context, session string) (link string, opened bool, err error) // nil: there are no pages
}

// openPage opens the question on view in the browser, or the list of pending questions if none is on view. Its draft is
// saved first, so the page shows what was typed.
func (b browsing) openPage() {
	if b.browse == nil {
		b.say(say.Sentence(say.NoPages))
		return
	}
	b.view.SaveDraft()
	b.say(say.Sentence(say.OpeningBrowser))
	id := b.view.Up()
	b.desk.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), browserWithin)
		defer cancel()
		link, opened, err := b.browse(ctx, id)
		b.desk.Do(func() { b.tellPage(link, opened, err) })
	})
}

// tellPage says where the page is. If no browser could be opened, the person has to open the link elsewhere.
func (b browsing) tellPage(link string, opened bool, err error) {
	switch {
	case err != nil:
		b.say(say.Sentence(say.OneLine(err.Error())))
	case opened:
		b.say(say.Capital(say.OpenedInBrowser(link)))
	default:
		b.say("No browser can be opened here. This link is valid once, for one minute: " + link)
	}
}

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
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// command is a word that the person can type. Its short forms are the keys of the same action in the dashboard, so a
// key that is rebound there is rebound here too.
type command struct {
	word        string
	action      keys.Action // the action whose keys are the short forms
	does        deed.Action // the action of a word that has no short forms
	answers     bool        // the command chooses, writes, sends or cancels, so the guard may refuse it
	keepsAnswer bool        // the command leaves the answer as it is, so an open confirmation stays open
	takesWords  bool        // words may follow; a line with words after any other command is not that command
	run         func(l *Lines, rest string)
}

// deed returns the action by which the guard judges the command.
func (c command) deed() deed.Action {
	if c.does != "" {
		return c.does
	}
	return c.action
}

// commands is the table of all words. Parsing and the help read it; commandHelp returns the help on each.
var commands = []command{
	{word: "text", action: deed.Text, takesWords: true, answers: true, run: toAnswer((*answering).writeText)},
	{word: "note", action: deed.Note, takesWords: true, answers: true, run: toAnswer((*answering).writeNote)},
	{word: "comment", action: deed.Comment, takesWords: true, answers: true, run: toAnswer((*answering).writeComment)},
	{word: "allow", does: deed.Allow, answers: true, run: runOnQuestion(deed.Allow)},
	{word: "refuse", does: deed.Refuse, takesWords: true, answers: true, run: toAnswer((*answering).refuseApproval)},
	{word: "rule", action: deed.Rule, answers: true, run: runQuietly(deed.Rule, guarded)},
	{word: "similar", action: deed.Alike, answers: true, run: toAnswer((*answering).startRound)},
	{word: "recommended", action: deed.Recommended, answers: true, run: runOnQuestion(deed.Recommended)},
	{word: "all", action: deed.All, answers: true, run: toAnswer((*answering).chooseAll)},
	{word: "none", does: deed.Choose, answers: true, run: runOnQuestion(deed.Choose)},
	{word: "all-recommended", action: deed.AllRec, answers: true, run: toAnswer((*answering).allRecommended)},
	{word: "start-over", action: deed.StartOver, answers: true, run: toAnswer((*answering).startOver)},
	{word: "cancel", action: deed.Cancel, takesWords: true, answers: true, run: toAnswer((*answering).cancelQuestion)},
	{word: "detail", action: deed.Detail, takesWords: true, answers: true, run: toAnswer((*answering).askDetail)},
	{word: "later", action: deed.Later, answers: true, run: runQuietly(deed.Later, guarded)},
	{word: "undo", action: deed.UndoLast, run: toAnswer((*answering).undoLast)},
	{word: "yes", does: deed.Agree, answers: true, run: func(l *Lines, _ string) { l.answer.sayYes(l.quit) }},
	{word: "no", does: deed.Decline, run: toAnswer((*answering).sayNo)},
	{word: "back", does: deed.TabBack, run: toAnswer((*answering).goBack)},
	{word: "more", action: deed.More, keepsAnswer: true, run: runQuietly(deed.More, unguarded)},
	{word: "less", action: deed.Less, keepsAnswer: true, run: runQuietly(deed.Less, unguarded)},
	{word: "show", run: toAnswer((*answering).showAgain)},
	{word: "again", run: toAnswer((*answering).showAgain)},
	{word: "find", action: deed.Find, takesWords: true, run: toAnswer((*answering).findOptions)},
	{word: "hidden", action: deed.Hidden, run: toAnswer((*answering).showHidden)},
	{word: "hide", action: deed.Hide, takesWords: true, answers: true, run: toAnswer((*answering).hideOption)},
	{word: "web", action: keys.ActBrowser, keepsAnswer: true,
		run: func(l *Lines, _ string) { browsing{l.voice, l.o.Browse}.openPage() }},
	{word: "before", action: keys.ActPeek, keepsAnswer: true, run: (*Lines).writeBefore},
	{word: "widen", action: deed.AskTeam, takesWords: true, run: withTeam(deed.AskTeam)},
	{word: "fetch", action: deed.Fetch, takesWords: true, run: withTeam(deed.Fetch)},
	{word: "defer", action: deed.Defer, takesWords: true, run: withTeam(deed.Defer)},
	{word: "list", keepsAnswer: true, run: (*Lines).writeList},
	{word: "next", action: deed.Next, run: func(l *Lines, _ string) { l.stepQuestion(1) }},
	{word: "previous", action: deed.Previous, run: func(l *Lines, _ string) { l.stepQuestion(-1) }},
	{word: "help", action: keys.ActHelp, keepsAnswer: true, run: (*Lines).writeHelp},
	{word: "quit", action: keys.ActQuit, run: (*Lines).quit},
}

// toAnswer returns the run of a command about the question on view.
func toAnswer(f func(*answering, string)) func(*Lines, string) {
	return func(l *Lines, rest string) { f(l.answer, rest) }
}

// withTeam returns the run of a command that begins the conversation of an action about the team.
func withTeam(about deed.Action) func(*Lines, string) {
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
	own, _ := keys.New(s.Keys, ink.Width)
	v := vocabulary{commands, map[string][]string{}}
	for _, c := range commands {
		if c.action == keys.ActNone {
			continue
		}
		for _, b := range own {
			if b.Action != c.action {
				continue
			}
			for _, k := range b.Keys {
				if r := []rune(k); len(r) == 1 && !strings.ContainsRune("0123456789", r[0]) {
					v.keys[c.word] = append(v.keys[c.word], k)
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
func (v vocabulary) shortFormOf(a keys.Action) string {
	at := slices.IndexFunc(v.commands, func(c command) bool { return c.action == a })
	if at < 0 {
		return ""
	}
	return v.shortForm(v.commands[at].word)
}

// findCommand returns the command that a word means. Short forms are case-sensitive: J is not j.
func (v vocabulary) findCommand(word string) (command, bool) {
	for _, c := range v.commands {
		if slices.Contains(v.keys[c.word], word) || strings.EqualFold(c.word, word) {
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
	l.seat.Pressed(l.desk.Now())
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
	if rest != "" && !c.takesWords { // “yes, but not the last one” must not send, nor “all tests pass” choose all
		known = false
	}
	if text == "n" && c.word == "note" && l.answer.asked != asksNothing { // as an answer, n means no
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
	case isNumbers && l.answer.asked == asksRound:
		l.reopenInRound(list)
	case id != "":
		l.answer.dropConfirmation()
		l.openQuestion(id)
	case isNumbers:
		l.answer.dropConfirmation()
		l.answer.withdrawAsked()
		l.answer.answerBy(deed.Choose, deed.Arg{List: list}) // in a review a number opens its answer
	default:
		l.runCommand(c, strings.TrimSpace(rest))
	}
}

// refusesLine asks the guard about a line before the line changes anything. It says why the line is refused, and
// reports whether it is.
func (l *Lines) refusesLine(c command, text string, isNumbers bool) bool {
	a := l.answer
	agrees := text == "" || c.word == "yes"
	switch {
	case isNumbers:
		return a.hand.Refuses(a.input(deed.Choose, guarded), a.at)
	case !agrees:
		return c.answers && a.hand.Refuses(a.input(c.deed(), guarded), a.at)
	case a.asked == asksEnter:
		return a.hand.Refuses(a.input(deed.Enter, guarded), a.at)
	case a.asked == asksOffer: // deed.Hand asks the guard when it takes the offer
	case text == "" && a.asked == asksNothing && !l.seat.Guard.Remembers(): // the person is only told what Enter does
	default:
		p := desk.Press{Key: text, Effect: desk.Sending, Decides: a.asked == asksConfirm || a.asked == asksRound}
		if err := l.seat.Guard.Refuses(p, a.at); err != nil {
			a.Refused(p, err)
			return true
		}
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
	case c.word == "yes", c.word == "no":
	case c.word == "quit":
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
	if f := l.seat.Form(); f != nil && f.Here().TakesText() {
		l.say("To answer in your own words, type " + l.speech().Key(deed.Text) + ", a space and your answer.")
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
		f := l.seat.FormOf(w.ID)
		l.say(listLine(w, l.desk.Name(w.Origin), l.seat.Up() == w.ID, f != nil && f.Changed(), l.desk.Now()))
	}
	for _, n := range l.desk.Notices() {
		l.say(say.NoticeLine(n, l.desk.Name(*n.Origin), l.desk.Now()))
	}
}

// listLine returns the line of a pending question in the list. agent is the name of its agent; begun: the person has
// chosen or typed something there.
func listLine(w queue.Waiting, agent string, onView, begun bool, now time.Time) string {
	notes := ""
	if idle := say.Idle(w, say.FaceLines); idle != "" {
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
	if at, _ := l.seat.Round.At(); at > 0 { // in a round the step is to another approval of it
		step := deed.Next
		if n < 0 {
			step = deed.Previous
		}
		l.answer.press(step, deed.Arg{}, unguarded)
		return
	}
	list, at := l.desk.Waiting(), l.position(l.seat.Up())
	if len(list) == 0 && l.seat.Up() == "" {
		l.say(say.NothingPendingLine(l.desk.Needed()))
		return
	}
	if len(list) == 0 || len(list) == 1 && at == 0 {
		l.say(say.Sentence(say.NothingElse))
		return
	}
	l.openQuestion(list[(at+n+len(list))%len(list)].ID)
}

// lineHelp holds the help on each command: its word, its arguments and its effect. Words that are other names of a
// command are not in it.
var lineHelp = []struct{ word, args, does string }{
	{"text", "WORDS",
		"answers in your own words, where the question takes them; without words, or with \\ at the end, " +
			"more lines follow"},
	{"note", "N WORDS", "puts a note on option N"},
	{"comment", "WORDS", "puts a comment on the whole answer"},
	{"allow", "", "chooses to allow it once"},
	{"refuse", "[WORDS]", "chooses to refuse, and tells the agent why"},
	{"rule", "", "allows this and makes a rule, so that the same is not asked again for a while; asks first"},
	{"similar", "", "goes through the pending approvals that are like this one, to send them together"},
	{"recommended", "", "chooses what the agent recommends"},
	{"all", "", "chooses every option"},
	{"none", "", "chooses no option"},
	{"all-recommended", "", "answers all open questions of a form as the agent recommends"},
	{"start-over", "", "clears all answers and notes; type it twice"},
	{"cancel", "[REASON]", "cancels the question and tells the agent why; asks first"},
	{"detail", "[WORDS]", "ends the question because you want more detail first; asks first"},
	{"later", "", "sets the question aside for ten minutes (asks first), or brings it back"},
	{"undo", "",
		"takes back an answer that is held back (undo_seconds), else brings back the option that you just hid"},
	{"yes", "", "says yes to what you were just asked; a confirmation needs this whole word"},
	{"no", "", "says no to what you were just asked"},
	{"back", "", "in a form, goes back to the question before"},
	{"more", "", "gives the question one more minute"},
	{"less", "", "takes a minute off, but leaves at least one"},
	{"show", "", "shows the question again (also: again)"},
	{"find", "WORDS", "shows the options that contain these words; the numbers stay the same"},
	{"hidden", "", "shows the options that your settings hide, or hides them again"},
	{"hide", "N", "hides option N in all future questions from this agent, or shows it again; asks before it hides"},
	{"web", "", "opens this question in your browser, with what you typed"},
	{"before", "", "shows what the agent was doing when it asked"},
	{"widen", "[ID]", "asks your team about this question, or about another; first shows who is asked"},
	{"fetch", "[ID]", "shows what your team said so far, with a proposed answer that you accept, edit or defer"},
	{"defer", "[ID]", "puts off a question that is with your team, and says why"},
	{"list", "", "lists all pending questions"},
	{"next", "", "goes to the next question"},
	{"previous", "", "goes to the previous question"},
	{"help", "", "shows this help"},
	{"quit", "", "leaves; pending questions stay in the queue"},
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
		if words := commandHelp(c.word, l.words.keys[c.word]); words != "" {
			l.say(words)
		}
	}
	for _, words := range helpBehind(l.o.Typed) {
		l.say(words)
	}
}

// commandHelp returns the help on a command with its shorter forms: `x or cancel [REASON]: …`. It returns "" for
// another name of a command.
func commandHelp(word string, shorter []string) string {
	for _, row := range lineHelp {
		if row.word != word {
			continue
		}
		name := strings.Join(append(slices.Clone(shorter), word), " or ")
		if row.args != "" {
			name += " " + row.args
		}
		return "  " + name + ": " + row.does
	}
	return ""
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
	b.seat.SaveDraft()
	b.say(say.Sentence(say.OpeningBrowser))
	id := b.seat.Up()
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

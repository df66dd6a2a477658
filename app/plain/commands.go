package plain

import (
	"context"
	"errors"
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
	"github.com/choicetui/choicetui/queue/form"
)

// command is one word a person can type. Its short form is the key that does the same in the dashboard, from the same
// table, so that a key that was rebound there is rebound here.
type command struct {
	word    string
	action  keys.Action
	answers bool // chooses, writes, sends or cancels: refused where it came before its question
	aside   bool // changes nothing of what a confirmation is about, which stays open
	run     func(l *Lines, rest string)
}

// commands is the table that parsing and help read; say.CommandHelp is what help says of each.
var commands = []command{
	{word: "text", action: keys.ActText, answers: true, run: toAnswer((*answering).text)},
	{word: "note", action: keys.ActNote, answers: true, run: toAnswer((*answering).note)},
	{word: "comment", action: keys.ActComment, answers: true, run: toAnswer((*answering).comment)},
	{word: "allow", answers: true, run: toAnswer((*answering).allow)},
	{word: "refuse", answers: true, run: toAnswer((*answering).refuse)},
	{word: "recommended", action: keys.ActRecommended, answers: true, run: toAnswer((*answering).recommended)},
	{word: "all", action: keys.ActAll, answers: true, run: toAnswer((*answering).all)},
	{word: "none", answers: true, run: toAnswer((*answering).none)},
	{word: "cancel", action: keys.ActCancel, answers: true, run: toAnswer((*answering).cancel)},
	{word: "detail", action: keys.ActDetail, answers: true, run: toAnswer((*answering).moreDetail)},
	{word: "later", action: keys.ActLater, answers: true, run: toAnswer((*answering).later)},
	{word: "undo", action: keys.ActUndoLast, run: toAnswer((*answering).undo)},
	{word: "yes", answers: true, run: func(l *Lines, _ string) { l.answer.yes(l.quit) }},
	{word: "no", run: toAnswer((*answering).no)},
	{word: "back", run: toAnswer((*answering).back)},
	{word: "more", action: keys.ActMore, aside: true, run: moveClock(time.Minute)},
	{word: "less", action: keys.ActLess, aside: true, run: moveClock(-time.Minute)},
	{word: "show", run: toAnswer((*answering).again)},
	{word: "again", run: toAnswer((*answering).again)},
	{word: "hidden", action: keys.ActHidden, run: toAnswer((*answering).showHidden)},
	{word: "hide", action: keys.ActHide, answers: true, run: toAnswer((*answering).hide)},
	{word: "web", action: keys.ActBrowser, aside: true,
		run: func(l *Lines, _ string) { browsing{l.voice, l.o.Browse}.open() }},
	{word: "widen", action: keys.ActAskTeam, run: withTeam(Team.Widen)},
	{word: "fetch", action: keys.ActFetch, run: withTeam(Team.Fetch)},
	{word: "defer", action: keys.ActDefer, run: withTeam(Team.Defer)},
	{word: "list", aside: true, run: (*Lines).list},
	{word: "next", action: keys.ActNext, run: func(l *Lines, _ string) { l.step(1) }},
	{word: "previous", action: keys.ActPrevious, run: func(l *Lines, _ string) { l.step(-1) }},
	{word: "help", action: keys.ActHelp, aside: true, run: (*Lines).help},
	{word: "quit", action: keys.ActQuit, run: (*Lines).quit},
}

// toAnswer is a command about the question on view.
func toAnswer(f func(*answering, string)) func(*Lines, string) {
	return func(l *Lines, rest string) { f(l.answer, rest) }
}

// withTeam is a conversation with the team about a question.
func withTeam(have func(Team, context.Context, string, Exchange) error) func(*Lines, string) {
	return func(l *Lines, named string) { l.team.begin(named, have) }
}

func moveClock(by time.Duration) func(*Lines, string) {
	return func(l *Lines, _ string) { l.answer.moveClock(by) }
}

// vocabulary is the table with the person's own short forms.
type vocabulary struct {
	commands []command
	keys     map[string][]string // word → short forms
}

// newVocabulary reads the short forms from the person's key table. A key that a line cannot hold has none: the word
// always works.
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

// short is the shortest way to type a command.
func (v vocabulary) short(word string) string {
	if len(v.keys[word]) > 0 {
		return v.keys[word][0]
	}
	return word
}

// command is the shortest way to type the command of an action.
func (v vocabulary) command(a keys.Action) string {
	at := slices.IndexFunc(v.commands, func(c command) bool { return c.action == a })
	if at < 0 {
		return ""
	}
	return v.short(v.commands[at].word)
}

// find is the command a first word means. Short forms keep their case: J is not j.
func (v vocabulary) find(word string) (command, bool) {
	for _, c := range v.commands {
		if slices.Contains(v.keys[c.word], word) || strings.EqualFold(c.word, word) {
			return c, true
		}
	}
	return command{}, false
}

// numbers reads a line that holds only numbers, with spaces or commas between them.
func numbers(text string) (list []int, ok bool) {
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		n, err := strconv.Atoi(f)
		if err != nil || n < 0 || f[0] == '+' {
			return nil, false
		}
		list = append(list, n)
	}
	return list, len(list) > 0
}

// line takes one line of the person.
func (l *Lines) line(typed line) {
	l.seat.Pressed(l.desk.Now())
	if keyed(typed.text) {
		l.say(say.NotText)
		return
	}
	if l.answer.typing != nil {
		l.answer.typed(typed.text)
		return
	}
	text := strings.TrimSpace(typed.text)
	word, rest, _ := strings.Cut(text, " ")
	c, known := l.words.find(word)
	id := l.waitingID(text)
	list, isNumbers := numbers(text)
	p := l.press(typed.text, c.word, isNumbers || c.answers)
	switch {
	case id == "" && !isNumbers && !known && text != "":
		l.unknown(text)
	case l.refused(p, typed.at):
	case text == "":
		l.seat.Take(p, typed.at, l.answer.enter)
	case id != "":
		l.answer.unconfirmed()
		l.open(id)
	case isNumbers:
		l.answer.unconfirmed()
		l.answer.takeBack()
		l.seat.Take(p, typed.at, func() { l.answer.choose(list) })
	default:
		l.seat.Take(p, typed.at, func() { l.command(c, strings.TrimSpace(rest)) })
	}
}

// press is a line as the guard judges it; answers: it chooses, writes, sends or cancels.
func (l *Lines) press(text, word string, answers bool) desk.Press {
	text, asked, f := strings.TrimSpace(text), l.answer.asked, l.seat.Form()
	p := desk.Press{Key: text, Decides: asked == asksConfirm || f != nil && (f.Reviewing() || f.Approves())}
	switch {
	case text == "" && asked == asksNothing && !l.seat.Guard.Remembers(): // it only says what Enter would do
	case (text == "" || word == "yes") && asked == asksTake && f != nil && f.Plan(form.Facts{}).Step == form.StepTake:
		p.Effect = desk.Stepping
	case text == "" || word == "yes":
		p.Effect = desk.Sending
	case answers && f != nil && word == "" && f.Here().SubmitsAtOnce():
		p.Effect = desk.Choosing
	case answers:
		p.Effect = desk.Marking
	}
	return p
}

// refused asks the guard about a line, and says why it is not taken.
func (l *Lines) refused(p desk.Press, at time.Time) bool {
	missed := l.seat.Guard.Says(at).NotTaken
	switch err := l.seat.Guard.Refuses(p, at); {
	case err == nil:
		return false
	case errors.Is(err, desk.ErrNotTaken):
		l.say(say.LineNotTaken(missed))
	default:
		l.say(say.LineTooSoon(p.Key))
	}
	return true
}

// command runs a command. It takes back what was asked before, unless it answers that.
func (l *Lines) command(c command, rest string) {
	switch {
	case c.aside && l.answer.asked == asksConfirm:
		c.run(l, rest)
		l.answer.confirmStays()
		return
	case c.word == "yes", c.word == "no":
	case c.word == "quit":
		l.answer.unconfirmed()
	default:
		l.answer.unconfirmed()
		l.answer.takeBack()
	}
	c.run(l, rest)
}

// unknown says what a line is not. It also takes back what was asked: whoever typed it meant something else. Only a
// confirmation stays open, as no other line than yes sends it.
func (l *Lines) unknown(text string) {
	if l.answer.asked == asksConfirm {
		l.say(say.ConfirmsNothing(text))
		l.answer.confirmStays()
		return
	}
	l.answer.takeBack()
	l.say(say.UnknownLine(text))
	if f := l.seat.Form(); f != nil && f.Here().TakesText() {
		l.say(say.WordsBegin(l.speech()))
	}
}

// waitingID is the id of a waiting question, if that is what was typed.
func (l *Lines) waitingID(text string) string {
	id, ok := queue.TypedID(text)
	if _, waits := l.waiting(id); !waits || !ok {
		return ""
	}
	return id
}

// list writes all that wait, in queue order.
func (l *Lines) list(string) {
	const most = 200
	waiting := l.desk.Waiting()
	if len(waiting) == 0 {
		l.say(say.NothingWaits)
	}
	for i, w := range waiting {
		if i == most {
			l.say(say.AndMore(len(waiting) - most))
			break
		}
		f := l.seat.FormOf(w.ID)
		l.say(say.ListLine(w, l.desk.Name(w.Origin), l.seat.Up() == w.ID, f != nil && f.Changed(), l.desk.Now()))
	}
	for _, n := range l.desk.Notices() {
		l.say(say.NoticeLine(n, l.desk.Name(*n.Origin), l.desk.Now()))
	}
}

// step goes to another question of the queue, round and round.
func (l *Lines) step(n int) {
	list, at := l.desk.Waiting(), l.position(l.seat.Up())
	if len(list) == 0 || len(list) == 1 && at == 0 {
		l.say(say.NoOther(say.FaceLines))
		return
	}
	l.open(list[(at+n+len(list))%len(list)].ID)
}

// help writes what can be typed.
func (l *Lines) help(string) {
	for _, words := range say.HelpBefore {
		l.say(words)
	}
	for _, c := range l.words.commands {
		if words := say.CommandHelp(c.word, l.words.keys[c.word]); words != "" {
			l.say(words)
		}
	}
	for _, words := range say.HelpBehind(l.o.Typed) {
		l.say(words)
	}
}

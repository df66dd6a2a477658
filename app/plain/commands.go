package plain

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// command is one word a person can type. Its short form is the key that does the same in the dashboard, from the same
// table, so that a key that was rebound there is rebound here.
type command struct {
	word    string
	action  keys.Action // its keys are short forms
	does    deed.Action // where no key is a short form
	answers bool        // chooses, writes, sends or cancels: refused where it came before its question
	aside   bool        // changes nothing of what a confirmation is about, which stays open
	run     func(l *Lines, rest string)
}

// deed returns the action of a command, by which the guard judges it.
func (c command) deed() deed.Action {
	if c.does != "" {
		return c.does
	}
	return c.action
}

// commands is the table that parsing and help read; say.CommandHelp is what help says of each.
var commands = []command{
	{word: "text", action: keys.ActText, answers: true, run: toAnswer((*answering).text)},
	{word: "note", action: keys.ActNote, answers: true, run: toAnswer((*answering).note)},
	{word: "comment", action: keys.ActComment, answers: true, run: toAnswer((*answering).comment)},
	{word: "allow", does: deed.Allow, answers: true, run: pressed(deed.Allow)},
	{word: "refuse", does: deed.Refuse, answers: true, run: toAnswer((*answering).refuse)},
	{word: "rule", action: keys.ActRule, answers: true, run: plainly(deed.Rule, true)},
	{word: "similar", action: keys.ActAlike, answers: true, run: toAnswer((*answering).similar)},
	{word: "recommended", action: keys.ActRecommended, answers: true, run: pressed(deed.Recommended)},
	{word: "all", action: keys.ActAll, answers: true, run: toAnswer((*answering).all)},
	{word: "none", does: deed.Choose, answers: true, run: pressed(deed.Choose)},
	{word: "all-recommended", action: keys.ActAllRec, answers: true, run: toAnswer((*answering).allRecommended)},
	{word: "start-over", action: keys.ActStartOver, answers: true, run: toAnswer((*answering).startOver)},
	{word: "cancel", action: keys.ActCancel, answers: true, run: toAnswer((*answering).cancel)},
	{word: "detail", action: keys.ActDetail, answers: true, run: toAnswer((*answering).moreDetail)},
	{word: "later", action: keys.ActLater, answers: true, run: plainly(deed.Later, true)},
	{word: "undo", action: keys.ActUndoLast, run: toAnswer((*answering).undo)},
	{word: "yes", does: deed.Agree, answers: true, run: func(l *Lines, _ string) { l.answer.yes(l.quit) }},
	{word: "no", does: deed.Decline, run: toAnswer((*answering).no)},
	{word: "back", does: deed.TabBack, run: toAnswer((*answering).back)},
	{word: "more", action: keys.ActMore, aside: true, run: plainly(deed.More, false)},
	{word: "less", action: keys.ActLess, aside: true, run: plainly(deed.Less, false)},
	{word: "show", run: toAnswer((*answering).again)},
	{word: "again", run: toAnswer((*answering).again)},
	{word: "find", action: keys.ActFind, run: toAnswer((*answering).find)},
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

// Actions lists the actions on a question that lines have: those of a word, of a line of numbers, and of Enter.
func Actions() []deed.Action {
	list := []deed.Action{deed.Choose, deed.Enter, deed.Back}
	for _, c := range commands {
		list = append(list, c.deed())
	}
	return list
}

// toAnswer is a command about the question on view.
func toAnswer(f func(*answering, string)) func(*Lines, string) {
	return func(l *Lines, rest string) { f(l.answer, rest) }
}

// withTeam is a conversation with the team about a question.
func withTeam(have func(Team, context.Context, string, Exchange) error) func(*Lines, string) {
	return func(l *Lines, named string) { l.team.begin(named, have) }
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
	l.answer.line, l.answer.at = text, typed.at
	switch {
	case id == "" && !isNumbers && !known && text != "":
		l.unknown(text)
	case l.refused(c, text, isNumbers):
	case text == "":
		l.answer.enter()
	case isNumbers && l.answer.asked == asksRound:
		l.toOneOfRound(list)
	case id != "":
		l.answer.unconfirmed()
		l.open(id)
	case isNumbers:
		l.answer.unconfirmed()
		l.answer.takeBack()
		l.answer.choose(list)
	default:
		l.command(c, strings.TrimSpace(rest))
	}
}

// refused asks the guard about a line, before anything is taken back for it, and says why it is not taken.
func (l *Lines) refused(c command, text string, isNumbers bool) bool {
	a := l.answer
	agrees := text == "" || c.word == "yes"
	switch {
	case isNumbers:
		return a.hand.Refuses(a.input(deed.Choose, true), a.at)
	case !agrees:
		return c.answers && a.hand.Refuses(a.input(c.deed(), true), a.at)
	case a.asked == asksEnter:
		return a.hand.Refuses(a.input(deed.Enter, true), a.at)
	case a.asked == asksOffer: // the Hand asks about that
	case text == "" && a.asked == asksNothing && !l.seat.Guard.Remembers(): // it only says what Enter would do
	default:
		p := desk.Press{Key: text, Effect: desk.Sending, Decides: a.asked == asksConfirm || a.asked == asksRound}
		if err := l.seat.Guard.Refuses(p, a.at); err != nil {
			a.Refused(p, err)
			return true
		}
	}
	return false
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
	if at, _ := l.seat.Round.At(); at > 0 {
		l.answer.press(map[bool]deed.Action{true: deed.Next, false: deed.Previous}[n > 0], deed.Arg{}, false)
		return
	}
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

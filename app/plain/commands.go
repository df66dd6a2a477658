package plain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// command is one word a person can type. Its short form is the key that does the same in the dashboard, from the same
// table, so that a key that was rebound there is rebound here.
type command struct {
	word    string
	action  keys.Action
	args    string // as help writes them
	help    string
	answers bool // chooses, writes, sends or cancels: refused where it came before its question
	aside   bool // changes nothing of what a confirmation is about, which stays open
	run     func(d *Desk, rest string)
}

// commands is the table that parsing and help read.
var commands = []command{
	{word: "text", action: keys.ActText, args: "WORDS", help: "answers in your own words, where the question takes them; without words, or with \\ at the end, more lines follow", answers: true, run: (*Desk).text},
	{word: "note", action: keys.ActNote, args: "N WORDS", help: "puts a note on option N", answers: true, run: (*Desk).note},
	{word: "comment", action: keys.ActComment, args: "WORDS", help: "puts a comment on the whole answer", answers: true, run: (*Desk).comment},
	{word: "recommended", action: keys.ActRecommended, help: "chooses what the agent recommends", answers: true, run: (*Desk).recommended},
	{word: "all", action: keys.ActAll, help: "chooses every option", answers: true, run: (*Desk).all},
	{word: "none", help: "chooses no option", answers: true, run: (*Desk).none},
	{word: "cancel", action: keys.ActCancel, args: "[REASON]", help: "cancels the question and tells the agent why; asks first", answers: true, run: (*Desk).cancel},
	{word: "yes", help: "does what was asked last; a confirmation takes nothing else", answers: true, run: (*Desk).yes},
	{word: "no", help: "takes back what was asked last", run: (*Desk).no},
	{word: "back", help: "with several questions, the one before", run: (*Desk).back},
	{word: "more", action: keys.ActMore, help: "gives the question a minute more", aside: true, run: func(d *Desk, _ string) { d.moveClock(minute) }},
	{word: "less", action: keys.ActLess, help: "takes a minute, never under one", aside: true, run: func(d *Desk, _ string) { d.moveClock(-minute) }},
	{word: "show", help: "writes the question again (also: again)", run: (*Desk).again},
	{word: "again", run: (*Desk).again},
	{word: "hidden", action: keys.ActHidden, help: "shows the options that your settings hide, or hides them again", run: (*Desk).showHidden},
	{word: "list", help: "writes all that wait", aside: true, run: (*Desk).list},
	{word: "next", action: keys.ActNext, help: "goes to the next question", run: func(d *Desk, _ string) { d.step(1) }},
	{word: "previous", action: keys.ActPrevious, help: "goes to the question before", run: func(d *Desk, _ string) { d.step(-1) }},
	{word: "help", action: keys.ActHelp, help: "writes this", aside: true, run: (*Desk).help},
	{word: "quit", action: keys.ActQuit, help: "leaves; what waits stays in the queue", run: (*Desk).quit},
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
func (d *Desk) line(l line) {
	d.lastLine = d.now()
	if keyed(l.text) {
		d.say("That line holds keys that are not text, so it was not taken: type it again.")
		return
	}
	if d.typing != nil {
		d.typed(l.text)
		return
	}
	text := strings.TrimSpace(l.text)
	if text == "" {
		if d.asked == asksNothing || !d.early(l, true) {
			d.enter()
		}
		return
	}
	if w := d.waitingID(text); w != "" {
		d.unconfirmed()
		d.open(w)
		return
	}
	word, rest, _ := strings.Cut(text, " ")
	list, isNumbers := numbers(text)
	c, known := d.words.find(word)
	switch {
	case !isNumbers && !known:
		d.unknown(text)
	case (isNumbers || c.answers) && d.early(l, c.word == "yes"):
	case isNumbers:
		d.unconfirmed()
		d.takeBack()
		d.choose(list)
	case c.aside && d.asked == asksConfirm:
		c.run(d, strings.TrimSpace(rest))
		d.confirmStays()
	default:
		if c.word != "yes" && c.word != "no" {
			d.unconfirmed()
		}
		if c.word != "yes" && c.word != "no" && c.word != "quit" {
			d.takeBack()
		}
		c.run(d, strings.TrimSpace(rest))
	}
}

// early refuses a line that came before what it would answer was there, and says so.
func (d *Desk) early(l line, sends bool) bool {
	if !d.guard.early(l.at, sends) {
		return false
	}
	if text := strings.TrimSpace(l.text); text == "" {
		d.say("Not taken: that Enter came before this was written. Press it again.")
	} else {
		d.say("Not taken: %s came before this was written. Type it again.", short(text, 60))
	}
	return true
}

// unconfirmed takes an open confirmation back, and says so.
func (d *Desk) unconfirmed() {
	if d.asked == asksConfirm {
		d.takeBack()
		d.say("Not confirmed, nothing was sent: back at the options.")
	}
}

// confirmStays says what a confirmation that is still open takes; the line before it was none of that.
func (d *Desk) confirmStays() {
	d.say("Still to be confirmed: type the whole word yes to confirm and send, no to go back to the options, %s to cancel.", d.words.short("cancel"))
	d.guard.appeared(d.now())
}

// unknown says what a line is not. It also takes back what was asked: whoever typed it meant something else. Only a
// confirmation stays open, as no other line than yes sends it.
func (d *Desk) unknown(text string) {
	if d.asked == asksConfirm {
		d.say("%s confirms nothing.", short(text, 60))
		d.confirmStays()
		return
	}
	d.takeBack()
	d.say("%s is nothing that can be typed here: help lists what can.", short(text, 60))
	if d.form != nil && d.form.Here().TakesText() {
		d.say("Your own words begin with %s and a space.", d.words.short("text"))
	}
}

// waitingID is the id of a waiting question, if that is what was typed.
func (d *Desk) waitingID(text string) string {
	id := strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(text))
	if queue.ValidID(id) && slices.ContainsFunc(d.waiting, func(w queue.Waiting) bool { return w.ID == id }) {
		return id
	}
	return ""
}

// help writes what can be typed.
func (d *Desk) help(string) {
	d.say("Numbers choose options: 2, or 1 3 where several are wanted; they replace what was chosen before.")
	d.say("What you chose is said back. Enter on an empty line then sends it, anything else changes it. Where the question submits at once, the number sends.")
	for _, c := range d.words.commands {
		if c.help == "" {
			continue
		}
		name := c.word
		if keys := d.words.keys[c.word]; len(keys) > 0 {
			name = strings.Join(keys, " or ") + " or " + name
		}
		if c.args != "" {
			name += " " + c.args
		}
		d.say("  %s: %s", name, c.help)
	}
	d.say("  an id, such as k7f3m2qx: goes to that question")
	d.say("Text of several lines ends with a line that holds only a dot; a line of two dots stands for one dot.")
	if d.o.Typed {
		d.say("A line that came before its question, or within half a second after it, is not taken as its answer.")
	}
}

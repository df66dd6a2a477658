package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/form"
)

// Words of the line face about a line that was typed.

// NotText refuses a line that holds arrows or other keys.
const NotText = "That line holds keys that are not text, so it was not taken: type it again."

// UnknownLine says that a line is not a command.
func UnknownLine(text string) string {
	return ShortQuoted(text, 60) + " is nothing that can be typed here: help lists what can."
}

// WordsBegin says how a line becomes the person's own words.
func WordsBegin(in Speech) string {
	return "Your own words begin with " + in.Key(keys.ActText) + " and a space."
}

// TypeLines asks for text of several lines; option is the number of the option that a note is on.
func TypeLines(field form.Field, option int) string {
	what := "your own words"
	switch field {
	case form.FieldNote:
		what = fmt.Sprintf("the note on option %d", option)
	case form.FieldComment:
		what = "the comment"
	}
	return "Type " + what + ". A line that holds only a dot ends it."
}

// TakenLines says how many lines of text were taken.
func TakenLines(n int) string { return "Taken: " + Count(n, "line") + "." }

// WhichToHide says that hiding needs the number of an option.
func WhichToHide(in Speech) string {
	return "Which option is to be hidden? " + in.Key(keys.ActHide) + " 1, for option 1."
}

// WhichOption says that a note needs the number of its option.
func WhichOption(in Speech) string {
	return "Which option is the note for? " + in.Key(keys.ActNote) + " 1 and the note, for option 1."
}

// lineHelp describes the commands: the word, what follows it, and what it does. A word that is left out is another name
// for one of these.
var lineHelp = []struct{ word, args, does string }{
	{"text", "WORDS",
		"answers in your own words, where the question takes them; without words, or with \\ at the end, " +
			"more lines follow"},
	{"note", "N WORDS", "puts a note on option N"},
	{"comment", "WORDS", "puts a comment on the whole answer"},
	{"allow", "", "marks what allows an approval once"},
	{"refuse", "[WORDS]", "marks the refusal of an approval, with what its agent is told"},
	{"rule", "", "allows this and makes a rule, so that the same is not asked again for a while; asks first"},
	{"similar", "", "goes through the pending approvals that are like this one, to send them together"},
	{"recommended", "", "chooses what the agent recommends"},
	{"all", "", "chooses every option"},
	{"none", "", "chooses no option"},
	{"all-recommended", "", "answers all open questions of a form as the agent recommends"},
	{"start-over", "", "forgets all answers and notes; type it twice"},
	{"cancel", "[REASON]", "cancels the question and tells the agent why; asks first"},
	{"detail", "[WORDS]", "ends the question because you want more detail first; asks first"},
	{"later", "", "sets the question aside for ten minutes; asks first"},
	{"undo", "",
		"takes back an answer that is held back (undo_seconds), else shows the option again that you just hid"},
	{"yes", "", "does what was asked last; a confirmation takes nothing else"},
	{"no", "", "takes back what was asked last"},
	{"back", "", "with several questions, the one before"},
	{"more", "", "gives the question a minute more"},
	{"less", "", "takes a minute, never under one"},
	{"show", "", "writes the question again (also: again)"},
	{"find", "WORDS", "writes the options that have these words; their numbers stay"},
	{"hidden", "", "shows the options that your settings hide, or hides them again"},
	{"hide", "N", "hides option N in all future questions of this agent, or shows it again; asks before it hides"},
	{"web", "", "opens this question in your browser, with what you typed"},
	{"widen", "[ID]", "asks your team about the question on view, or about another; shows first who is asked"},
	{"fetch", "[ID]", "brings what your team said so far, with a proposed answer that you accept, edit or defer"},
	{"defer", "[ID]", "puts off a question that is with your team, and says why"},
	{"list", "", "writes all that wait"},
	{"next", "", "goes to the next question"},
	{"previous", "", "goes to the question before"},
	{"help", "", "writes this"},
	{"quit", "", "leaves; what waits stays in the queue"},
}

// CommandHelp is help on a command that lines know by its word, and by shorter forms: `x or cancel [REASON]: …`. Empty:
// it is another name for one that has help.
func CommandHelp(word string, shorter []string) string {
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

// HelpBefore precedes the commands in the help.
var HelpBefore = []string{
	"Numbers choose options: 2, or 1 3 where several are wanted; they replace what was chosen before.",
	"What you chose is said back. Enter on an empty line then sends it, anything else changes it. " +
		"Where the question submits at once, the number sends.",
}

// HelpBehind follows the commands in the help; typed: a person types the lines.
func HelpBehind(typed bool) []string {
	rows := []string{
		"  an id, such as k7f3m2qx: goes to that question",
		"Text of several lines ends with a line that holds only a dot; a line of two dots stands for one dot.",
		"Of the dashboard's keys, lines leave out those that move a cursor, mark a single option, open an editor, " +
			"copy, or show suggested texts: numbers and your terminal replace them.",
	}
	if typed {
		rows = append(rows,
			"A line that came before its question, or within half a second after it, is not taken as its answer.")
	}
	return rows
}

// NoTeamHere says that the lines have no way to a team.
const NoTeamHere = "There is no way to ask a team here."

// NoSuchLine says that a question was not found by what was typed for it.
func NoSuchLine(named string) string {
	if named == "" {
		return "No question is on view. Name one by its id: list writes them."
	}
	return "No question that waits is called " + ShortQuoted(named, 60) + ". list writes them all."
}

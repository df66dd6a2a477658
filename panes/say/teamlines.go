package say

import (
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// Words of lines alone about a question that goes to the team.

// TeamPending says of a question that it is with the team, who was asked, and what can be done about it.
func TeamPending(s queue.Session, in Speech) []string {
	who, where := TeamPanel(s)
	lines := []string{"[pending-external-input] " + who}
	if where != "" {
		lines = append(lines, where)
	}
	return append(lines, lettered(in, keys.ActFetch, "fetch", " & resolve")+" | [local answer]=type answer | "+
		lettered(in, keys.ActDefer, "defer", ""))
}

// TeamDecides says why Enter alone sends nothing of a question that is with the team.
func TeamDecides(in Speech) string {
	return "This question is with your team, so Enter sends nothing. Choose an answer, or type " +
		in.Key(keys.ActFetch) + " to fetch what they said, " + in.Key(keys.ActDefer) + " to defer."
}

// TeamOffered says that the team can be asked about the question on view.
func TeamOffered(in Speech) string { return widensWith(in) + "." }

func widensWith(in Speech) string { return lettered(in, keys.ActAskTeam, "widen", " asks your team") }

// lettered returns a command with its letter in brackets, as long as the letter begins it.
func lettered(in Speech, a keys.Action, word, rest string) string {
	key := in.Key(a)
	if len(key) == 1 && strings.HasPrefix(word, key) {
		return "[" + key + "]" + word[1:] + rest
	}
	return key + "=" + word + rest
}

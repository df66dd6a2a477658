package say

import (
	"errors"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// BatchTitle returns the title of the list of approvals that are alike: `4 commands that are alike`.
func BatchTitle(list []desk.BatchRow) string {
	what := "request"
	if parts := list[0].Session.Ask.Approval.Parts; len(parts) == 1 && parts[0].Kind != queue.PartAddress {
		what = partNames[parts[0].Kind]
	}
	return Count(len(list), what) + " that are alike"
}

// BatchNote returns the words behind a request of the list; empty: it needs none. more is the number of its lines that
// the list does not show, and shows is what shows them.
func BatchNote(r desk.BatchRow, more int, shows string) string {
	a := r.Session.Ask.Approval
	switch {
	case errors.Is(r.WhyNot, desk.ErrEnded):
		return "(no longer pending)"
	case errors.Is(r.WhyNot, desk.ErrChanged):
		return "(not here: it has changed)"
	case errors.Is(r.WhyNot, desk.ErrAlone):
		why := Marked(a)
		switch {
		case why != "":
		case a.Odd():
			why = HiddenCharacters
		default:
			why = "it is decided on its own"
		}
		return "(not here: " + why + ")"
	case more > 0 && r.WhyNot != nil && shows != "":
		return "(" + Count(more, "more line") + ": " + shows + ")"
	case more > 0:
		return "(" + Count(more, "more line") + ")"
	case len(a.Grey()) > 0:
		return "(" + Tagged(a) + ")"
	}
	return ""
}

// BatchAlone says what is done with a request that is too long for the list, where nothing shows it alone.
const BatchAlone = "answer it on its own"

// The most rows of a request that the list shows, and those of a change with at most so many changed lines.
const (
	mostOfBatch  = 3
	mostOfChange = 12
)

// BatchShows reports whether the list shows all rows of a request, because these are few or few lines are changed. Of a
// request that cannot be marked it shows one.
func BatchShows(r desk.BatchRow, rows int) bool {
	changed := 0
	for _, p := range r.Session.Ask.Approval.Parts {
		if p.Kind != queue.PartDiff {
			changed = rows
			break
		}
		for line := range strings.SplitSeq(p.Text, "\n") {
			if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
				changed++
			}
		}
	}
	return rows <= 1 || !r.Closed() && changed <= mostOfBatch && rows <= mostOfChange
}

// BatchText returns the lines of a request in the list, for lines and the browser, and how many more it has. See
// BatchShows.
func BatchText(r desk.BatchRow, ascii bool) (lines []string, more int) {
	parts := r.Session.Ask.Approval.Parts
	for _, p := range parts {
		p, _ = p.Shown()
		if ascii {
			p = p.InASCII()
		}
		if heading := PartHeading(p, len(parts) > 1); heading != "" {
			lines = append(lines, heading)
		}
		lines = append(lines, strings.Split(p.Text, "\n")...)
	}
	if BatchShows(r, len(lines)) {
		return lines, 0
	}
	return []string{lines[0] + " …"}, len(lines) - 1
}

// BatchUnread returns the Enter line while so many lines of the list were not on screen yet.
func BatchUnread(lines int) Line { return Words(notYet + Count(lines, "line") + " unread") }

// BatchLater says that requests came since the list opened; empty: none did.
func BatchLater(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d more arrived, not in this list", n)
}

// BatchLine returns the Enter line in the list, where Enter allows so many requests that are marked.
func BatchLine(marked int, in Speech) Line {
	if marked == 0 {
		return Line{Pieces: []Piece{Fixed(notYet), Nice(string(action.NoneMarked), "none marked")}}
	}
	l := Words(fmt.Sprintf("%s %s%d", in.Enter, in.verb("allow "), marked))
	l.Sends = true
	return l
}

// BatchEnter returns the Enter line where Enter shows one request alone, or with unread lines of it the list again.
func BatchEnter(whole bool, unread int, in Speech) Line {
	switch {
	case !whole:
		return Words(in.Enter + " Show all of it")
	case unread > 0:
		return Words(in.Enter + " Back to the list").Behind(Tail{Count(unread, "line") + " unread"})
	}
	return Words(in.Enter + " Back to the list")
}

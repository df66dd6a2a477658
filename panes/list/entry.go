package list

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// entry holds one row of the queue.
type entry struct {
	queue.Waiting
	name   string   // the agent's name, which tells it from other agents
	unseen bool     // the person has not looked at the question yet
	draft  bool     // the person has begun to answer it
	where  string   // the place of the tmux pane in which the question is open alone (choicetui attach)
	done   string   // the progress of a form of several questions
	others []string // the other people who are answering it
}

// title returns the title in its style.
func (e entry) title(style ink.Style) ink.Line {
	title := say.Title(e.Ask)
	if e.done != "" {
		title += " · " + e.done
	}
	return ink.Line{{Text: title, Style: style.Bold(e.unseen)}}
}

// Signs of what a row is about, in a column of their own. ink draws them in ASCII where the terminal needs that.
const (
	signQuestion = "?"
	signForm     = "≡"
	signWords    = "…" // a question that takes only words
	signPlan     = "¶"
	signChange   = "±"
	signCommand  = "$" // and whatever else an agent wants to be allowed
	signRed      = "!" // an approval with a red mark
	signNeeded   = "◌" // an agent that needs the person in its own pane
)

// sign returns the sign of the row.
func (e entry) sign() string {
	a := e.Ask
	switch {
	case a.Approval != nil && a.Kind == queue.KindApproval:
		return approvalSign(a)
	case len(a.Questions) > 1:
		return signForm
	case len(a.Questions) == 1 && a.Questions[0].Mode == queue.ModeText:
		return signWords
	}
	return signQuestion
}

// approvalSign returns the sign of an agent's request for permission.
func approvalSign(a queue.Ask) string {
	if a.Confirm || len(a.Approval.Red()) > 0 {
		return signRed
	}
	if len(a.Approval.Parts) > 0 {
		switch a.Approval.Parts[0].Kind {
		case queue.PartPlan:
			return signPlan
		case queue.PartDiff:
			return signChange
		}
	}
	return signCommand
}

// style returns the style of the row: dim for a question that is not urgent.
func (e entry) style() ink.Style {
	if e.Standing != queue.StandingOpen {
		return ink.Dim
	}
	return ink.Plain
}

// naming holds the words right of a title: the asking agent, and why its question is not urgent. Both may be empty.
type naming struct{ agent, why string }

// String returns the words with a dot between agent and reason.
func (n naming) String() string {
	if n.agent == "" || n.why == "" {
		return n.agent + n.why
	}
	return n.agent + " · " + n.why
}

// nameForms returns the words right of the title, longest form first. The agent's name is shortened before the reason.
// A subagent's name replaces the directory.
func (e entry) nameForms() []naming {
	dir := e.Origin.Place()
	switch {
	case e.Origin.Subagent != "":
		dir = e.Origin.Asker()
	case dir == "":
		dir = e.name
	}
	long, short := say.Standing(e.Waiting, e.where)
	if len(e.others) > 0 {
		long, short = say.Answering(e.others)
	}
	if long == "" {
		return []naming{{e.name, ""}, {dir, ""}}
	}
	return []naming{{e.name, long}, {e.name, short}, {dir, short}, {"", short}}
}

// longest returns the first of several forms that fits w cells, else the last. They are sorted longest first.
func longest(names []naming, w int) naming {
	for _, n := range names {
		if ink.Width(n.String()) <= w {
			return n
		}
	}
	return names[len(names)-1]
}

// nameWithin returns the longest form of the words right of the title that fits w cells, else the shortest.
func (e entry) nameWithin(w int) naming { return longest(e.nameForms(), w) }

// nameLine returns the words right of a title as a line, with the agent in its colour.
func (e entry) nameLine(n naming, style ink.Style) ink.Line {
	if n.agent == "" {
		return ink.Line{{Text: n.why, Style: style}}
	}
	agent := ink.Span{Text: n.agent, Style: ink.HueOf(e.Origin).Of(style)}
	if n.why == "" {
		return ink.Line{agent}
	}
	return ink.Line{agent, {Text: " · " + n.why, Style: style}}
}

// nameInStrip returns the words right of the title in a strip row of w cells; left is the number of cells that the
// title leaves.
func (e entry) nameInStrip(w, left int) naming {
	names := e.nameForms()
	switch {
	case w >= 70:
		return longest(names, w/3)
	case e.Standing == queue.StandingOpen:
		return names[1]
	}
	return longest(names[2:], min(w/3, left))
}

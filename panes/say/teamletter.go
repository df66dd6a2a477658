package say

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

// teamByName introduces people who are asked because their names were typed, although the question is not meant for
// them.
const teamByName = "Not in the audience, but named by you:"

// Labels of the page for asking the team.
const (
	TeamTo = "to"

	teamPromptToo = "The agent wrote:"
	teamSought    = "finding out who would be asked"
)

// TeamPart is a part of the page for asking the team; see widen.Part.
type TeamPart struct {
	Head    string
	Texts   []teamText
	Choices []teamChoice
}

// teamText is one text of a part.
type teamText struct {
	Text  string
	Aside bool // a remark about the text above it
	Warns bool
}

// teamChoice is one of the choices of a part. Key picks it.
type teamChoice struct {
	Key   string
	Words []string // longest form first
	On    bool
}

// TeamParts returns the page for asking the team, part by part. rows returns the number of rows that a text takes on
// screen; it is nil on the page in the browser, which has no rows.
func TeamParts(c *widen.Consult, l widen.Letter, rows func(string) int, in Speech) []TeamPart {
	to := TeamPart{Head: TeamTo, Texts: []teamText{{Text: Text(teamNames(c.Invited, len(c.Invited)))}}}
	switch {
	case len(c.Members) == 0:
		to.Texts = []teamText{{Text: teamSought, Aside: true}}
	case len(c.Invited) == 0:
		to.Texts = []teamText{{Text: teamNobody, Warns: true}}
	}
	if c.ByName && len(c.Unnamed) > 0 {
		words := teamByName + " " + OneLine(strings.Join(c.Unnamed, ", "))
		to.Texts = append(to.Texts, teamText{Text: words, Warns: true})
	}
	if len(c.Invited) >= queue.MaxTeam {
		to.Texts = append(to.Texts, teamText{Text: TeamMost(queue.MaxTeam), Aside: true})
	}
	howAdded := func(a action.Name) string {
		key := teamKey(action.PlaceLetter, a, in)
		switch {
		case key == "", in.Frontend == OnPage: // the page has a box to tick
			return ""
		case c.Part != widen.PartLetter: // the key works in this part only
			return " · go here to add it"
		}
		return " · press " + key + " to add it"
	}
	read := TeamPart{Head: "message", Texts: []teamText{{Text: Text(l.Title)}}}
	if below := l.Below(); !queue.Blank(below) {
		read.Texts = append(read.Texts, teamText{Text: Text(below)})
	}
	if c.WithPrompt {
		read.Texts = append(read.Texts, teamText{Text: teamPromptToo, Aside: true})
	}
	if l.Prompt != "" {
		read.Texts = append(read.Texts, teamText{Text: Text(l.Prompt)})
	}
	if prompt := c.Session.Ask.Prompt; !c.WithPrompt && !queue.Blank(prompt) {
		left := teamLeft("the agent's message", prompt, howAdded(action.PromptToo), rows)
		read.Texts = append(read.Texts, teamText{Text: left, Aside: true})
	}
	if c.Before != "" && !c.WithBefore {
		left := teamLeft("what the agent was doing", c.Before, howAdded(action.BeforeToo), rows)
		read.Texts = append(read.Texts, teamText{Text: left, Aside: true})
	}
	key := func(a action.Name) string { return teamKey(action.PlaceTeamChoice, a, in) }
	until := TeamPart{Head: "in the meantime", Choices: []teamChoice{
		{key(action.Wait), []string{"wait here (chat stays closed)", "wait here"}, !c.Parks},
		{key(action.GoOn), []string{"answer other questions"}, c.Parks}}}
	return []TeamPart{to, read, until}
}

// teamLeft tells that a text is not sent to the team, and how it is added.
func teamLeft(words, text, adds string, rows func(string) int) string {
	if rows != nil {
		words += " (" + Count(rows(Text(text)), "line") + ")"
	}
	return words + " is not included" + adds
}

// TeamMost says that no more than the given number of people can be asked.
func TeamMost(most int) string {
	return fmt.Sprintf("No more than %d people can be asked. Whoever comes after them is left out.", most)
}

// TeamEnter returns the Enter line of the pages about the team. unread is the number of lines that were not on screen.
func TeamEnter(c *widen.Consult, unread int, in Speech) Line {
	switch c.Stage {
	case widen.Asking:
		return teamAskingEnter(c, unread, in)
	case widen.Calling:
		return Words("The team is being asked").Behind(teamBack(" goes back, asking continues", " back", in))
	case widen.Fetching:
		return Words("Getting what they said").Behind(teamBack(" goes back", " back", in))
	case widen.Summing:
		return Words("Waiting for the summary").Behind(teamBack(" continues without it", " without it", in))
	case widen.Reviewing:
		return teamReviewEnter(queue.Blank(c.Answer()), unread, in)
	default:
		return Line{}
	}
}

// teamAskingEnter returns the Enter line of the page for asking the team.
func teamAskingEnter(c *widen.Consult, unread int, in Speech) Line {
	if c.Cancels() {
		return Words(in.Enter + " " + in.verb("leave it; nobody is asked"))
	}
	var l Line
	switch err := c.WhyNot((*widen.Consult).Enter); {
	case errors.Is(err, widen.ErrUnknown):
		return Words(notYet + teamSought)
	case err != nil:
		l.Pieces = []Piece{Nice(notYet, ""), Fixed(TeamWhyNot(err, in.Frontend))}
	case c.Part == widen.PartNames:
		l = Words(in.leads("next: the message"))
		l.Leads = true
	case c.Part == widen.PartLetter:
		l = Words(in.leads("next: what to do in the meantime"))
		l.Leads = true
	default:
		l.Pieces = []Piece{Fixed(in.Enter + " " + in.verb("ask ") + countPeople(len(c.Invited)))}
		if c.WithPrompt {
			l.Pieces = append(l.Pieces, Nice(" with the agent's message", " + message"))
		}
		if c.WithBefore {
			l.Pieces = append(l.Pieces, Nice(" with what it was doing", " + before"))
		}
	}
	l = l.Behind(unknownNames(c))
	if unread > 0 && c.Part != widen.PartNames {
		l = l.Behind(Tail{Count(unread, "line") + " unread", fmt.Sprintf("%d unread", unread)})
	}
	return l
}

// unknownNames warns of typed names that nobody in the team has.
func unknownNames(c *widen.Consult) Tail {
	what := "unknown"
	if c.ByName {
		what = "not in the audience"
	}
	if len(c.Unnamed) == 0 {
		return nil
	}
	return Tail{"! " + what + ": " + OneLine(strings.Join(c.Unnamed, ", ")),
		"! " + Count(len(c.Unnamed), "name") + " " + what, "! unknown"}
}

func countPeople(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

// TeamWaits says what the page about the team waits for: the call that asks, the discussion, or the agent's summary
// with the time left for it; given: the agent has received the discussion. Empty: it waits for the person.
func TeamWaits(c *widen.Consult, agent string, left time.Duration, given bool, ellipsis string) string {
	switch {
	case c.Stage == widen.Calling:
		return "Asking " + countPeople(len(c.Invited)) + ellipsis
	case c.Stage == widen.Fetching:
		return "Getting what the team said" + ellipsis
	case c.Stage == widen.Summing && given:
		return fmt.Sprintf("%s is summing up the discussion: %s left.", Capital(agent), Left(left))
	case c.Stage == widen.Summing:
		return Capital(agent) + " has not received the discussion yet."
	}
	return ""
}

// teamBack names the key that leaves a page of the team, and its effect, in full and in short.
func teamBack(does, short string, in Speech) Tail {
	key := teamKey(action.PlaceTeamWait, action.Back, in)
	if key == "" {
		return nil
	}
	return Tail{key + does, key + short, ""}
}

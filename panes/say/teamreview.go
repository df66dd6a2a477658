package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// teamReviewEnter returns the Enter line of the review of the team's answer, where Enter does nothing and other keys
// decide. empty: there is no answer to accept. unread is the number of lines that were not on screen.
func teamReviewEnter(empty bool, unread int, in Speech) Line {
	does := func(a action.Name, words string) string { // without its key where the person has only buttons
		return strings.TrimSpace(teamKey(action.PlaceTeamReview, a, in) + " " + words)
	}
	l := Line{Pieces: []Piece{Nice("Choose: ", ""), Fixed(does(action.Accept, "accept"))}}
	page := in.Frontend == OnPage // the page has no editor
	switch {
	case empty && page:
		l = Words("Nothing to accept: go back and choose the answer yourself, or put it off")
	case empty:
		l = Line{Pieces: []Piece{Nice("Nothing to accept: ", ""), Fixed(does(action.Editor, "to write the answer")),
			Nice(", "+does(action.Defer, "to put it off"), "")}}
	case page:
		l = l.With(Nice(" or "+does(action.Defer, "put it off"), ""))
	default:
		l = l.With(Nice(", "+does(action.Editor, "edit")+" or "+does(action.Defer, "put it off"), ""))
	}
	if unread > 0 {
		l = l.Behind(Tail{Count(unread, "line") + " unread", fmt.Sprintf("%d unread", unread)})
	}
	return l
}

// TeamAccepts describes the Enter that accepts the answer of a review.
func TeamAccepts(c *widen.Consult, in Speech) Line {
	answer, how := c.Accepts()
	switch how {
	case widen.AcceptEmpty:
		return teamEmpty(in)
	case widen.AcceptPicks:
		return teamPicks(c.Session.Ask, !queue.Blank(c.Candidate.Summary), in)
	case widen.AcceptSends, widen.AcceptNothing:
	}
	a := c.Session.Ask
	own := len(answer.Replies) > 0 && !queue.Blank(answer.Replies[0].Text) && len(a.Questions[0].Options) > 0
	return TeamSends(a.Summary(answer), own, c.Final != nil, in)
}

// TeamSends describes the Enter that sends the answer of a review. sent is the answer's summary. own: the answer is
// words in place of an option. edited: the person changed the proposed answer.
func TeamSends(sent string, own, edited bool, in Speech) Line {
	verb := "accept "
	if edited {
		verb = "send "
	}
	l := Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb(verb)), Named(OneLine(sent))}, Sends: true}
	if own {
		l.Pieces = append(l.Pieces, Nice(" as words of your own", " as words"))
	}
	return l.With(tellsTeam(in)...)
}

// teamPicks describes the Enter that leads from the review to the form, because the proposed text is not one of the
// options. A form of several questions is answered there one by one.
func teamPicks(a queue.Ask, summary bool, in Speech) Line {
	words := Nice(" "+in.verb("pick an option, because this is not one of them"), " "+in.verb("pick an option"))
	switch {
	case len(a.Questions) > 1:
		words = Nice(" "+in.verb("answer the form, because one text cannot answer several questions"),
			" "+in.verb("answer the form"))
	case a.Confirm:
		words = Nice(" "+in.verb("go to the form to confirm this"), " "+in.verb("confirm in the form"))
	}
	l := Line{Pieces: []Piece{Fixed(in.Enter), words}}
	if summary {
		l = l.Behind(Tail{"the summary is sent too", ""})
	}
	return l
}

// teamEmpty describes the Enter that accepts an empty answer to a question of an interview.
func teamEmpty(in Speech) Line {
	return Words(in.Enter + " " + in.verb("accept without an answer")).With(tellsTeam(in)...)
}

// tellsTeam says behind the Enter that answers that the team is told.
func tellsTeam(in Speech) []Piece {
	if in.Untold {
		return nil
	}
	return []Piece{Nice(" and tell the team", "")}
}

// teamPickNow tells what is left to do in the form after the review.
func teamPickNow(a queue.Ask) string {
	do := "pick the option"
	switch {
	case len(a.Questions) > 1:
		do = "answer the form"
	case a.Confirm:
		do = "confirm it in the form"
	}
	return do
}

// TeamPicked summarizes the answer that was picked in the form; of several questions it only counts the answers.
func TeamPicked(a queue.Ask, answer queue.Answer) string {
	if n := len(a.Questions); n > 1 {
		return Count(n, "answer")
	}
	return a.Summary(answer)
}

// TeamDeferEnter returns the Enter line while the person types why the question is put off. ready: there is a reason.
// asked: the team was asked.
func TeamDeferEnter(ready, asked bool, in Speech) Line {
	if !ready {
		return Words(notYet + reasonWanted)
	}
	thread := ""
	if asked {
		thread = "; the thread stays open"
	}
	const without = " without an answer"
	return Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb("put it off")), Nice(without+thread, without)}}
}

// TeamPage returns the title of the page for a stage of the consultation.
func TeamPage(stage widen.Stage) string {
	switch stage {
	case widen.Fetching, widen.Summing:
		return "the team's discussion"
	case widen.Reviewing:
		return "the team's review"
	default:
		return "ask the team"
	}
}

// FormPlace returns the place of the key table in which keys are looked up for a pending question.
func FormPlace(f *form.Form) action.Place {
	switch f.Typing() {
	case form.FieldReason, form.FieldDetail, form.FieldRefusal:
		return action.PlaceReason
	case form.FieldFind:
		return action.PlaceFind
	case form.FieldText, form.FieldNote, form.FieldComment:
		return action.PlaceTyping
	}
	switch {
	case f.Confirming():
		return action.PlaceConfirm
	case f.Reviewing():
		return action.PlaceReview
	case f.Approves():
		return action.PlaceApproval
	}
	return action.PlaceQuestion
}

// TeamPlace returns the place of the key table for a page about the team, or for a line about the team that is typed.
func TeamPlace(c *widen.Consult) action.Place {
	switch {
	case c.Line() != widen.NoLine:
		return action.PlaceTeamLine
	case c.Sends():
		return action.PlaceTeamChoice
	case c.Stage == widen.Asking:
		return action.PlaceLetter
	case c.Stage == widen.Reviewing:
		return action.PlaceTeamReview
	}
	return action.PlaceTeamWait
}

// TeamToHint explains, in the empty field, that only the people whose names are typed are asked.
const TeamToHint = "(type names to ask fewer people)"

// Headed is a heading with its texts. Head is empty for a warning.
type Headed struct {
	Head  string
	Texts []string
}

// TeamDiscussed returns the review of a discussion: the summary, the proposed answer, the messages and who was asked.
func TeamDiscussed(c *widen.Consult, on queue.Session) (list []Headed) {
	add := func(head string, texts ...string) { list = append(list, Headed{head, texts}) }
	if queue.Blank(c.Candidate.Answer) {
		add("", "There is no summary. Read what they said, and write the answer yourself.")
	} else {
		add("Summary", c.Candidate.Summary)
		add("Proposed answer", c.Candidate.Answer)
	}
	switch {
	case c.Final == nil:
	case queue.Blank(*c.Final):
		add("Your answer", "(nothing)")
	default:
		add("Your answer", *c.Final)
	}
	d := c.Discussed
	said := slices.Clone(d.Messages)
	if len(said) == 0 {
		said = []string{"Nobody has said anything yet."}
	}
	add(teamSaidBy(d.MessageCount, d.More()), said...)
	add("Who was asked:", teamNames(on.Widen.Team, len(on.Widen.Team)))
	return list
}

// teamSaidBy counts a discussion's messages and those of them that are shown.
func teamSaidBy(messages, more int) string {
	words := "What they said: " + Count(messages, "message")
	if more > 0 {
		words += fmt.Sprintf(", the last %d of them", messages-more)
	}
	return words
}

// TeamRationaleLabels returns the labels of the field for the reason to decide otherwise than the team, longest first.
func TeamRationaleLabels() []string {
	return []string{"why you decided otherwise (optional): ", "why (optional): "}
}

// TeamNews puts news of a consultation into words: why a step failed, that the page was closed because the question
// ended or the team was asked elsewhere, or whether the person now waits for the team. Other news have no words.
func TeamNews(e desk.TeamNews, frontend Frontend) string {
	switch e.News {
	case widen.Failed:
		return TeamWhyNot(e.Err, frontend)
	case widen.Closed:
		return teamClosed(e.Session, frontend)
	case widen.Regrouped:
		if e.Session.Parked() {
			return "not waiting for the team: " + Title(e.Session.Ask)
		}
		return "waiting for the team: " + Title(e.Session.Ask)
	default:
		return ""
	}
}

// teamClosed says that a question ended, or that the team was asked at another screen, before the team was asked here.
func teamClosed(s queue.Session, frontend Frontend) string {
	if s.Outcome == nil {
		return "the team was asked elsewhere meanwhile: " + s.Widen.Names()
	}
	o := OverOf(s, frontend)
	words := "closed meanwhile: " + o.Head + o.What
	if o.How != "" {
		words += ", " + o.How
	}
	return words
}

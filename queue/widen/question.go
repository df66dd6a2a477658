package widen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// What the person is asked about the team is an ordinary question of a form, which every frontend that shows forms can
// show. This file has these questions in words, and takes their answers. Texts of other people are fenced or quoted in
// the Markdown, so that none of them passes for a part of the question.

// Ids of the questions in Asking, and of options.
const (
	askWho   = "who"
	askRead  = "read"
	askUntil = "until"

	readQuestion = "question"
	readPrompt   = "prompt"
	readBefore   = "before"
	untilWait    = "wait"
	untilOthers  = "others"

	doAccept  = "accept"
	doEdit    = "edit"
	doEmpty   = "empty"
	doPutOff  = "put_off"
	doLeave   = "leave"
	noReason  = "no_reason"
	ownAnswer = "answer"
)

// Question returns what the person is asked about the team at the present stage; see Asks.
func (c *Consult) Question() queue.Ask {
	ask := queue.Ask{Kind: queue.KindChoice, OnTimeout: queue.OnTimeoutNone}
	switch c.Stage {
	case Finding:
		ask.Title, ask.Prompt = askTitle, "Finding out who would be asked."
		ask.Questions = []queue.Question{only("Leave it; nobody is asked")}
	case Fetching:
		ask.Title, ask.Prompt = c.title(), "Getting what the team said."
		ask.Questions = []queue.Question{only("Back to the question")}
	case Summing:
		ask.Title = c.title()
		ask.Prompt = fmt.Sprintf("The agent sums the discussion up. It has %.0f seconds, from when it receives it.",
			queue.SummaryWithin.Seconds())
		ask.Questions = []queue.Question{only("Continue without a summary")}
	case Asking:
		ask.Title, ask.Questions = askTitle, c.Audience.questions()
	case Reviewing:
		ask.Title, ask.Prompt = c.title(), c.reviewPrompt()
		ask.Questions = []queue.Question{c.verdict()}
	case Editing:
		ask.Title = "Your answer to " + inline(c.Session.Ask.Title)
		ask.Questions = []queue.Question{{ID: ownAnswer, Mode: queue.ModeText, DefaultText: c.Answer()}}
	case Explaining:
		ask.Title = "Why do you decide otherwise than the team?"
		ask.Prompt = "You: " + inline(FinalText(c.Session.Ask, c.ends.Answer)) + "\n\nThe team: " +
			inline(c.Candidate.Answer)
		ask.Questions = []queue.Question{reason("Send it without a reason")}
	case Deferring:
		ask.Title = "Why does it have to wait? " + inline(c.Session.Ask.Title)
		ask.Questions = []queue.Question{reason("Put it off without a reason")}
		if c.Session.Widen != nil {
			ask.Prompt = "The team is told the reason; their thread stays open."
			ask.Questions = []queue.Question{{ID: ownAnswer, Mode: queue.ModeText}}
		}
	default:
	}
	return ask
}

const askTitle = "Ask the team"

// title names the discussion of the agent's question.
func (c *Consult) title() string { return "The team about: " + c.Session.Ask.Title }

// only returns a question with one option, which gives up what is waited for.
func only(label string) queue.Question {
	return queue.Question{ID: ownAnswer, Mode: queue.ModeSingle, Min: 1, Max: 1, StartsEmpty: true,
		Options: []queue.Option{{ID: doLeave, Label: label}}}
}

// questions returns the questions in Asking.
func (a Audience) questions() []queue.Question {
	who := queue.Question{ID: askWho, Header: "Who", Text: "Who is asked?", Mode: queue.ModeMulti, Min: 1}
	for i, m := range a.Members {
		id := strconv.Itoa(i)
		who.Options = append(who.Options, queue.Option{ID: id, Label: Name(m.Name)})
		who.Defaults = append(who.Defaults, id)
	}
	if who.Max = len(who.Options); a.ByName {
		who.Mode, who.Min, who.Placeholder = queue.ModeHybrid, 0, "others by name, with commas between them"
	}
	if most := a.Most(); most != "" {
		who.Text += "\n\n" + most
	}
	until := queue.Question{ID: askUntil, Header: "Meanwhile", Text: "What do you do until they reply?",
		Mode: queue.ModeSingle, Min: 1, Max: 1, Defaults: []string{untilWait}, Options: []queue.Option{
			{ID: untilWait, Label: "Wait here (chat stays closed)"},
			{ID: untilOthers, Label: "Answer other questions"}}}
	return []queue.Question{who, a.message(), until}
}

// message asks which parts the team reads. It shows each part exactly as they would read it.
func (a Audience) message() queue.Question {
	q := queue.Question{ID: askRead, Header: "Message", Text: "What do they read?", Mode: queue.ModeMulti, Min: 1,
		Defaults: []string{readQuestion}}
	for _, part := range []struct{ id, label, shown, text string }{
		{readQuestion, "The question", "The question:", strings.TrimSpace(a.Letter.Title + "\n\n" + a.Letter.Below())},
		{readPrompt, "The agent's message", "The agent's message, only if you add it:", a.Letter.Prompt},
		{readBefore, "What the agent was doing", "What the agent was doing, only if you add it:", a.Before},
	} {
		if part.text != "" {
			q.Options = append(q.Options, queue.Option{ID: part.id, Label: part.label})
			q.Text += "\n\n" + part.shown + "\n\n" + fence(part.text)
		}
	}
	q.Max = len(q.Options)
	return q
}

// Most says that no more people than these can be asked; empty: more could.
func (a Audience) Most() string {
	if len(a.Members) < queue.MaxTeam {
		return ""
	}
	return fmt.Sprintf("No more than %d people can be asked. Whoever comes after them is left out.", queue.MaxTeam)
}

// reviewPrompt shows the summary, the proposed answer and the discussion.
func (c *Consult) reviewPrompt() string {
	var parts []string
	if len(c.Session.Ask.Questions) > 1 { // the title may have only their headers
		var texts []string
		for _, q := range c.Session.Ask.Questions {
			texts = append(texts, cmp.Or(q.Text, q.Header))
		}
		parts = append(parts, "The questions:", quote(strings.Join(texts, "\n\n")))
	}
	if queue.Blank(c.Candidate.Answer) {
		parts = append(parts, "There is no summary. Read what they said, and write the answer yourself.")
	} else {
		parts = append(parts, "Summary:", quote(c.Candidate.Summary), "Proposed answer:", quote(c.Candidate.Answer))
	}
	d := c.Discussed
	said := fmt.Sprintf("What they said (%d messages", d.MessageCount)
	if d.MessageCount == 1 {
		said = "What they said (1 message"
	}
	if d.More() > 0 {
		said += fmt.Sprintf(", the last %d of them", len(d.Messages))
	}
	if parts = append(parts, said+"):"); len(d.Messages) == 0 {
		parts = append(parts, "Nobody has said anything yet.")
	} else {
		parts = append(parts, fence(strings.Join(d.Messages, "\n")))
	}
	return strings.Join(parts, "\n\n")
}

// verdict is the question in Reviewing.
func (c *Consult) verdict() queue.Question {
	q := queue.Question{ID: ownAnswer, Mode: queue.ModeSingle, Min: 1, Max: 1, StartsEmpty: true}
	edits := "Write the answer"
	if !queue.Blank(c.Candidate.Answer) {
		proposed := *c
		proposed.Final = nil
		accept := queue.Option{ID: doAccept, Label: "Accept " + inline(c.Candidate.Answer)}
		switch _, picks, _ := proposed.Accepts(); {
		case !picks:
		case len(c.Session.Ask.Questions) > 1:
			accept.Description = "One text cannot answer several questions: you answer the form, and the summary " +
				"goes along."
		case c.Session.Ask.Confirm:
			accept.Description = "You confirm it in the form."
		default:
			accept.Description = "It is none of the options: you pick one, and the summary goes along."
		}
		q.Options, edits = append(q.Options, accept), "Edit the answer"
	}
	q.Options = append(q.Options, queue.Option{ID: doEdit, Label: edits})
	if c.Session.Origin.Dialect == queue.DialectInterview {
		q.Options = append(q.Options, queue.Option{ID: doEmpty, Label: "Accept without an answer"})
	}
	q.Options = append(q.Options, queue.Option{ID: doPutOff, Label: "Put the question off"})
	return q
}

// reason returns a question for a reason that may be left out; without names the option that leaves it out.
func reason(without string) queue.Question {
	return queue.Question{ID: ownAnswer, Mode: queue.ModeHybrid, Max: 1, Defaults: []string{noReason},
		Placeholder: "the reason", Options: []queue.Option{{ID: noReason, Label: without}}}
}

// Settle takes the person's answer to Question. It fails with ErrNoQuestion, or as Ask, Accept and Defer do, or with
// ErrNotNow where nothing is asked.
func (c *Consult) Settle(a queue.Answer) (Want, error) {
	own, _ := a.Reply(ownAnswer)
	chose := ""
	if len(own.Selected) > 0 {
		chose = own.Selected[0]
	}
	switch c.Stage {
	case Finding, Fetching, Summing:
		return c.Leave()
	case Asking:
		return c.askAsAnswered(a)
	case Reviewing:
		return c.judge(chose)
	case Editing:
		c.Edited(own.Text)
		return c.acceptOrExplain()
	case Explaining:
		return c.explained(own.Text)
	case Deferring:
		return c.Defer(own.Text)
	default:
		return Want{}, ErrNotNow
	}
}

// askAsAnswered asks the team as the person answered in Asking.
func (c *Consult) askAsAnswered(a queue.Answer) (Want, error) {
	who, _ := a.Reply(askWho)
	read, _ := a.Reply(askRead)
	until, _ := a.Reply(askUntil)
	var call Call
	for i, m := range c.Members {
		if slices.Contains(who.Selected, strconv.Itoa(i)) {
			call.Invited = append(call.Invited, m)
		}
	}
	call.Invited = c.Audience.add(call.Invited, who.Text)
	if !slices.Contains(read.Selected, readQuestion) {
		return Want{}, ErrNoQuestion
	}
	if call.WithPrompt = slices.Contains(read.Selected, readPrompt); slices.Contains(read.Selected, readBefore) {
		call.Before = c.Before
	}
	return c.Ask(call, slices.Contains(until.Selected, untilOthers))
}

// judge takes the person's answer in Reviewing.
func (c *Consult) judge(chose string) (Want, error) {
	none := ""
	switch chose {
	case doAccept:
		c.Final = nil
		return c.Accept("")
	case doEdit:
		return c.step(Editing)
	case doEmpty:
		c.Final = &none
		return c.acceptOrExplain()
	}
	return c.PutOff()
}

// acceptOrExplain accepts the answer that the person wrote, or first asks why it differs from the team's.
func (c *Consult) acceptOrExplain() (Want, error) {
	do, picks, err := c.Accepts()
	if err != nil || picks || !c.Overrides() {
		return c.Accept("")
	}
	do.Team = c.newResolution(c.Source(), "")
	c.ends = do
	return c.step(Explaining)
}

// explained sends the answer that differs from the team's, with the person's reason.
func (c *Consult) explained(why string) (Want, error) {
	if err := c.checkWithTeam(); err != nil {
		return Want{}, err
	}
	do, team := c.ends, *c.ends.Team
	team.Rationale, do.Team = why, &team
	return c.beginCall(Want{Kind: WantEnd, Do: do}), nil
}

// fence returns a text as a fenced block of Markdown, which shows it as it is written.
func fence(text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + "\n" + text + "\n" + mark
}

// quote returns a text as a quote in Markdown.
func quote(text string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
}

// inline returns a text on one line in quotation marks, in few characters.
func inline(text string) string {
	line, _ := queue.VisibleLine(text)
	return "“" + queue.Shorten(line, mostInline, "…") + "”"
}

// mostInline limits the characters of a text on one line with others.
const mostInline = 160

package talk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// fence may end a model's answer although it should not; it means nothing.
const fence = "```"

const fetching = "Fetch"

// review fetches the discussion, has it summed up, and lets the person decide. nil: nothing was decided.
func (t *Talk) review(ctx context.Context) error {
	var d widen.Discussion
	err := t.outlast(ctx, func() (err error) {
		d, err = t.o.Team.Fetch(ctx, t.now.ID)
		return err
	})
	if err != nil {
		return t.failed(fetching, err)
	}
	decision := t.now.Widen.Decision
	t.apart()
	t.write(strings.TrimRight(team.Block(decision, t.question(), d), "\n") + "\n")
	var r widen.CandidateReview
	typed := ""
	err = t.outlast(ctx, func() (err error) {
		r, typed, err = t.candidate(ctx, decision, d)
		return err
	})
	switch {
	case errors.Is(err, errStopped), errors.Is(err, errChanged):
		return err
	case err != nil:
		return t.failed(fetching, err)
	}
	return t.decide(ctx, r, typed)
}

// proposal holds the result of asking an agent for a summary.
type proposal struct {
	review widen.CandidateReview
	err    error
}

// candidate has the discussion summed up: by the agent that asked, or where an interview asked by whoever reads and
// writes the lines. typed is what the person did not wait for it to do: e or d.
func (t *Talk) candidate(ctx context.Context, decision string, d widen.Discussion) (
	r widen.CandidateReview, typed string, err error) {
	if t.now.Origin.Dialect == queue.DialectInterview {
		r, err = t.o.Team.SummariseHere(ctx, t.now.ID, d, t.actor(),
			func(ctx context.Context) (r widen.CandidateReview, err error) {
				r, typed, err = t.summarise(ctx, decision, d)
				return r, err
			})
		return r, typed, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	made, came, id := make(chan proposal, 1), make(chan time.Time, 1), t.now.ID
	go func() {
		r, err := t.o.Team.Summarise(ctx, id, d, t.actor())
		made <- proposal{r, err}
		came <- time.Time{}
	}()
	select {
	case c := <-made:
		return c.review, "", c.err
	case <-time.After(saidAfter):
	case <-t.o.Interrupt:
		return r, "", errStopped
	}
	t.sayLine(summingUp(summaryWithin))
	t.fresh()
	if typed, err := t.leftAlone(ctx, came); !errors.Is(err, errLate) {
		return widen.Fallback(decision, d, true), typed, err
	}
	c := <-made
	return c.review, "", c.err
}

// summingUp says that the agent is given the discussion, and how long it then has to sum it up.
func summingUp(within time.Duration) string {
	return fmt.Sprintf("The agent is asked to sum this up, up to %s once it was given it; %s",
		say.Spoken(within, time.Second), insteadOfWaiting)
}

// The words for a line that is not taken while the agent sums up.
const (
	summingWaits     = "The agent has not summed this up yet; " + insteadOfWaiting
	insteadOfWaiting = "type e to write it yourself, d to defer, Enter to go on without it."
)

// leftAlone waits until the person continues without the agent's summary, or until it came: errLate. typed says what
// they want to do then.
func (t *Talk) leftAlone(ctx context.Context, came <-chan time.Time) (typed string, err error) {
	for {
		text, err := t.askUntil(ctx, "", came)
		if err != nil {
			return "", err
		}
		switch typed = command(text); typed {
		case "", "a":
			return "", nil
		case typedEdit, typedDefer:
			return typed, nil
		}
		t.sayLine(summingWaits)
	}
}

// command writes a line as the letters of commands are written.
func command(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// summarise reads a model's summary of the discussion from the lines, within its time. A person may not wait for it:
// what they typed is returned. Once a summary has begun, no line of it is a command.
func (t *Talk) summarise(ctx context.Context, decision string, d widen.Discussion) (
	r widen.CandidateReview, typed string, err error) {
	t.apart()
	t.sayLine(awaitsSummary(summaryWithin))
	t.fresh()
	due := t.o.After(summaryWithin)
	var answer widen.SummaryReader
	for {
		text, err := t.await(ctx, due)
		words, hinted := widen.CutHint(text)
		typed := command(text)
		switch {
		case errors.Is(err, errLate), errors.Is(err, errEnded):
			return widen.Fallback(decision, d, errors.Is(err, errLate)), "", nil
		case errors.Is(err, errAborted):
			return r, "", errStopped
		case err != nil:
			return r, "", err
		case strings.TrimSpace(text) == typedCancel:
			return r, "", errStopped
		case hinted:
			t.toned(agentsHint(words))
			continue
		case !answer.Begun() && (typed == typedEdit || typed == typedDefer):
			if time.Since(t.shown) >= t.o.Guard {
				return widen.Fallback(decision, d, false), typed, nil
			}
			t.sayLine(say.LineTooSoon(text))
			t.fresh()
			continue
		case !answer.Add(text):
			continue
		}
		s, err := answer.Summary()
		if err != nil {
			return widen.Fallback(decision, d, false), "", nil
		}
		if r := widen.NewReview(decision, d, s); len(r.Check()) == 0 {
			return r, "", nil
		}
		return widen.Fallback(decision, d, false), "", nil
	}
}

// awaitsSummary says how long the reader of the lines has for the summary.
func awaitsSummary(within time.Duration) string {
	return fmt.Sprintf("Waiting for the summary, up to %s; type e to write it yourself, d to defer.",
		say.Spoken(within, time.Second))
}

// decide asks what to do with the candidate. first is a command that the person has given already; empty: they are
// asked.
func (t *Talk) decide(ctx context.Context, r widen.CandidateReview, first string) error {
	prompt := "[a]ccept | [e]dit | [d]efer:"
	if r.Empty() {
		prompt = "[a]ccept empty | [e]dit (blank pre-fill) | [d]efer"
	}
	if first == "" {
		t.showCandidate(r)
	}
	t.apart()
	t.fresh()
	for {
		typed, err := first, error(nil)
		if first = ""; typed == "" {
			typed, err = t.ask(ctx, prompt)
		}
		for err == nil && strings.TrimSpace(typed) == fence {
			typed, err = t.ask(ctx, "")
		}
		if err != nil {
			return err
		}
		switch command(typed) {
		case "a":
			err = t.accept(ctx, r)
		case typedEdit:
			err = t.edit(ctx, r)
		case typedDefer:
			err = t.deferTeam(ctx, r.CandidateSummary)
		default:
			t.sayLine("Type a, e or d.")
		}
		if err != nil {
			return err
		}
	}
}

// noSummary says that no model summed the discussion up.
var noSummary = toned{toneYellow, "Summarization timed out or produced invalid output.", ""}

// showCandidate shows what a model made of the discussion, or says that no model made anything of it.
func (t *Talk) showCandidate(r widen.CandidateReview) {
	if !r.Empty() {
		t.box(candidateBox(t.question(), r.CandidateSummary, r.CandidateAnswer))
		return
	}
	t.apart()
	t.toned(noSummary)
	t.sayLine("Showing raw discussion. Please write the answer manually.")
}

// candidateBox shows a model's summary of the discussion and its proposed answer.
func candidateBox(question, summary, answer string) frame {
	return frame{"Candidate Review", []frameRow{
		{0, "Question: " + say.OneLine(question)},
		{0, ""},
		{0, "Summary:"},
		{2, strings.TrimSpace(say.Text(summary))},
		{0, ""},
		{0, "Proposed answer:"},
		{2, strings.TrimSpace(say.Text(answer))},
	}}
}

// accept takes the candidate as it is.
func (t *Talk) accept(ctx context.Context, r widen.CandidateReview) error {
	if r.Empty() {
		return t.acceptEmpty(ctx)
	}
	given, err := t.answerOf(ctx, strings.TrimSpace(r.CandidateAnswer))
	if err != nil {
		return t.unanswered(err)
	}
	return t.resolved(ctx, team.Verdict{Answer: given, Team: &queue.Resolution{
		Summary: queue.Summary{Text: r.CandidateSummary, Source: queue.SourceTeam}}})
}

// acceptEmpty resolves a question of an interview with no text. An agent's question wants an answer or a deferral.
func (t *Talk) acceptEmpty(ctx context.Context) error {
	if t.now.Origin.Dialect != queue.DialectInterview {
		t.sayLine("There is no candidate to accept. Type e to write the answer, or d to defer.")
		return nil
	}
	return t.resolved(ctx, team.Verdict{Empty: true,
		Team: &queue.Resolution{Summary: queue.Summary{Source: queue.SourceManual}}})
}

var decisionResolved = toned{toneGreen, "Decision resolved.", ""}

func (t *Talk) resolved(ctx context.Context, v team.Verdict) error {
	err := t.resolve(ctx, v)
	if errors.Is(err, errOver) {
		t.toned(decisionResolved)
	}
	return err
}

// edit takes what the person makes of the candidate in their editor.
func (t *Talk) edit(ctx context.Context, r widen.CandidateReview) error {
	if t.o.Edit == nil {
		t.sayLine("There is no editor here. Resolve it with an answer of your own, or defer it.")
		return nil
	}
	candidate := strings.TrimSpace(r.CandidateAnswer)
	saved, err := t.o.Edit(ctx, candidate)
	t.forgetInterrupt()
	switch {
	case err != nil:
		return t.failed("Editor", err)
	case queue.Blank(saved) && t.now.Origin.Dialect != queue.DialectInterview:
		t.sayLine("The editor left no text, and its agent wants an answer: nothing was sent. e opens it again.")
		return nil
	}
	saved = strings.TrimSpace(saved)
	v := team.Verdict{Empty: saved == ""}
	if !v.Empty {
		if v.Answer, err = t.answerOf(ctx, saved); err != nil {
			return t.unanswered(err)
		}
	}
	outcome := queue.Resolution{Summary: queue.Summary{Text: r.CandidateSummary,
		Source: widen.Source(saved, candidate)}}
	if outcome.Summary.Source == queue.SourceOwner || v.Empty && !r.Empty() {
		why, err := t.ask(ctx, whyPrompt)
		if err != nil {
			return err
		}
		outcome.Rationale = strings.TrimSpace(why)
	}
	v.Team = &outcome
	return t.resolved(ctx, v)
}

// errBack means that the person goes back to the prompt before.
var errBack = errors.New("back")

// orBack returns an error of a step within another: going back repeats that.
func (t *Talk) orBack(err error) error {
	if errors.Is(err, errBack) {
		return nil
	}
	return err
}

// typedAnswer returns the answer of a text that the person typed, as answerOf does. It refuses a number that no option
// has; in quotes it is the person's own words.
func (t *Talk) typedAnswer(ctx context.Context, text string) (queue.Answer, error) {
	questions := t.now.Ask.Questions
	if len(questions) != 1 {
		return t.answerOf(ctx, text)
	}
	r, err := t.typedReply(ctx, questions[0], text)
	return queue.Answer{Replies: []queue.Reply{r}}, err
}

// typedReply returns the reply to one question, as typedAnswer does. It fails with errBack if a number was refused.
func (t *Talk) typedReply(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
	if len(q.Options) == 0 || !q.TakesText() {
		return t.replyOf(ctx, q, text)
	}
	if inside := strings.Trim(text, `"`); len(inside) == len(text)-2 && isNumber(inside) {
		return queue.Reply{Question: q.ID, Text: inside}, nil
	}
	r, err := t.replyOf(ctx, q, text)
	if err == nil && len(r.Selected) == 0 && isNumber(text) {
		t.sayLine(noSuchOption(text, len(q.Options)))
		return r, errBack
	}
	return r, err
}

// noSuchOption refuses a number that no option has.
func noSuchOption(number string, options int) string {
	number = say.Short(number, 20)
	which := "type a number from 1 to " + strconv.Itoa(options)
	if options == 1 {
		which = "type 1"
	}
	return fmt.Sprintf("There is no option %[1]s: %[2]s, or \"%[1]s\" in quotes as your own words.", number, which)
}

// isNumber reports whether a text is nothing but digits.
func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// answerOf turns a text into an answer to the question. If the text is not one of its options, and it takes no other,
// the person picks one. Several questions are asked one at a time.
func (t *Talk) answerOf(ctx context.Context, text string) (queue.Answer, error) {
	questions := t.now.Ask.Questions
	if len(questions) == 1 {
		r, err := t.replyOf(ctx, questions[0], text)
		return queue.Answer{Replies: []queue.Reply{r}}, err
	}
	var given queue.Answer
	for _, q := range questions {
		t.apart()
		t.sayLine(oneQuestion(q))
		typed, err := t.ask(ctx, "Its answer, or Enter to go back:")
		if err == nil && queue.Blank(typed) {
			err = errBack
		}
		if err != nil {
			return given, err
		}
		r, err := t.typedReply(ctx, q, strings.TrimSpace(typed))
		if err != nil {
			return given, err
		}
		given.Replies = append(given.Replies, r)
	}
	return given, nil
}

// oneQuestion returns one of several questions with its options.
func oneQuestion(q queue.Question) string {
	head := q.Text
	if queue.Blank(head) {
		head = q.Header
	}
	return strings.Join(append([]string{say.OneLine(head)}, numberedOptions(q)...), "\n")
}

// replyOf returns the reply to one question, as answerOf does. The number of an option means it, unless the number is a
// label itself.
func (t *Talk) replyOf(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
	r, ok := widen.Final(q, text)
	if ok && len(r.Selected) > 0 {
		return r, nil
	}
	if id, numbered := optionAt(q, text); numbered {
		return chosen(q, id), nil
	}
	if ok {
		return r, nil
	}
	if len(q.Options) == 0 { // a text that no question takes, as one that is too long
		return r, &queue.Invalid{Problems: q.Check(queue.Reply{Question: q.ID, Text: text})}
	}
	return t.pick(ctx, q, text)
}

func (t *Talk) pick(ctx context.Context, q queue.Question, text string) (queue.Reply, error) {
	t.sayLine(pickOption(text, q))
	for {
		typed, err := t.ask(ctx, "Number of the option, or Enter to go back:")
		if err != nil {
			return queue.Reply{}, err
		}
		if strings.TrimSpace(typed) == "" {
			return queue.Reply{}, errBack
		}
		if id, ok := optionAt(q, typed); ok {
			return chosen(q, id), nil
		}
		t.sayLine("That is no number of an option.")
	}
}

// pickOption asks for the option that is meant by an answer which is not an option.
func pickOption(answer string, q queue.Question) string {
	rows := []string{"This question takes one of its options, and " + say.ShortQuoted(answer, titleMost) +
		" is none. Which one is it?"}
	return strings.Join(append(rows, numberedOptions(q)...), "\n")
}

func optionAt(q queue.Question, number string) (id string, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || n < 1 || n > len(q.Options) {
		return "", false
	}
	return q.Options[n-1].ID, true
}

func chosen(q queue.Question, option string) queue.Reply {
	return queue.Reply{Question: q.ID, Selected: []string{option}}
}

// confirmed asks for the confirmation that an agent wants.
func (t *Talk) confirmed(ctx context.Context) (bool, error) {
	if !t.now.Ask.Confirm {
		return false, nil
	}
	t.sayLine(confirmRequest(t.now.Ask))
	typed, err := t.ask(ctx, "Type yes to confirm, or Enter to go back:")
	if err == nil && !strings.EqualFold(strings.TrimSpace(typed), "yes") {
		err = errBack
	}
	return err == nil, err
}

// confirmRequest returns the confirmation that the agent asks for.
func confirmRequest(a queue.Ask) string {
	if words := say.OneLine(a.ConfirmMessage); words != "" {
		return "The agent wants a confirmation: " + words
	}
	return "The agent wants an explicit confirmation."
}

package talk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// stage holds a point of the conversation at which the person types a line.
type stage struct {
	head   func(*Talk, context.Context) // writes the text above the prompt when the conversation comes to this stage
	again  bool                         // the head is also written before each further line
	prompt func(*Talk) string
	take   func(*Talk, context.Context, string) error // carries out the line; it fails with the errors of perform
}

// The stages of a conversation.
var (
	asksQuestion = &stage{(*Talk).showQuestion, true, (*Talk).questionPrompt, (*Talk).takeReply}
	asksNames    = &stage{(*Talk).showAudience, false, prompts("Audience >"), (*Talk).takeNames}
	asksPause    = &stage{showNothing, false,
		prompts("Block here or continue with other questions? [b/c] (default: b):"), (*Talk).takePause}
	waits      = &stage{(*Talk).showWait, false, prompts("Waiting >"), (*Talk).takeMeanwhile}
	meetsAgain = &stage{showNothing, true, (*Talk).againPrompt, (*Talk).takeAgain}
	reviews    = &stage{(*Talk).showReview, false, (*Talk).reviewPrompt, (*Talk).takeVerdict}
)

// prompts returns a function that always returns the same prompt.
func prompts(words string) func(*Talk) string { return func(*Talk) string { return words } }

// showNothing is the head of a stage that has only a prompt.
func showNothing(t *Talk, _ context.Context) { t.separate() }

// stage returns the present stage.
func (t *Talk) stage() *stage {
	switch {
	case t.c.Stage == widen.Asking:
		return asksNames
	case t.c.Stage == widen.Reviewing:
		return reviews
	case t.pauses:
		return asksPause
	case t.c.Session.Widen == nil:
		return asksQuestion
	case t.c.Session.Parked():
		return meetsAgain
	}
	return waits
}

// step reads a line at the present stage and carries it out. It fails with the errors of perform.
func (t *Talk) step(ctx context.Context) error {
	s := t.stage()
	if s == asksQuestion && t.single {
		return errStopped
	}
	if s != t.on || s.again {
		s.head(t, ctx)
		t.noteNew()
	}
	t.on = s
	var due <-chan time.Time
	if s == waits {
		due = t.o.After(Reminded)
	}
	text, err := t.read(ctx, s.prompt(t), due)
	switch {
	case errors.Is(err, errStopped) && s == asksNames:
		return t.leaveNames()
	case errors.Is(err, errLate):
		t.sayToned(toneYellow, "Still waiting on widened discussion.", "")
		t.sayLine("Check Slack, type a local answer, or press d to defer.\n")
		return nil
	case err != nil:
		return err
	}
	return s.take(t, ctx, text)
}

// The commands at a prompt that also takes text. They count only in lower case, so that D can be an answer.
const (
	typedWiden  = "w"
	typedFetch  = "f"
	typedDefer  = "d"
	typedEdit   = "e"       // only while a review is shown
	typedCancel = "!cancel" // ends the interview, which can be resumed
)

// showQuestion writes what belongs above the question: the agent's reasons for asking the team, and the options.
func (t *Talk) showQuestion(ctx context.Context) {
	t.separate()
	_, hints := widen.TakeHints(t.c.Session.Ask.Prompt)
	for _, words := range hints {
		t.sayToned(toneDim, say.OneLine(words), "")
	}
	t.sayOptions(t.c.Session.Ask.Questions[0])
	t.noTeam = t.whyNotWiden(ctx)
}

// sayOptions writes the options of a question, numbered from 1.
func (t *Talk) sayOptions(q queue.Question) {
	for i, o := range q.Options {
		t.sayLine(fmt.Sprintf("  %d: %s", i+1, say.OneLine(o.Label)))
	}
}

// whyNotWiden returns why the team cannot be asked; empty: it can. The backend is called only for a question that could
// go to the team.
func (t *Talk) whyNotWiden(ctx context.Context) string {
	err := t.c.WhyNot((*widen.Consult).Begin)
	if err == nil {
		err = t.o.Team.Ready(ctx)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// questionPrompt returns the prompt for a question of an interview.
func (t *Talk) questionPrompt() string {
	ask := t.c.Session.Ask
	offer, start := "", say.OneLine(widen.FinalText(ask, queue.StartAnswer(ask)))
	if t.noTeam == "" {
		offer = " | [w]iden"
	}
	if start != "" {
		start = " [" + start + "]"
	}
	return t.questionText() + start + ":\n" +
		"[enter]=accept default | [text]=type answer" + offer + " | [d]efer | [!cancel]"
}

// takeReply carries out a line at the question: an answer, or a command to ask the team or to defer the question.
func (t *Talk) takeReply(ctx context.Context, text string) error {
	switch typed := strings.TrimSpace(text); {
	case typed == "":
		start := queue.StartAnswer(t.c.Session.Ask)
		if _, err := t.c.Session.Ask.Accept(start); err != nil {
			t.sayLine("There is no default. Type an answer, or d to defer.")
			return nil
		}
		return t.finish(ctx, queue.Settle{Answer: start})
	case typed == typedWiden && t.noTeam == "":
		return t.perform(ctx, (*widen.Consult).Begin)
	case typed == typedWiden:
		t.sayLine(notAskedNow(t.noTeam))
		return nil
	case typed == typedDefer:
		return t.deferQuestion(ctx)
	default:
		return t.takeAnswer(ctx, typed)
	}
}

// notAskedNow says why the command “w” asks nobody, and that it was not taken as an answer. It is wrapped here, because
// a terminal would break the command that the reason names.
func notAskedNow(why string) string {
	words := say.Capital(strings.TrimSuffix(say.OneLine(why), ".")) + ". No answer was sent."
	return strings.Join(ink.Wrap(words, 79), "\n")
}

// deferQuestion asks for a reason, and ends the question without an answer.
func (t *Talk) deferQuestion(ctx context.Context) error {
	if err := t.c.WhyNot((*widen.Consult).PutOff); err != nil {
		return t.reportFailure(saving, err)
	}
	prompt := whyPrompt
	if t.c.Session.Widen != nil {
		prompt = "Rationale for deferral (required):"
	}
	for {
		why, err := t.ask(ctx, prompt)
		if err != nil {
			return err
		}
		put := func(c *widen.Consult) (widen.Want, error) { return c.Defer(strings.TrimSpace(why)) }
		if errors.Is(t.c.WhyNot(put), widen.ErrNoReason) {
			t.sayLine("A rationale is required: say why the decision has to wait.")
			continue
		}
		if err = t.perform(ctx, put); t.end == Over {
			t.sayToned(toneYellow, "Decision deferred.", "")
		}
		return err
	}
}

const whyPrompt = "Optional rationale (press Enter to skip):"

// showAudience shows who would be asked.
func (t *Talk) showAudience(context.Context) {
	t.writeBox("Widen: "+say.Short(t.questionText(), titleMost), "Default audience for this decision:",
		"  "+namesOf(t.c.Members), "", "[Enter] to confirm, or type comma-separated names to trim.",
		`Type "cancel" or press Ctrl+C to abort.`)
	if most := t.c.Most(); most != "" {
		t.sayLine(most)
	}
}

// titleMost limits the characters of a question in a sentence about it.
const titleMost = 60

// takeNames asks the people of the audience whose names were typed, or all of them for an empty line.
func (t *Talk) takeNames(ctx context.Context, text string) error {
	if command(text) == "cancel" {
		return t.leaveNames()
	}
	invited, unknown := t.c.Named(text)
	if len(unknown) > 0 {
		words := "Not in the audience, so not asked:"
		if t.c.ByName {
			words = "Not in the audience, asked by name alone:"
		}
		t.sayToned(toneYellow, words, " "+say.OneLine(strings.Join(unknown, ", ")))
	}
	if len(invited) == 0 {
		t.sayLine("Nobody is left to ask. Type names of the audience, or press Enter for all of it.")
		return nil
	}
	t.sayLine(fmt.Sprintf("Audience confirmed: %s (%s)\nCalling widen endpoint...", namesOf(invited),
		say.Count(len(invited), "member")))
	return t.perform(ctx, func(c *widen.Consult) (widen.Want, error) {
		return c.Ask(widen.Call{Invited: invited}, false) // how long they wait is asked later
	})
}

// leaveNames ends the stage without asking the team.
func (t *Talk) leaveNames() error {
	t.sayLine("The team was not asked.")
	_, err := t.c.Leave()
	return err
}

// namesOf returns the names of members as a list.
func namesOf(members []queue.Member) string { return queue.Widened{Team: members}.Names() }

// haveNames returns the names of members as people say them, and the verb: Alice, Bob and Carol have.
func haveNames(members []queue.Member) string {
	last := len(members) - 1
	if last == 0 {
		return namesOf(members) + " has"
	}
	return namesOf(members[:last]) + " and " + namesOf(members[last:]) + " have"
}

// takePause carries out the person's choice to wait for the team or to continue with other questions.
func (t *Talk) takePause(ctx context.Context, text string) (err error) {
	switch command(text) {
	case "", "b":
	case "c":
		err = t.perform(ctx, func(c *widen.Consult) (widen.Want, error) { return c.Regroup(queue.WidenParked) })
	default:
		t.sayLine("Type b to wait here, or c to continue with the other questions.")
		return nil
	}
	t.pauses = false
	return err
}

// showWait shows what the person waits for, and what can be typed meanwhile.
func (t *Talk) showWait(context.Context) {
	w := t.c.Session.Widen
	t.writeBox("Waiting for widened discussion", "Question: "+t.questionText(), "Participants: "+w.Names(),
		"Slack thread: "+cmp.Or(say.OneLine(w.ThreadURL), "(no link)"))
	t.sayLine("\n" + waitingOptions + "\n")
}

// waitingOptions lists what can be typed meanwhile.
const waitingOptions = `Options:
  [f]etch & review   — fetch current discussion and produce candidate
  <type an answer>   — resolve locally right now (closes Slack thread)
  [d]efer            — defer this question for later`

// takeMeanwhile carries out a line at a question that the team has.
func (t *Talk) takeMeanwhile(ctx context.Context, typed string) error {
	switch text := strings.TrimSpace(typed); text {
	case "":
		t.sayLine("Type f, an answer or d. !cancel leaves the question with the team and ends here.")
		return nil
	case typedFetch:
		return t.fetchAndReview(ctx)
	case typedDefer:
		return t.deferQuestion(ctx)
	default:
		return t.takeAnswer(ctx, text)
	}
}

// againPrompt returns the prompt for a question that the team has already.
func (t *Talk) againPrompt() string {
	return t.questionText() + " [pending-external-input]\n" +
		"[f]etch & resolve | [local answer]=type answer | [d]efer | [!cancel]"
}

// takeAgain carries out a line at a question that the person has left to the team. An empty line leaves it there,
// except in the last pass of an interview.
func (t *Talk) takeAgain(ctx context.Context, text string) error {
	if strings.TrimSpace(text) == "" && !t.final {
		t.end = Parked
		return nil
	}
	return t.takeMeanwhile(ctx, text)
}

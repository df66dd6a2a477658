package talk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// widen asks the team, if the person says whom.
func (t *Talk) widen(ctx context.Context) error {
	everybody, err := t.o.Team.Audience(ctx, t.mission())
	if err != nil {
		return t.notWidened(err)
	}
	invited, err := t.audience(ctx, everybody)
	if err != nil {
		if errors.Is(err, errAborted) {
			t.sayLine("The team was not asked.")
			return nil
		}
		return err
	}
	t.sayLine(audienceConfirmed(namesOf(invited)))
	s, err := t.call(ctx, invited)
	if err != nil {
		return t.notWidened(err)
	}
	t.now = s
	t.box(widenedBox(t.question(), namesOf(invited)))
	return t.pause(ctx)
}

// audienceConfirmed says who is asked.
func audienceConfirmed(names []string) string {
	return fmt.Sprintf("Audience confirmed: %s (%s)\nCalling widen endpoint...",
		strings.Join(names, ", "), say.Count(len(names), "member"))
}

// widenedBox says that the team was asked.
func widenedBox(question string, names []string) frame {
	have := "have"
	if len(names) == 1 {
		have = "has"
	}
	words := fmt.Sprintf(`Slack thread created. %s %s been invited to discuss: "%s"`, joinNames(names), have,
		say.Short(question, titleMost))
	return frame{"Widened ✓", []frameRow{{0, words}}}
}

// joinNames joins names as people say them: Alice, Bob and Carol.
func joinNames(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// call asks those who were invited. They are asked once, however often that has to be stored.
func (t *Talk) call(ctx context.Context, invited []queue.Member) (queue.Session, error) {
	call := team.Call{Session: t.now.ID, Invited: invited, Mission: t.about.Mission, QuestionID: t.about.ID,
		Actor: t.actor()}
	unsure := false
	return t.store(ctx, func() (queue.Session, error) {
		s, err := t.o.Team.Widen(ctx, call)
		if unsure && errors.Is(err, queue.ErrWidened) { // by the try before
			return s, nil
		}
		unsure = unsure || errors.Is(err, queue.ErrUnreachable)
		return s, err
	})
}

// notWidened says why the team was not asked; the question is asked again.
func (t *Talk) notWidened(err error) error {
	switch {
	case isChange(err):
		return errChanged
	case errors.Is(err, errStopped):
		return err
	}
	t.toned(toned{toneRed, "Widen failed:", " " + say.OneLine(whyFailed(err))})
	if !t.single {
		t.sayLine("Returning to interview prompt.")
	}
	return nil
}

// audience asks who of all is to be asked. It fails with errAborted where the person asks nobody.
func (t *Talk) audience(ctx context.Context, everybody []queue.Member) ([]queue.Member, error) {
	t.box(audienceBox(t.question(), namesOf(everybody)))
	if len(everybody) >= queue.MaxTeam {
		t.sayLine(say.TeamMost(queue.MaxTeam))
	}
	t.fresh()
	for {
		typed, err := t.read(ctx, "Audience >", nil)
		switch {
		case err != nil:
			return nil, err
		case widen.IsCancel(typed), strings.TrimSpace(typed) == typedCancel:
			return nil, errAborted
		}
		invited, unknown := widen.Trim(everybody, typed)
		byName := t.o.Team.TakesNames()
		if len(unknown) > 0 {
			t.toned(unknownNames(unknown, byName))
		}
		if byName {
			invited = widen.ByName(invited, unknown)
		}
		if len(invited) > 0 {
			return invited, nil
		}
		t.sayLine("Nobody is left to ask. Type names of the audience, or press Enter for all of it.")
	}
}

// audienceBox shows who would be asked.
func audienceBox(question string, names []string) frame {
	return frame{"Widen: " + say.Short(question, titleMost), []frameRow{
		{0, "Default audience for this decision:"},
		{2, strings.Join(names, ", ")},
		{0, ""},
		{0, "[Enter] to confirm, or type comma-separated names to trim."},
		{0, `Type "cancel" or press Ctrl+C to abort.`},
	}}
}

// unknownNames warns of names that nobody of the audience has; asked: these people are asked all the same.
func unknownNames(names []string, asked bool) toned {
	words := "Not in the audience, so not asked:"
	if asked {
		words = say.TeamByName
	}
	return toned{toneYellow, words, " " + say.OneLine(strings.Join(names, ", "))}
}

func namesOf(members []queue.Member) []string {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = widen.Name(m.Name)
	}
	return names
}

// pause asks whether the person waits for the team or continues.
func (t *Talk) pause(ctx context.Context) error {
	t.apart()
	t.fresh()
	for {
		typed, err := t.ask(ctx, "Block here or continue with other questions? [b/c] (default: b):")
		if err != nil {
			return err
		}
		switch strings.ToLower(strings.TrimSpace(typed)) {
		case "", "b":
			return nil
		case "c":
			return t.park(ctx)
		}
		t.sayLine("Type b to wait here, or c to go on with the other questions.")
	}
}

func (t *Talk) park(ctx context.Context) error {
	s, err := t.store(ctx, func() (queue.Session, error) { return t.o.Team.Park(ctx, t.now.ID, t.actor()) })
	if err != nil {
		return t.failed(saving, err)
	}
	t.now = s
	if t.single {
		t.sayLine("Question parked as pending. fetch brings what the team said.")
	} else {
		t.sayLine("Question parked as pending. You'll be prompted to resolve it at end of interview.")
	}
	return errParked
}

// waitingOptions lists what can be typed meanwhile.
const waitingOptions = `Options:
  [f]etch & review   — fetch current discussion and produce candidate
  <type an answer>   — resolve locally right now (closes Slack thread)
  [d]efer            — defer this question for later`

// stillWaiting reminds a person who has typed nothing for a long time.
var stillWaiting = toned{toneYellow, "Still waiting on widened discussion.", ""}

// waitHelp lists the lines that can be typed while the person waits.
const waitHelp = "Type f, an answer or d. !cancel leaves the question with the team and ends here."

// wait waits with the person for the team.
func (t *Talk) wait(ctx context.Context) error {
	t.box(waitingBox(t.question(), *t.now.Widen))
	t.sayLine("\n" + waitingOptions + "\n")
	t.fresh()
	for {
		typed, err := t.askUntil(ctx, "Waiting >", t.o.After(Reminded))
		if errors.Is(err, errLate) {
			t.toned(stillWaiting)
			t.sayLine("Check Slack, type a local answer, or press d to defer.\n")
			continue
		}
		if err == nil {
			err = t.withTeam(ctx, typed, waitHelp)
		}
		if err != nil {
			return err
		}
	}
}

// waitingBox describes the question that the person waits for.
func waitingBox(question string, w queue.Widened) frame {
	thread := say.OneLine(w.ThreadURL)
	if thread == "" {
		thread = "(no link)"
	}
	return frame{"Waiting for widened discussion", []frameRow{
		{0, "Question: " + say.OneLine(question)},
		{0, "Participants: " + w.Names()},
		{0, "Slack thread: " + thread},
	}}
}

// metAgain asks a question that the team has and the person went on from.
func (t *Talk) metAgain(ctx context.Context) error {
	t.apart()
	t.fresh()
	typed, err := t.ask(ctx, metAgain(t.question()))
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(typed) == "" && !t.final:
		return errParked
	}
	return t.withTeam(ctx, typed, waitHelp)
}

// metAgain asks a question that is with the team already.
func metAgain(question string) string {
	return say.OneLine(question) + " [pending-external-input]\n" +
		"[f]etch & resolve | [local answer]=type answer | [d]efer | [!cancel]"
}

// withTeam does what was typed at a question that the team has; usage is said of an empty line.
func (t *Talk) withTeam(ctx context.Context, typed, usage string) error {
	switch text := strings.TrimSpace(typed); text {
	case "":
		t.sayLine(usage)
		return nil
	case typedFetch:
		return t.review(ctx)
	case typedDefer:
		return t.deferTeam(ctx, "")
	default:
		return t.resolveLocally(ctx, text)
	}
}

// resolveLocally takes the person's own words while the team has the question.
func (t *Talk) resolveLocally(ctx context.Context, text string) error {
	given, err := t.typedAnswer(ctx, text)
	if err != nil {
		return t.unanswered(err)
	}
	err = t.resolve(ctx, team.Verdict{Answer: given,
		Team: &queue.Resolution{Summary: queue.Summary{Source: queue.SourceManual}}})
	if errors.Is(err, errOver) {
		t.sayLine("Resolved locally. SaaS will close the Slack thread shortly.")
	}
	return err
}

// resolve ends the question with what its team's review came to.
func (t *Talk) resolve(ctx context.Context, v team.Verdict) error {
	sure, err := t.confirmed(ctx)
	if err != nil {
		return t.orBack(err)
	}
	v.ID, v.Confirmed, v.Actor = queue.NewToken(), sure, t.actor()
	return t.finish(t.store(ctx, func() (queue.Session, error) { return t.o.Team.Resolve(ctx, t.now.ID, v) }))
}

// deferTeam ends the question without an answer, and asks for the reason. summary is what the team said so far.
func (t *Talk) deferTeam(ctx context.Context, summary string) error {
	for {
		why, err := t.ask(ctx, "Rationale for deferral (required):")
		if err != nil {
			return err
		}
		if queue.Blank(why) {
			t.sayLine("A rationale is required: say why the decision has to wait.")
			continue
		}
		d := team.Deferral{ID: queue.NewToken(), Rationale: strings.TrimSpace(why), Summary: summary, Actor: t.actor()}
		err = t.finish(t.store(ctx, func() (queue.Session, error) { return t.o.Team.Defer(ctx, t.now.ID, d) }))
		if errors.Is(err, errOver) {
			t.toned(decisionDeferred)
		}
		return err
	}
}

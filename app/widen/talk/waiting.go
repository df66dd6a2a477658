package talk

import (
	"context"
	"errors"
	"strings"

	team "github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// room is a question that is with the team, and what the person does about it.
type room struct{ *matter }

// wait waits with the person for the team.
func (t *room) wait(ctx context.Context) error {
	t.box(say.TalkWaitingBox(t.question(), *t.now.Widen))
	t.sayLine("\n" + say.TalkWaitingOptions + "\n")
	t.fresh()
	for {
		typed, err := t.askUntil(ctx, say.TalkWaiting, t.o.After(Reminded))
		if errors.Is(err, errLate) {
			t.toned(say.TalkStillWaiting)
			t.sayLine(say.TalkCheck + "\n")
			continue
		}
		if err == nil {
			err = t.withTeam(ctx, typed, say.TalkTypeWait)
		}
		if err != nil {
			return err
		}
	}
}

// metAgain asks a question that the team has and the person went on from.
func (t *room) metAgain(ctx context.Context) error {
	t.apart()
	t.fresh()
	typed, err := t.ask(ctx, say.TalkMetAgain(t.question()))
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(typed) == "" && !t.final:
		return errParked
	}
	return t.withTeam(ctx, typed, say.TalkTypeWait)
}

// withTeam does what was typed at a question that the team has; usage is said of an empty line.
func (t *room) withTeam(ctx context.Context, typed, usage string) error {
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
func (t *room) resolveLocally(ctx context.Context, text string) error {
	given, err := t.typedAnswer(ctx, text)
	if err != nil {
		return t.unanswered(err)
	}
	err = t.resolve(ctx, team.Verdict{Answer: given,
		Team: &queue.Resolution{Summary: queue.Summary{Source: queue.SourceManual}}})
	if errors.Is(err, errOver) {
		t.sayLine(say.TalkLocally)
	}
	return err
}

// resolve ends the question with what its team's review came to.
func (t *room) resolve(ctx context.Context, v team.Verdict) error {
	sure, err := t.confirmed(ctx)
	if err != nil {
		return t.orBack(err)
	}
	v.ID, v.Confirmed, v.Actor = queue.NewToken(), sure, t.actor()
	return t.finish(t.store(ctx, func() (queue.Session, error) { return t.o.Team.Resolve(ctx, t.now.ID, v) }))
}

// deferTeam ends the question without an answer, and wants to know why. summary is what the team said so far.
func (t *room) deferTeam(ctx context.Context, summary string) error {
	for {
		why, err := t.ask(ctx, say.TalkWhyDefer)
		if err != nil {
			return err
		}
		if queue.Blank(why) {
			t.sayLine(say.TalkWants)
			continue
		}
		d := team.Deferral{ID: queue.NewToken(), Rationale: strings.TrimSpace(why), Summary: summary, Actor: t.actor()}
		err = t.finish(t.store(ctx, func() (queue.Session, error) { return t.o.Team.Defer(ctx, t.now.ID, d) }))
		if errors.Is(err, errOver) {
			t.toned(say.TalkDeferred)
		}
		return err
	}
}

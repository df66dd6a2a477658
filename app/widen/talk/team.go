package talk

import (
	"context"
	"errors"
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
			t.sayLine(say.TalkNotAsked)
			return nil
		}
		return err
	}
	t.sayLine(say.TalkConfirmed(namesOf(invited)))
	s, err := t.call(ctx, invited)
	if err != nil {
		return t.notWidened(err)
	}
	t.now = s
	t.box(say.TalkWidened(t.question(), namesOf(invited)))
	return t.pause(ctx)
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
	t.toned(say.TalkWidenFailed(whyFailed(err)))
	if !t.single {
		t.sayLine(say.TalkBack)
	}
	return nil
}

// audience asks who of all is to be asked. It fails with errAborted where the person asks nobody.
func (t *Talk) audience(ctx context.Context, everybody []queue.Member) ([]queue.Member, error) {
	t.box(say.TalkAudienceBox(t.question(), namesOf(everybody)))
	if len(everybody) >= queue.MaxTeam {
		t.sayLine(say.TeamMost(queue.MaxTeam))
	}
	t.fresh()
	for {
		typed, err := t.read(ctx, say.TalkAudience, nil)
		switch {
		case err != nil:
			return nil, err
		case widen.IsCancel(typed), strings.TrimSpace(typed) == say.TalkCancel:
			return nil, errAborted
		}
		invited, unknown := widen.Trim(everybody, typed)
		byName := t.o.Team.TakesNames()
		if len(unknown) > 0 {
			t.toned(say.TalkUnknown(unknown, byName))
		}
		if byName {
			invited = widen.ByName(invited, unknown)
		}
		if len(invited) > 0 {
			return invited, nil
		}
		t.sayLine(say.TalkNobody)
	}
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
		typed, err := t.ask(ctx, say.TalkPause)
		if err != nil {
			return err
		}
		switch strings.ToLower(strings.TrimSpace(typed)) {
		case "", "b":
			return nil
		case "c":
			return t.park(ctx)
		}
		t.sayLine(say.TalkOrCancel)
	}
}

func (t *Talk) park(ctx context.Context) error {
	s, err := t.store(ctx, func() (queue.Session, error) { return t.o.Team.Park(ctx, t.now.ID, t.actor()) })
	if err != nil {
		return t.failed(say.TalkStore, err)
	}
	t.now = s
	if t.single {
		t.sayLine(say.TalkParkedAlone)
	} else {
		t.sayLine(say.TalkParked)
	}
	return errParked
}

// wait waits with the person for the team.
func (t *Talk) wait(ctx context.Context) error {
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
func (t *Talk) metAgain(ctx context.Context) error {
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
		t.sayLine(say.TalkLocally)
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

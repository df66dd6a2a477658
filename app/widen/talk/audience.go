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

// invite asks the team about a question.
type invite struct{ *matter }

// widen asks the team, if the person says whom.
func (t *invite) widen(ctx context.Context) error {
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
func (t *invite) call(ctx context.Context, invited []queue.Member) (queue.Session, error) {
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
func (t *invite) notWidened(err error) error {
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
func (t *invite) audience(ctx context.Context, everybody []queue.Member) ([]queue.Member, error) {
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
func (t *invite) pause(ctx context.Context) error {
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

func (t *invite) park(ctx context.Context) error {
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

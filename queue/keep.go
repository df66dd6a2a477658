package queue

import (
	"context"
	"errors"
	"time"
)

// Prepare returns the session that Create would store of a draft, with an id of its own and its deadline running. It
// fails with *Invalid. Whoever must not store it twice hands it to Keep, as often as that takes.
func (q *Queue) Prepare(draft Session) (Session, error) {
	if draft.Origin.Native() {
		return q.prepareAs(SourceID(draft.Origin.Source), draft)
	}
	return q.prepareAs(q.NewID(), draft)
}

func (q *Queue) prepareAs(id string, draft Session) (Session, error) {
	if problems := append(draft.Ask.Check(), draft.Origin.check()...); len(problems) > 0 {
		return Session{}, &Invalid{Problems: problems}
	}
	now := storedTime(q.Now())
	s := Session{
		Schema: schemaFirst, ID: id, Key: draft.Key, Origin: draft.Origin, Ask: draft.Ask, Claim: draft.Claim,
		AskedAt: now, FuseFrom: now, Deadline: now.Add(time.Duration(draft.Ask.TimeoutSeconds) * time.Second),
	}
	if s.IsMessage() {
		sent := Command{ID: NewToken(), By: ByHuman, Surface: SurfaceDashboard, Person: q.Person}
		return s.withEvent(sent, EventSent, s.Origin.Name(), now), nil
	}
	asked := Command{ID: NewToken(), By: ByCaller, Surface: SurfaceClient}
	return s.withEvent(asked, EventAsked, draft.Origin.Dialect, now), nil
}

// Keep stores a session that Prepare made, and returns the stored one. After ErrInDoubt or ErrUnreachable it may be
// called again with the same session: it is not stored a second time if an earlier call has stored it, perhaps late,
// even if it has ended and is archived since. ErrExists if another session has its id.
func (q *Queue) Keep(ctx context.Context, s Session) (Session, error) {
	stored, err := q.Store.Get(ctx, s.ID)
	if errors.Is(err, ErrNotFound) {
		var made Session
		if made, err = q.Store.Create(ctx, s); !errors.Is(err, ErrExists) {
			return made, err
		}
		stored, err = q.Store.Get(ctx, s.ID)
	}
	if err != nil {
		return Session{}, err
	}
	if _, same := stored.Event(s.Events[0].ID); !same {
		return Session{}, ErrExists
	}
	return stored, q.syncSession(ctx, s.ID)
}

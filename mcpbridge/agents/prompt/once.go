package prompt

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// A hook may be in two settings files of Claude. Claude then starts it twice for one prompt, with the same input. Such
// a prompt is asked once, and both hooks print the answer:
//
//	the first hook ─► creates the question under a name that both find
//	the second     ─► finds it, and waits until the transcript shows whether there is one such call, or two
//	                  one: it joins the first;   two: these are two prompts, so it asks its own
const (
	onceWithin = time.Second // how much later a second hook for the same prompt may be started
)

// OnceName returns the name that all hooks have in common which one process of an agent has started with the same
// input.
func OnceName(raw []byte, pid int) string {
	return fmt.Sprintf("%x", sha256.Sum256(append(strconv.AppendInt(nil, int64(pid), 10), raw...)))[:32]
}

// enterOnce puts a prompt that has a OnceName into the queue, or joins the question of another hook for the same
// prompt.
func (in *Intake) enterOnce(ctx context.Context, a Asked) (s queue.Session, own bool, err error) {
	now := in.queue.Now()
	draft := queue.Session{Ask: in.filledAsk(a), Origin: in.OriginOf(a), Claim: in.claim()}
	alone := draft.Origin.Source
	name := func(second int64) string {
		return alone[:strings.LastIndex(alone, "/")+1] + a.Once + "-" + strconv.FormatInt(second, 10)
	}
	first, found, _ := in.askedJustNow(ctx, name(now.Unix()-1), now)
	if !found {
		draft.Origin.Source = name(now.Unix())
		var free bool
		if first, found, free = in.askedJustNow(ctx, draft.Origin.Source, now); free {
			if s, err = in.queue.Create(ctx, draft); !errors.Is(err, queue.ErrExists) {
				return s, err == nil, err
			}
			first, found, _ = in.askedJustNow(ctx, draft.Origin.Source, now)
		}
	}
	if found {
		switch same, err := a.Dialog.IsCallOf(ctx, first.AskedAt); {
		case err != nil:
			return s, false, err
		case same:
			return first, false, nil
		}
	}
	draft.Origin.Source = alone
	s, err = in.queue.Create(ctx, draft)
	return s, err == nil, err
}

// askedJustNow returns the pending question from a source that was asked within onceWithin. free means that nothing was
// ever asked from it. A name that was used is not used again, as a question that is over must not come back to life.
func (in *Intake) askedJustNow(ctx context.Context, source string, now time.Time) (s queue.Session, found, free bool) {
	s, err := in.queue.Store.Get(ctx, queue.SourceID(source))
	if err != nil {
		return s, false, errors.Is(err, queue.ErrNotFound)
	}
	waits := s.Pending() && s.Claim != nil && in.isRunning(ctx, s.Claim.Instance)
	return s, waits && now.Sub(s.AskedAt) < onceWithin, false
}

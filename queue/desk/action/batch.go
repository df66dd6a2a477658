package action

import (
	"errors"
	"fmt"

	"github.com/choicetui/choicetui/queue/desk"
)

// Alike opens the list of approvals that are alike; see desk.Batch. In the list, the actions that mark options mark
// requests.
const Alike Name = "alike"

// Reasons and words of these actions.
const (
	noneAlike    = Words("this agent has no other requests that can be allowed together with this one")
	batchAlone   = Words("that one is decided on its own, not together with others")
	batchOver    = Words("that request is no longer pending")
	batchChanged = Words("that request has changed; leave the list to read it")
	batchUnseen  = Words("not all of that request was on screen yet")
	noneToMark   = Words("none of them can be marked yet")
	NoneMarked   = Words("no request is marked")
	BatchLeft    = Words("nothing was sent")
)

// batches returns the action that opens the list of approvals that are alike.
func batches() []Row {
	return []Row{
		{Name: Alike, Keys: []string{"*"}, In: onApproval,
			Effect: alwaysIs(desk.Marking), Needs: hasAlike,
			Do: func(at At, _ Arg) Effect {
				return then(func(*Keyboard) Message { at.View.Batch.Open(); return Message{} })
			},
			Footer: "similar ones", Short: "similar",
			Offered: func(at At) bool { return at.View.Batch.Alike() > 0 },
			Now: func(at At, h Hint) Hint {
				n := at.View.Batch.Alike()
				return h.Say(Word{Long: fmt.Sprintf("%d that are alike", n), Short: fmt.Sprintf("%d alike", n)})
			},
			Help: "list the approvals of the same agent, tool and directory, to allow them together",
			Line: Line{Word: "similar",
				Help: "lists the pending approvals that are alike; all or numbers mark some, Enter allows them"},
			Lacks: map[string]string{Command: oneReply}},
	}
}

// hasAlike says why no list of approvals that are alike can be opened.
func hasAlike(at At, _ Arg) Message {
	if at.View.Batch.Alike() == 0 {
		return says(noneAlike)
	}
	return Message{}
}

// markAllAlike marks all requests of the list that can be marked, or the one that is shown alone.
func markAllAlike(at At) Effect {
	if _, whole := at.View.Batch.Cursor(); whole {
		return markAlike(at)
	}
	if at.View.Batch.MarkAll() == 0 {
		return Effect{WhyNot: says(noneToMark)}
	}
	return Effect{}
}

// markAlike marks the request under the cursor, or takes its mark away. If that was shown alone, the list comes back.
func markAlike(at At) Effect {
	b := at.View.Batch
	_, whole := b.Cursor()
	switch why := b.Mark(); {
	case why != nil:
		return Effect{WhyNot: ofBatchRow(why)}
	case whole:
		return then(showList)
	}
	return Effect{}
}

// chooseAlike marks exactly the requests with these numbers.
func chooseAlike(at At, numbers []int) Effect {
	if why := at.View.Batch.Choose(numbers...); why != nil {
		return Effect{WhyNot: ofBatchRow(why)}
	}
	return Effect{}
}

// ofBatchRow returns the message why a request of the list cannot be marked.
func ofBatchRow(why error) Message {
	for reason, words := range map[error]Words{desk.ErrOver: batchOver, desk.ErrAlone: batchAlone,
		desk.ErrChanged: batchChanged, desk.ErrUnseen: batchUnseen} {
		if errors.Is(why, reason) {
			return says(words)
		}
	}
	return Message{Err: why}
}

// UnseenInBatch reports whether the request under the cursor of the list has to be shown alone before it can be marked,
// so that Enter shows it.
func (at At) UnseenInBatch() bool {
	n, whole := at.View.Batch.Cursor()
	return at.Whole && !whole && errors.Is(at.View.Batch.Rows()[n].WhyNot, desk.ErrUnseen)
}

// batchEffect tells the guard what Enter would do in the list.
func (at At) batchEffect() desk.Effect {
	if _, whole := at.View.Batch.Cursor(); whole || at.UnseenInBatch() {
		return desk.Elsewhere
	}
	return desk.Sending
}

// enterBatch carries out Enter in the list: it allows what is marked, shows the request under the cursor alone, or the
// list again.
func enterBatch(at At) Effect {
	b := at.View.Batch
	switch _, whole := b.Cursor(); {
	case whole:
		return then(showList)
	case at.UnseenInBatch():
		return then(func(*Keyboard) Message { b.ShowWhole(); return Message{} })
	case b.Marked() == 0:
		return Effect{WhyNot: says(NoneMarked)}
	}
	return Effect{Decides: true, Then: []FollowUp{func(*Keyboard) Message {
		return says(Words(fmt.Sprintf("sent: %d allowed", b.Send())))
	}}}
}

// leaveBatch carries out the key that goes back: it shows the list again, or closes it and sends nothing.
func leaveBatch(at At) Effect {
	if _, whole := at.View.Batch.Cursor(); whole {
		return then(showList)
	}
	return Effect{Say: says(BatchLeft), Then: []FollowUp{func(k *Keyboard) Message {
		k.view.Batch.Leave()
		return Message{}
	}}}
}

func showList(k *Keyboard) Message { k.view.Batch.ShowList(); return Message{} }

package action

import (
	"errors"
	"fmt"

	"github.com/choicetui/choicetui/queue/desk"
)

// Alike opens the list of approvals that are alike; see desk.Batch. In the list, the actions that mark options mark
// requests.
const Alike Name = "alike"

// Reasons and words of the actions in the list.
const (
	noneAlike  = Words("this agent has no other requests that can be allowed together with this one")
	noneToMark = Words("none of them can be marked yet")
	NoneMarked = Words("no request is marked")
	BatchLeft  = Words("nothing was sent")
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
	if !at.View.Batch.MarkAll() {
		return Effect{WhyNot: says(noneToMark)}
	}
	return Effect{}
}

// markAlike marks the request under the cursor, or takes its mark away. If that was shown alone, the list comes back.
func markAlike(at At) Effect {
	b := at.View.Batch
	why := b.Mark()
	if _, whole := b.Cursor(); whole && why == nil {
		return then(showList)
	}
	return Effect{WhyNot: Message{Err: why}}
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
	case len(b.Marked()) == 0:
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

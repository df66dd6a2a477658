package desk

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// keptLines keep what is typed for agents in the store, so that a crash does not lose it.
type keptLines struct {
	read   map[string][]string // by agent: the instances whose lines were read, to be dropped once it is sent
	saving *time.Timer
}

// lineName returns the session's name under which what is typed for an agent is kept: a message in the making has none
// yet.
func lineName(agent string) string {
	sum := sha256.Sum256([]byte("chat\x00" + agent))
	return queue.IDFrom(sum[:])
}

// saveLineSoon saves it a moment from now.
func (k *keptLines) saveLineSoon(c *composer) {
	if k.saving == nil {
		k.saving = time.AfterFunc(draftDelay, func() { c.d.Do(func() { k.saveLine(c) }) })
	}
}

// saveLine keeps what is typed for the addressed agent.
func (k *keptLines) saveLine(c *composer) {
	if k.saving == nil {
		return
	}
	k.saving.Stop()
	k.saving = nil
	if c.Text() == "" {
		k.forgetLine(c, c.to)
		return
	}
	c.d.saveDraft(queue.Draft{Session: lineName(c.to), Instance: c.seat.instance,
		Answer: queue.Answer{Comment: c.Text()}, At: c.d.Now().UTC()})
}

// bringLineBack brings back what an earlier process kept for the addressed agent, if nothing is typed.
func (k *keptLines) bringLineBack(c *composer) {
	key := c.to
	if _, read := k.read[key]; read || key == "" || c.Text() != "" {
		return
	}
	k.read[key] = []string{c.seat.instance}
	names := c.agents.keys(key)
	c.d.Store(func(ctx storeContext) { k.readLine(ctx, c, key, names) })
}

// readLine reads what was kept for an agent, under whichever of its keys an earlier process met it first.
func (k *keptLines) readLine(ctx context.Context, c *composer, key string, names []string) {
	var kept []queue.Draft
	for _, name := range names {
		drafts, err := c.d.o.Queue.Store.Drafts(ctx, lineName(name))
		if err != nil {
			return
		}
		kept = append(kept, drafts...)
	}
	if len(kept) == 0 {
		return
	}
	slices.SortStableFunc(kept, func(a, b queue.Draft) int { return b.At.Compare(a.At) })
	c.d.Do(func() {
		for _, draft := range kept {
			k.read[key] = append(k.read[key], draft.Instance)
		}
		if c.open && c.to == key && c.Text() == "" {
			c.keepText(kept[0].Answer.Comment)
			c.d.tell(LineChanged{c.seat})
		}
	})
}

// forgetLine drops what was kept for an agent once it was sent or taken elsewhere.
func (k *keptLines) forgetLine(c *composer, agent string) {
	instances := append([]string{c.seat.instance}, k.read[agent]...)
	k.read[agent] = []string{c.seat.instance}
	for _, name := range c.agents.keys(agent) {
		for _, instance := range instances {
			c.d.dropDraft(lineName(name), instance)
		}
	}
}

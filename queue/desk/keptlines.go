package desk

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// keptLines saves the lines that are being typed for agents as drafts in the store, so that a crash does not lose them.
type keptLines struct {
	read   map[string][]string // by agent: the instances whose drafts were read; they are dropped once the line is sent
	saving *time.Timer
}

// lineName returns the session id under which the line for an agent is saved, because a message that is still being
// typed has no session.
func lineName(agent string) string {
	sum := sha256.Sum256([]byte("chat\x00" + agent))
	return queue.IDFrom(sum[:])
}

// saveLineSoon saves the line after draftDelay.
func (k *keptLines) saveLineSoon(c *composer) {
	if k.saving == nil {
		k.saving = time.AfterFunc(draftDelay, func() { c.d.Do(func() { k.saveLine(c) }) })
	}
}

// saveLine saves the line for the addressed agent, if it changed.
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

// bringLineBack restores the line that an earlier process saved for the addressed agent, if nothing is typed.
func (k *keptLines) bringLineBack(c *composer) {
	key := c.to
	if _, read := k.read[key]; read || key == "" || c.Text() != "" {
		return
	}
	k.read[key] = []string{c.seat.instance}
	names := c.agents.keys(key)
	c.d.Store(func(ctx storeContext) { k.readLine(ctx, c, key, names) })
}

// readLine reads the lines that were saved for an agent. names are the keys of all its guises, because an earlier
// process may have met the agent in another one.
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

// forgetLine drops the saved line of an agent after it was sent or moved to another agent.
func (k *keptLines) forgetLine(c *composer, agent string) {
	instances := append([]string{c.seat.instance}, k.read[agent]...)
	k.read[agent] = []string{c.seat.instance}
	for _, name := range c.agents.keys(agent) {
		for _, instance := range instances {
			c.d.dropDraft(lineName(name), instance)
		}
	}
}

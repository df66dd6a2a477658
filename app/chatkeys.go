package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// mostProbed is how many agents are looked for when the composer opens; each costs a call of tmux.
const mostProbed = 24

// outlives is how long an agent may outlive its bridge: it is looked for once more then.
const outlives = 2 * time.Second

func sortAgents(list []*chatAgent) {
	slices.SortFunc(list, func(a, b *chatAgent) int {
		return cmp.Or(cmp.Compare(a.origin.Name(), b.origin.Name()), cmp.Compare(a.key, b.key))
	})
}

func ordinal(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sortByAge(list []queue.Session) {
	slices.SortFunc(list, func(a, b queue.Session) int { return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID)) })
}

// openChat opens the composer. From the empty screen with questions missed it is to the agent of the last of them that
// still runs, with the question quoted, unless something is typed for that agent already.
func (d *Dashboard) openChat() {
	switch {
	case d.o.Attach != "":
		d.message = "chat is in the dashboard: this form is for one question"
		return
	case d.settings.Chat.Deliver == deliverOff:
		d.message = "chat is switched off: setting chat deliver"
		return
	}
	if s, ok := d.missedHere(); ok {
		if key := agentKey(s.Origin); d.chat.texts[key] == "" {
			d.tellAgent(s.Origin, say.Quote(s))
		} else {
			d.compose(d.chat.agents[key])
		}
		return
	}
	d.compose(d.addressed())
}

// compose brings the composer up, to an agent (nil: none is known) and with what was typed for it before. What was
// typed before any agent was known is for the first one.
func (d *Dashboard) compose(a *chatAgent) {
	d.saveDraft()
	if a != nil {
		if d.chat.to = a.key; d.chat.texts[a.key] == "" && d.chat.texts[""] != "" {
			d.moveText("", a.key)
		}
	}
	d.chat.open, d.chat.fresh = true, false
	d.chat.editor = editor.New(d.chat.texts[d.chat.to])
	d.readChatDraft()
	d.probe(d.recent()...)
}

// moveText takes what is kept for an agent to another one, for whom nothing is.
func (d *Dashboard) moveText(from, to string) {
	d.chat.texts[to] = d.chat.texts[from]
	delete(d.chat.texts, from)
	d.forgetChatDraft(from)
	if d.chat.quote.key == from {
		d.chat.quote.key, d.chat.quote.before = to, ""
	}
}

// closeChat leaves the composer; the text stays with its agent.
func (d *Dashboard) closeChat() {
	d.keepChat()
	to, dropped := d.chat.quote.to, d.dropQuote()
	d.saveChatDraft() // another agent may be the addressed one a moment from now
	if dropped {
		d.chat.to = to
	}
	d.chat.open, d.chat.editor = false, nil
	d.guard.appear(d.now())
}

// keepChat keeps what is typed now, for the addressed agent.
func (d *Dashboard) keepChat() {
	if d.chat.editor == nil {
		return
	}
	if text := d.chat.editor.Text(); text != "" {
		d.chat.texts[d.chat.to] = text
	} else {
		delete(d.chat.texts, d.chat.to)
	}
}

// chatTyped notes that the text has changed.
func (d *Dashboard) chatTyped() {
	d.chat.fresh = true
	d.keepChat()
	d.chatDraftSoon()
}

// chatDraftSoon saves what is typed a moment from now.
func (d *Dashboard) chatDraftSoon() {
	if d.chat.saving == nil {
		d.chat.saving = time.AfterFunc(draftDelay, func() { d.post(d.saveChatDraft) })
	}
}

func (d *Dashboard) actChat(a keys.Action) {
	switch a {
	case keys.ActBack:
		d.closeChat()
	case keys.ActEnter:
		d.sendChat()
	case keys.ActNewLine:
		d.typed(d.chat.editor, d.chat.editor.NewLine)
	case keys.ActEditorHere:
		d.editChat()
	case keys.ActChatNext:
		d.nextAgent()
	case keys.ActTakeBack:
		d.takeBack()
	}
}

// nextAgent addresses the next agent. A text just typed goes along, unless there is one kept for that agent; one that
// was kept for the agent before stays with it.
func (d *Dashboard) nextAgent() {
	all := d.choices()
	switch {
	case d.chat.busy != "":
		return // the text belongs to the agent it is on its way to
	case !d.another():
		d.message = "no other agent is known"
		return
	}
	d.keepChat()
	next := all[(slices.Index(all, d.addressed())+1)%len(all)]
	typed := d.chat.editor.Text()
	d.saveChatDraft()
	if d.chat.fresh && typed != "" && d.chat.texts[next.key] == "" {
		d.moveText(d.chat.to, next.key)
	} else {
		d.dropQuote()
	}
	d.chat.to = next.key
	if text := d.chat.texts[next.key]; text != typed {
		d.chat.editor, d.chat.fresh = editor.New(text), false
	}
	d.chatDraftSoon()
	d.readChatDraft()
	d.probe(next)
}

// editChat hands the text to $VISUAL or $EDITOR and takes it back.
func (d *Dashboard) editChat() {
	if d.canEdit() {
		d.editText(d.chat.editor)
	}
}

// recent are the agents worth looking for: the addressed one, then the one that asked last first.
func (d *Dashboard) recent() []*chatAgent {
	var list []*chatAgent
	for _, a := range d.chat.agents {
		list = append(list, a)
	}
	to := d.addressed()
	slices.SortFunc(list, func(a, b *chatAgent) int {
		if a == to || b == to {
			return cmp.Compare(ordinal(b == to), ordinal(a == to))
		}
		return b.asked.Compare(a.asked)
	})
	return list[:min(len(list), mostProbed)]
}

// probe looks where agents are: their process, their tmux pane, what is in front in it.
func (d *Dashboard) probe(list ...*chatAgent) {
	if d.o.Chat == nil || d.chatOff() {
		return
	}
	for _, a := range list {
		d.look(a, func() {})
	}
}

// look looks where one agent is, then has then run on the event loop.
func (d *Dashboard) look(a *chatAgent, then func()) {
	o := a.origin
	d.beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
		defer cancel()
		at := d.o.Chat.Reach(ctx, o)
		at.Looked = true
		d.post(func() {
			a.at = at
			then()
		})
	})
}

// probeAddressed looks for the addressed agent once, so that the rule can say where it is.
func (d *Dashboard) probeAddressed() {
	if closing, _ := d.closing(); closing > 0 {
		return // the rule says something else
	}
	if a := d.addressed(); a != nil && a.key != d.chat.probed {
		d.chat.probed = a.key
		d.probe(a)
	}
}

// lookLater looks for the addressed agent once more a moment from now, if its bridge has gone: it goes too, as a rule,
// and may have been there still.
func (d *Dashboard) lookLater() {
	if a := d.addressed(); a == nil || d.bridged(a) || d.o.Chat == nil {
		return
	}
	time.AfterFunc(outlives, func() {
		d.post(func() {
			d.chat.probed = ""
			d.refresh()
		})
	})
}

// beside runs f beside the event loop and the worker: tmux may take seconds, and answers must not wait for it.
func (d *Dashboard) beside(f func()) {
	if d.term == nil {
		d.later(f)
		return
	}
	d.chat.under.Add(1)
	d.term.Go(func() {
		defer d.chat.under.Done()
		f()
	})
}

// settleChat waits, not for long, for what is under way when the screen has closed.
func (d *Dashboard) settleChat() {
	done := make(chan struct{})
	d.term.Go(func() {
		d.chat.under.Wait()
		close(done)
	})
	select {
	case <-done:
	case <-time.After(flushWithin):
	}
}

// chatKey is how the key that opens the composer is written; empty: there is nobody to write to, and nothing written.
func (d *Dashboard) chatKey() string {
	if a := d.addressed(); d.chatOff() || a == nil || !d.here(a) && len(d.keeping()) == 0 {
		return ""
	}
	return d.keys.KeyOf(keys.PlaceEmpty, keys.ActChat)
}

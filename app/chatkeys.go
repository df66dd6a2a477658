package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

// mostProbed is how many agents are looked for when the composer opens; each costs a call of tmux.
const mostProbed = 24

func sortAgents(list []*chatAgent) {
	slices.SortFunc(list, func(a, b *chatAgent) int {
		return cmp.Or(cmp.Compare(a.origin.Name(), b.origin.Name()), cmp.Compare(a.key, b.key))
	})
}

func sortByAge(list []queue.Session) {
	slices.SortFunc(list, func(a, b queue.Session) int { return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID)) })
}

// openChat opens the composer. From the empty screen with questions missed it is to the agent of the last of them,
// with the question quoted: what the person would have said is still worth something.
func (d *Dashboard) openChat() {
	switch {
	case d.o.Attach != "":
		d.message = "chat is in the dashboard: this form is for one question"
		return
	case d.settings.Chat.Deliver == deliverOff:
		d.message = "chat is switched off: setting chat deliver"
		return
	}
	if d.page == nil && d.form == nil && len(d.missed) > 0 && len(d.chat.missed) > 0 {
		s := d.chat.missed[0]
		if key := agentKey(s.Origin); d.chat.texts[key] == "" {
			d.tellAgent(s.Origin, panes.Quote(s))
			return
		}
	}
	d.compose()
}

// compose brings the composer up with what was typed for the agent before.
func (d *Dashboard) compose() {
	d.saveDraft()
	d.address(d.addressed())
	d.chat.open, d.chat.fresh = true, false
	d.chat.editor = panes.NewEditor(d.chat.texts[d.chat.to])
	d.readChatDraft()
	d.probe(d.recent()...)
}

// address makes it the agent a line goes to. What was typed for one that is gone goes along, unless there is a text
// for this one.
func (d *Dashboard) address(a *chatAgent) {
	if a == nil || a.key == d.chat.to {
		return
	}
	if text := d.chat.texts[d.chat.to]; text != "" && d.chat.texts[a.key] == "" {
		d.chat.texts[a.key] = text
		delete(d.chat.texts, d.chat.to)
		d.forgetChatDraft(d.chat.to)
	}
	d.chat.to = a.key
}

// closeChat leaves the composer; the text stays with its agent.
func (d *Dashboard) closeChat() {
	d.keepChat()
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

func (d *Dashboard) actChat(a panes.Action) {
	switch a {
	case panes.ActBack:
		d.closeChat()
	case panes.ActEnter:
		d.sendChat()
	case panes.ActNewLine:
		d.typed(d.chat.editor, d.chat.editor.NewLine)
	case panes.ActEditorHere:
		d.editChat()
	case panes.ActChatNext:
		d.nextAgent()
	case panes.ActTakeBack:
		d.takeBack()
	}
}

// nextAgent addresses the next agent. A text just typed goes along, unless there is one kept for that agent; one that
// was kept for the agent before stays with it.
func (d *Dashboard) nextAgent() {
	all := d.reachable()
	if len(all) < 2 {
		d.message = "no other agent is known"
		return
	}
	d.keepChat()
	next := all[(slices.Index(all, d.addressed())+1)%len(all)]
	typed := d.chat.editor.Text()
	d.saveChatDraft()
	if d.chat.fresh {
		d.address(next)
	}
	d.chat.to = next.key
	if text := d.chat.texts[next.key]; text != typed {
		d.chat.editor, d.chat.fresh = panes.NewEditor(text), false
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

// recent are the agents worth looking for, the one that asked last first.
func (d *Dashboard) recent() []*chatAgent {
	var list []*chatAgent
	for _, a := range d.chat.agents {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b *chatAgent) int { return b.asked.Compare(a.asked) })
	return list[:min(len(list), mostProbed)]
}

// probe looks where agents are: their process, their tmux pane, what is in front in it.
func (d *Dashboard) probe(list ...*chatAgent) {
	if d.o.Chat == nil || d.chatOff() {
		return
	}
	for _, a := range list {
		o := a.origin
		d.aside(func() {
			ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
			defer cancel()
			at := d.o.Chat.Reach(ctx, o)
			at.Looked = true
			d.post(func() { a.at = at })
		})
	}
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

// aside runs f beside the event loop and the worker: tmux may take seconds, and answers must not wait for it.
func (d *Dashboard) aside(f func()) {
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
	go func() {
		d.chat.under.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(flushWithin):
	}
}

// chatKey is how the key that opens the composer is written; empty: there is nobody to write to.
func (d *Dashboard) chatKey() string {
	if d.chatOff() || d.addressed() == nil {
		return ""
	}
	return d.keys.KeyOf(panes.PlaceEmpty, panes.ActChat)
}

package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// sendWithin is the longest that sending a line may take: a few calls of tmux, each with its own deadline.
const sendWithin = 20 * time.Second

// sendChat sends what is typed, if chat is open. Whatever goes wrong, the text stays in the composer.
func (d *Dashboard) sendChat() {
	a, text := d.addressed(), d.chat.editor.Text()
	closing, _ := d.closing()
	switch {
	case d.chat.busy != "" || closing > 0 || a == nil:
		return // the Enter line says why
	case queue.Blank(text):
		d.message = "type a line first"
		return
	case d.unreachable(a) != "":
		d.lookAgain(a)
		return
	case len(text) > queue.MaxPromptBytes:
		d.message = fmt.Sprintf("not sent: it takes %d bytes, at most %d fit", len(text), queue.MaxPromptBytes)
		return
	}
	d.chat.busy = text
	l := line{d: d, to: a.origin, text: text, mode: d.settings.Chat.Deliver, bridge: d.bridged(a)}
	d.beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), sendWithin)
		defer cancel()
		s, err := l.send(ctx)
		d.post(func() { d.chatSent(a, text, s, err) })
	})
}

// lookAgain looks once more where an agent is that could not be reached; if that is still so it is said, else the Enter
// line changes and the next Enter sends.
func (d *Dashboard) lookAgain(a *chatAgent) {
	refuse := func() {
		if why := d.unreachable(a); why != "" && d.chat.open && d.chat.to == a.key {
			d.message = "not sent: " + why + textStays
		}
	}
	if d.o.Chat == nil {
		refuse()
		return
	}
	typed := d.lastKey
	d.look(a, func() {
		if d.lastKey.Equal(typed) {
			refuse()
		}
	})
}

// line is one line on its way, beside the event loop.
type line struct {
	d      *Dashboard
	to     queue.Origin
	text   string
	mode   string
	bridge bool // the agent's bridge runs, so it can fetch messages
}

// send delivers the line the best way there is, and returns the message as the queue keeps it. Nothing is stored
// before there is a way; *queue.Doubt comes beside a message that is delivered for all we know.
func (l line) send(ctx context.Context) (queue.Session, error) {
	why := errNoTmux
	if l.mode != deliverMCP && l.d.o.Chat != nil {
		at := l.d.o.Chat.Reach(ctx, l.to)
		if at.Where != "" {
			s, err := l.paste(ctx)
			var unsure *queue.Doubt
			if err == nil || errors.As(err, &unsure) || l.mode == deliverTmux || !l.bridge {
				return s, err
			}
			at.Err = err
		}
		if at.Err != nil {
			why = at.Err
		}
	}
	switch {
	case l.mode == deliverTmux:
		return queue.Session{}, why
	case !l.bridge && l.mode == deliverMCP:
		return queue.Session{}, errNoBridge
	case !l.bridge:
		return queue.Session{}, why
	}
	return l.d.o.Queue.Create(ctx, queue.NewMessage(l.to, l.text))
}

// paste stores the message under a claim of ours, so that next_message leaves it alone, types it, and notes how that
// went. If this process dies in between, the claim is void and the agent may still fetch it.
func (l line) paste(ctx context.Context) (queue.Session, error) {
	q := l.d.o.Queue
	draft := queue.NewMessage(l.to, l.text)
	draft.Claim = &queue.Claim{Instance: l.d.o.Instance, Conn: queue.NewToken()}
	s, err := q.Create(ctx, draft)
	if err != nil {
		return queue.Session{}, err
	}
	where, err := l.d.o.Chat.Paste(ctx, l.to, l.text)
	var unsure *queue.Doubt
	var do queue.Action = queue.Deliver{Claim: *draft.Claim, Surface: queue.SurfaceTmux, Detail: where}
	switch {
	case errors.As(err, &unsure):
		do = queue.Deliver{Claim: *draft.Claim, Surface: queue.SurfaceTmux,
			Detail: strings.TrimPrefix(where+", ", ", ") + "perhaps: " + err.Error()}
	case err != nil:
		do = queue.Cancel{Reason: err.Error()}
	}
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	done, failed := q.Do(step, s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: do})
	if failed == nil {
		_ = q.Store.Archive(step, done) // the next sweep does it
		s = done
	}
	if err == nil && failed != nil { // it arrived, and only the note of it is missing
		err = &queue.Doubt{Err: fmt.Errorf("it arrived, but the queue could not note it: %w", failed)}
	}
	return s, err
}

// chatSent ends a sending: the text goes if it arrived, and stays otherwise.
func (d *Dashboard) chatSent(a *chatAgent, text string, s queue.Session, err error) {
	d.chat.busy = ""
	var unsure *queue.Doubt
	switch {
	case errors.As(err, &unsure):
		d.message = "perhaps sent, look at its pane first: " + say.OneLine(err.Error())
	case err != nil:
		d.message = "not sent: " + say.OneLine(err.Error()) + ". The text stays."
	default:
		d.chatDone(a, text)
	}
	switch {
	case s.ID == "":
	case s.Final: // archived already: the watch may have said so before
		d.history.take(s)
	default:
		d.result(s)
	}
	if err == nil {
		d.say(told(s, d.glyphs))
		d.last.follow(s)
	}
	d.refresh()
}

// chatDone takes the text that was sent out of the composer. What was typed behind it meanwhile stays.
func (d *Dashboard) chatDone(a *chatAgent, text string) {
	rest := strings.TrimPrefix(d.chat.texts[a.key], text)
	if rest == "" {
		delete(d.chat.texts, a.key)
	} else {
		d.chat.texts[a.key] = rest
	}
	d.forgetChatDraft(a.key)
	if !d.chat.open || d.chat.to != a.key {
		return
	}
	if d.chat.editor.SetText(rest); rest == "" {
		d.closeChat()
	}
}

// takeBack takes the last line that the agent has not fetched yet back into the composer.
func (d *Dashboard) takeBack() {
	a := d.addressed()
	if a == nil {
		return
	}
	list := d.unfetched(a)
	if len(list) == 0 {
		d.message = "nothing sent to it waits to be fetched"
		return
	}
	s := list[len(list)-1]
	d.do(s.ID, queue.Command{Do: queue.Cancel{}}, func(now queue.Session, err error) {
		switch {
		case errors.Is(err, queue.ErrFinal), errors.Is(err, queue.ErrSettled):
			d.message = "too late: " + now.Summary()
		case err != nil:
			d.message = "not taken back: " + say.OneLine(err.Error())
		case d.chat.open && d.chat.to == a.key:
			e := d.chat.editor
			text := s.Ask.Prompt
			if old := e.Text(); !queue.Blank(old) {
				text += "\n" + old
			}
			d.typed(e, func() { e.SetText(text) })
			d.message = "taken back"
		}
		d.refresh()
	})
}

// told is the last event for a message.
func told(s queue.Session, g ink.Glyphs) lastEvent {
	const most = 24
	l := lastEvent{id: s.ID, what: "“" + ink.Cut(say.OneLine(s.Ask.Title), most, g.Ellipsis) + "”",
		who: s.Origin.Name(), dir: s.Origin.Dir(), at: s.AskedAt}
	if s.Outcome == nil {
		l.state = "kept for next_message"
	}
	return l
}

// chatDraft is the name under which what is typed for an agent is kept: a message in the making has no session yet.
func chatDraft(key string) string {
	const crockford = "0123456789abcdefghjkmnpqrstvwxyz"
	sum := sha256.Sum256([]byte("chat\x00" + key))
	id := make([]byte, 8)
	for i := range id {
		id[i] = crockford[sum[i]&31]
	}
	return string(id)
}

// saveChatDraft keeps what is typed for the addressed agent, so that a crash does not lose it.
func (d *Dashboard) saveChatDraft() {
	if d.chat.saving == nil {
		return
	}
	d.chat.saving.Stop()
	d.chat.saving = nil
	text := d.chat.texts[d.chat.to]
	if text == "" {
		d.forgetChatDraft(d.chat.to)
		return
	}
	draft := queue.Draft{Session: chatDraft(d.chat.to), Instance: d.o.Instance, Answer: queue.Answer{Comment: text}, At: d.now().UTC()}
	d.keepDraft(draft.Session, func() {
		d.draftSaved(d.o.Queue.Store.SaveDraft(context.Background(), draft))
	})
}

// readChatDraft brings back what an earlier dashboard kept for the addressed agent, if nothing is typed.
func (d *Dashboard) readChatDraft() {
	key := d.chat.to
	if _, read := d.chat.drafts[key]; read || key == "" || d.chat.editor.Text() != "" {
		return
	}
	d.chat.drafts[key] = []string{d.o.Instance}
	d.later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleTmux)
		defer cancel()
		kept, err := d.o.Queue.Store.Drafts(ctx, chatDraft(key))
		if err != nil || len(kept) == 0 {
			return
		}
		d.post(func() {
			for _, k := range kept {
				d.chat.drafts[key] = append(d.chat.drafts[key], k.Instance)
			}
			if d.chat.open && d.chat.to == key && d.chat.editor.Text() == "" {
				d.chat.editor.SetText(kept[0].Answer.Comment)
				d.keepChat()
			}
		})
	})
}

// forgetChatDraft drops what was kept for an agent once it was sent or taken elsewhere.
func (d *Dashboard) forgetChatDraft(key string) {
	drop := func(instance string) { _ = d.o.Queue.Store.DropDraft(context.Background(), chatDraft(key), instance) }
	for _, other := range d.chat.drafts[key] {
		if other != d.o.Instance {
			d.later(func() { drop(other) })
		}
	}
	d.chat.drafts[key] = []string{d.o.Instance}
	d.keepDraft(chatDraft(key), func() { drop(d.o.Instance) }) // what is typed for it next takes its place
}

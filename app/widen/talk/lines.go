package talk

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// voice reads and writes lines about one question after the other.
type voice struct {
	o      Options
	asked  bool          // a line was asked for that has not come yet
	begun  bool          // something was written before
	shown  time.Time     // when something new was written; zero: the person's own line brought it up
	now    queue.Session // the question as it was last seen here
	follow *follower
}

// await waits for a line. It fails with errStopped at the end of the lines or after Ctrl-C, with errChanged when the
// question changed elsewhere, and with errLate when due came first; a nil due never comes.
func (t *voice) await(ctx context.Context, due <-chan time.Time) (string, error) {
	if !t.asked && t.o.Want != nil {
		t.o.Want()
	}
	t.asked = true
	for {
		select {
		case text, more := <-t.o.In:
			if !more {
				return "", errEnded
			}
			t.asked = false
			return strings.TrimSuffix(text, "\r"), nil
		case s := <-t.follow.changes:
			switch {
			case s.Revision < t.now.Revision: // from before our own command
			case !sameFor(s, t.now):
				return "", errChanged
			default:
				t.now = s
			}
		case <-t.o.Interrupt:
			return "", errAborted
		case <-due:
			return "", errLate
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// ask writes a prompt and waits for a line of text, the way every prompt does: !cancel, Ctrl-C and the end of the input
// end the conversation.
func (t *voice) ask(ctx context.Context, prompt string) (string, error) {
	return t.askUntil(ctx, prompt, nil)
}

func (t *voice) askUntil(ctx context.Context, prompt string, due <-chan time.Time) (string, error) {
	text, err := t.read(ctx, prompt, due)
	switch {
	case errors.Is(err, errAborted):
		return "", errStopped
	case err == nil && strings.TrimSpace(text) == say.TalkCancel:
		return "", errStopped
	}
	return text, err
}

// fresh notes that something new is on view: for a moment no line answers it.
func (t *voice) fresh() { t.shown = time.Now() }

// read writes a prompt and waits for a line. It says itself what ends the input, and refuses lines with keys that are
// no text. Where an agent says that the question is one for the team, that line is shown and never is the answer.
func (t *voice) read(ctx context.Context, prompt string, due <-chan time.Time) (string, error) {
	for {
		t.writePrompt(prompt)
		text, err := t.await(ctx, due)
		if err != nil && t.o.Echo {
			t.write("\n") // what was typed so far stays alone on its line
		}
		words, hinted := widen.CutHint(text)
		switch {
		case errors.Is(err, errEnded):
			t.sayLine(say.TalkEnded)
			return "", errStopped
		case err != nil:
			return "", err
		case hinted:
			t.toned(say.TalkHint(words))
		case keyed(text):
			t.sayLine(say.NotText)
		case time.Since(t.shown) < t.o.Guard:
			t.sayLine(say.LineTooSoon(text))
			t.fresh() // what follows at once belongs to it
		default:
			return text, nil
		}
	}
}

// dropEarly refuses what was typed or written before the question changed, and says so: it was meant for what stood
// there before. A line that is still being typed is dropped without a word, as nobody can know it.
func (t *voice) dropEarly() {
	early := t.arrived()
	if t.o.Drop != nil {
		early = append(early, t.o.Drop()...)
	}
	for _, text := range append(early, t.arrived()...) {
		t.sayLine(say.LineTooSoon(text))
	}
}

// arrived returns the line that was asked for, if it is there already.
func (t *voice) arrived() []string {
	select {
	case text, more := <-t.o.In:
		if more {
			t.asked = false
			return []string{text}
		}
	default:
	}
	return nil
}

// keyed reports whether a line holds keys that a line of text cannot take: arrows, Esc.
func keyed(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && unicode.IsControl(r) })
}

// forgetInterrupt drops a Ctrl-C that was the editor's.
func (t *voice) forgetInterrupt() {
	select {
	case <-t.o.Interrupt:
	default:
	}
}

package tmux

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	// settle is the time an agent gets to take a paste in before Enter: at once, Enter is swallowed.
	settle = 100 * time.Millisecond
	// modes limits how many modes on top of each other (copy mode in view mode) are left.
	modes = 4
)

// Busy says that another program than the agent reads the keys of its pane.
type Busy struct{ With string }

func (b *Busy) Error() string { return b.With + " is in front in its pane" }

// Reach returns the pane where a line typed now is read by the agent. It fails with ErrOutside, ErrNoPane, ErrGone,
// *Shared or *Busy, and changes nothing. For an agent below an app-server it always fails: that server takes lines
// itself.
func Reach(ctx context.Context, a Agent) (pane string, err error) {
	if !Inside() {
		return "", ErrOutside
	}
	if a.PID <= 1 {
		return "", ErrNoPane
	}
	home, table, err := locate(ctx, a)
	if err != nil {
		return "", err
	}
	if home.dead {
		return "", ErrGone
	}
	if home.server == queue.AppServer { // one screen of Codex can show any of its sessions
		return "", &Shared{By: home.server}
	}
	if home.id == Pane() {
		return "", &Busy{With: "choicetui"}
	}
	if home.synced {
		return "", &Busy{With: "synchronize-panes, which types into the other panes too,"}
	}
	return home.id, front(table, home.first, home.reader, arguments(ctx))
}

// Paste types a line into the agent's pane, as one bracketed paste, and presses Enter. Control characters but line
// breaks and tabs are left out; copy mode is left first. Before the paste it fails as Reach does; from then on with
// *queue.Doubt.
func Paste(ctx context.Context, a Agent, text string) (pane string, err error) {
	if text = queue.CleanLine(text); strings.TrimSpace(text) == "" {
		return "", errors.New("there is no text to send")
	}
	if pane, err = Reach(ctx, a); err != nil {
		return "", err
	}
	if err := leaveModes(ctx, pane); err != nil {
		return "", err
	}
	buffer := fmt.Sprintf("choicetui-%d-%d", os.Getpid(), buffers.Add(1)) // buffers belong to the whole server
	if _, err := feed(ctx, endMention(text), "load-buffer", "-b", buffer, "-"); err != nil {
		return "", err
	}
	if _, err := run(ctx, "paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", pane); err != nil {
		forget(ctx, buffer)
		if errors.Is(err, ErrNoPane) {
			return "", err
		}
		return pane, &queue.Doubt{Err: err}
	}
	select {
	case <-time.After(settle):
	case <-ctx.Done():
	}
	again, err := Reach(ctx, a) // Enter must not go to a shell the agent has just left behind
	if err == nil && again != pane {
		err = ErrGone
	}
	if err != nil {
		return pane, &queue.Doubt{Err: fmt.Errorf("pasted, but Enter was not pressed: %w", err)}
	}
	if _, err := run(ctx, "send-keys", "-t", pane, "Enter"); err != nil {
		return pane, &queue.Doubt{Err: fmt.Errorf("pasted, but Enter was not pressed: %w", err)}
	}
	return pane, nil
}

var buffers atomic.Int64

// forget removes a buffer that was not pasted, also when the caller's time is up: it holds the person's words.
func forget(ctx context.Context, buffer string) {
	_, _ = run(context.WithoutCancel(ctx), "delete-buffer", "-b", buffer)
}

// endMention puts a space behind a text that ends in an @word: agents offer files for such a word while it is the last
// one, and Enter would pick one of them instead of sending the line.
func endMention(text string) string {
	if last := text[strings.LastIndexAny(text, " \t\n")+1:]; strings.HasPrefix(last, "@") {
		return text + " "
	}
	return text
}

// leaveModes ends copy mode: a paste into it arrives unframed, and keys do not arrive at all.
func leaveModes(ctx context.Context, pane string) error {
	for range modes {
		in, err := display(ctx, pane, "#{pane_in_mode}")
		if err != nil {
			return err
		}
		if in == "0" {
			return nil
		}
		if _, err := run(ctx, "send-keys", "-t", pane, "-X", "cancel"); err != nil {
			break
		}
	}
	return &Busy{With: "a mode of tmux"}
}

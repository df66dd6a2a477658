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
	// pasteSettles is the time that an agent gets to process a paste before Enter. An Enter right after the paste would
	// be swallowed.
	pasteSettles = 100 * time.Millisecond
	// mostModes limits the nested modes of tmux, such as copy mode in view mode, that are ended before a paste.
	mostModes = 4
)

// Busy says that another program than the agent reads the keys in its pane.
type Busy struct{ With string }

func (b *Busy) Error() string { return b.With + " is in front in its pane" }

// Reach returns the pane in which the agent would read a line typed now, and changes nothing. It fails with ErrOutside,
// ErrNoPane, ErrGone, *Shared or *Busy. For an agent below a server that takes lines itself it always fails.
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
	if home.server.TakesLines {
		return "", &Shared{By: home.server.Kind}
	}
	if home.id == Pane() {
		return "", &Busy{With: "choicetui"}
	}
	if home.synced {
		return "", &Busy{With: "synchronize-panes, which types into the other panes too,"}
	}
	return home.id, checkFront(table, home.first, home.reader, argumentReader(ctx))
}

// Paste types a line into the agent's pane, as one bracketed paste, and presses Enter. It removes control characters
// except line breaks and tabs, and leaves copy mode first. Before the paste it fails like Reach; after that with
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
	if _, err := runWithInput(ctx, endMention(text), "load-buffer", "-b", buffer, "-"); err != nil {
		return "", err
	}
	if _, err := runTmux(ctx, "paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", pane); err != nil {
		deleteBuffer(ctx, buffer)
		if errors.Is(err, ErrNoPane) {
			return "", err
		}
		return pane, &queue.Doubt{Err: err}
	}
	select {
	case <-time.After(pasteSettles):
	case <-ctx.Done():
	}
	again, err := Reach(ctx, a) // the agent may have ended, and Enter must not reach a shell
	if err == nil && again != pane {
		err = ErrGone
	}
	if err != nil {
		return pane, &queue.Doubt{Err: fmt.Errorf("pasted, but Enter was not pressed: %w", err)}
	}
	if _, err := runTmux(ctx, "send-keys", "-t", pane, "Enter"); err != nil {
		return pane, &queue.Doubt{Err: fmt.Errorf("pasted, but Enter was not pressed: %w", err)}
	}
	return pane, nil
}

// buffers counts the buffers of this process, for their names.
var buffers atomic.Int64

// deleteBuffer deletes a buffer that was not pasted, because it contains the person's words. It works even if ctx has
// ended.
func deleteBuffer(ctx context.Context, buffer string) {
	_, _ = runTmux(context.WithoutCancel(ctx), "delete-buffer", "-b", buffer)
}

// endMention adds a space after a text that ends in an @word: agents offer files for such a word at the end, and Enter
// would pick a file instead of sending the line.
func endMention(text string) string {
	if last := text[strings.LastIndexAny(text, " \t\n")+1:]; strings.HasPrefix(last, "@") {
		return text + " "
	}
	return text
}

// leaveModes ends copy mode. In that mode a paste arrives without its brackets, and keys do not arrive at all.
func leaveModes(ctx context.Context, pane string) error {
	for range mostModes {
		in, err := expandFormat(ctx, pane, "#{pane_in_mode}")
		if err != nil {
			return err
		}
		if in == "0" {
			return nil
		}
		if _, err := runTmux(ctx, "send-keys", "-t", pane, "-X", "cancel"); err != nil {
			break
		}
	}
	return &Busy{With: "a mode of tmux"}
}

// Copy puts text into a buffer of tmux, which a person pastes with prefix ], and asks the terminal around tmux to take
// it into the clipboard too. asked is false if that terminal is not known to support that, or tmux is older than 3.2. A
// program inside tmux cannot ask the terminal itself: by default (set-clipboard external) tmux drops OSC 52.
func Copy(ctx context.Context, text string) (asked bool, err error) {
	if client := clipboardClient(ctx); client != "" {
		if _, err := runWithInput(ctx, text, "load-buffer", "-w", "-t", client, "-"); err == nil {
			return true, nil
		}
	}
	_, err = runWithInput(ctx, text, "load-buffer", "-")
	return false, err
}

// clipboardClient returns the name of the client that shows this process's session, if its terminal can set the
// clipboard; else "". If there are several clients, it considers the one that was used last.
func clipboardClient(ctx context.Context) string {
	args := []string{"list-clients", "-F", "#{client_activity} #{client_name} #{client_termfeatures}"}
	if pane := Pane(); pane != "" {
		args = append(args, "-t", pane)
	}
	list, err := runTmux(ctx, args...)
	if err != nil {
		return ""
	}
	last, name := -1, ""
	for line := range strings.Lines(list) {
		f := append(strings.Fields(line), "", "", "")
		at := number(f[0])
		if at < last {
			continue
		}
		if last, name = at, ""; strings.Contains(f[2], "clipboard") {
			name = f[1]
		}
	}
	return name
}

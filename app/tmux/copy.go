package tmux

import (
	"context"
	"strings"
)

// Copy puts text into a buffer of tmux, which a person pastes with prefix ], and asks the terminal around tmux to take
// it into the clipboard too. asked is false if that terminal is not known to do so, and in a tmux before 3.2, which
// cannot ask. A program inside tmux cannot ask the terminal itself: by default (set-clipboard external) tmux drops
// OSC 52.
func Copy(ctx context.Context, text string) (asked bool, err error) {
	if client := clipboard(ctx); client != "" {
		if _, err := feed(ctx, text, "load-buffer", "-w", "-t", client, "-"); err == nil {
			return true, nil
		}
	}
	_, err = feed(ctx, text, "load-buffer", "-")
	return false, err
}

// clipboard returns the client that shows this process's session, if its terminal can set the clipboard, else "". Of
// several clients it is the one used last.
func clipboard(ctx context.Context) string {
	args := []string{"list-clients", "-F", "#{client_activity} #{client_name} #{client_termfeatures}"}
	if pane := Pane(); pane != "" {
		args = append(args, "-t", pane)
	}
	list, err := run(ctx, args...)
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

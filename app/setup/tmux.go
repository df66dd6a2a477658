package setup

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// tmuxMark is the line above those that setup adds to tmux's settings file. They are removed together.
const tmuxMark = "# choicetui: one key answers the oldest question (choicetui setup --remove tmux)"

// TmuxAgent names tmux among the arguments of setup, and in the names of copies.
const TmuxAgent = "tmux"

var (
	tmuxKey     = regexp.MustCompile(`^[A-Za-z0-9]$|^([CMS]-)+[A-Za-z0-9]$|^F([1-9]|1[0-2])$`)
	plainPath   = regexp.MustCompile(`^[A-Za-z0-9_./+@-]+$`)
	tmuxVersion = regexp.MustCompile(`([0-9]+)\.([0-9]+)`)
	bindLine    = regexp.MustCompile(`^\s*bind(?:-key)?\s+((?:-[a-zA-Z]+\s+)*)(\S+)`)
)

// focusArgs is the tmux command that has tmux report which pane has the focus. From that choicetui knows that a person
// who types has come to its pane (docs/design.md section 6).
var focusArgs = []string{"set-option", "-g", "focus-events", "on"}

// TmuxKey is the key that opens the popup, and the file that binds it.
type TmuxKey struct {
	Key  string
	File File
	args []string // the tmux command that binds the key
}

// PlanTmux works out how a key is bound in the settings file that tmux reads. It fails if the key is not a key's name
// or choicetui's path would need quotes in tmux.
func (h Host) PlanTmux(key string) (TmuxKey, error) {
	t := TmuxKey{Key: key}
	if !tmuxKey.MatchString(key) {
		return t, fmt.Errorf("the key %q cannot be used; choose a letter or digit, alone or after C-, M- or S-, "+
			"or F1 to F12", key)
	}
	if !plainPath.MatchString(h.Program) {
		return t, fmt.Errorf("tmux cannot start choicetui from %q: "+
			"move it to a path without spaces or special characters", h.Program)
	}
	path := filepath.Join(h.Home, ".tmux.conf")
	file, err := ReadFile(path)
	if err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	if other := filepath.Join(h.Config, "tmux", "tmux.conf"); !file.Exists {
		if at, err := ReadFile(other); err == nil && at.Exists {
			file = at
		}
	}
	// A popup that is larger than the client does not open, and below 30x10 nothing fits into it.
	popup := "display-popup -E -w #{?#{e|<:#{client_width},80},100%,90%}" +
		" -h #{?#{e|<:#{client_height},24},100%,90%} '" + h.Program + " popup --window #{window_id}'"
	t.File, t.args = file, []string{"bind-key", key, "run-shell", "-C", popup}
	return t, nil
}

// Lines returns the lines that bind the key and have tmux report the focus.
func (t TmuxKey) Lines() string {
	return strings.Join(t.args[:4], " ") + ` "` + t.args[4] + "\"\n" + strings.Join(focusArgs, " ")
}

// After returns the file's text with the key bound, and without an earlier line of setup.
func (t TmuxKey) After() []byte {
	text := t.Without()
	block := tmuxMark + "\n" + t.Lines()
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		return append(text, "\n"+block...) // without a last line break, so that Without restores the text
	}
	return append(text, block+"\n"...)
}

// Without returns the file's text without what setup added.
func (t TmuxKey) Without() []byte {
	text := slices.Clone(t.File.Text)
	at := bytes.Index(text, []byte(tmuxMark+"\n"))
	if at < 0 || at > 0 && text[at-1] != '\n' {
		return text
	}
	end := at + len(tmuxMark) + 1
	if !bytes.HasPrefix(text[end:], []byte("bind-key ")) {
		return text
	}
	own, focus := 0, strings.Join(focusArgs, " ")
	for line := range bytes.Lines(text[end:]) {
		if own > 0 && string(bytes.TrimSuffix(line, []byte("\n"))) != focus {
			break
		}
		if own += len(line); own > len(line) { // the line of the key, and that of the focus
			break
		}
	}
	if text[end+own-1] == '\n' {
		return slices.Delete(text, at, end+own)
	}
	return text[:max(at-1, 0)] // After wrote the line break before the lines, and none behind them
}

// BoundKey returns the key that setup bound in the file; empty: it bound none.
func (t TmuxKey) BoundKey() string {
	_, rest, _ := bytes.Cut(t.File.Text, []byte(tmuxMark+"\nbind-key "))
	key, _, _ := strings.Cut(string(rest), " ")
	return key
}

// Taken returns what the key does now in the running tmux, else the line that binds it in the file; empty: the key is
// free, as far as is known.
func (h Host) Taken(ctx context.Context, t TmuxKey) string {
	if said, err := h.Run(ctx, h.Home, []string{"tmux", "list-keys", "-T", "prefix", t.Key}); err == nil {
		if said = strings.TrimSpace(said); said != "" && !strings.Contains(said, " popup --window ") {
			return said
		}
	}
	for line := range strings.Lines(string(t.Without())) {
		m := bindLine.FindStringSubmatch(line)
		if m != nil && m[2] == t.Key && !strings.ContainsAny(m[1], "nT") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// TmuxTooOld returns the version of the tmux on this machine if it is too old to have popups, which came with 3.2;
// empty: it is new enough. The error says that tmux could not be run.
func (h Host) TmuxTooOld(ctx context.Context) (string, error) {
	said, err := h.Run(ctx, h.Home, []string{"tmux", "-V"})
	if err != nil {
		return "", err
	}
	m := tmuxVersion.FindStringSubmatch(said)
	if m == nil {
		return "", nil // built from the sources: "tmux master"
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	if major < 3 || major == 3 && minor < 2 {
		return strings.TrimSpace(said), nil
	}
	return "", nil
}

// BindTmux writes the lines, and carries them out in the running tmux. running reports whether a tmux took it.
func (h Host) BindTmux(ctx context.Context, b *Backups, t TmuxKey) (running bool, err error) {
	old, after := t.BoundKey(), t.After()
	forget, err := b.keep(TmuxAgent, t.File, after)
	if err != nil {
		return false, err
	}
	made, err := t.File.write(after)
	if err != nil {
		forget()
		return false, err
	}
	err = b.wrote(t.File.Path, after, made)
	if old != "" && old != t.Key {
		h.unbind(ctx, old)
	}
	_, failed := h.Run(ctx, h.Home, slices.Concat([]string{"tmux"}, t.args, []string{";"}, focusArgs))
	return failed == nil, err
}

// UnbindTmux removes the lines from the file, removes the file if setup made it, and frees the key in the running tmux.
// That one goes on reporting the focus until it ends, because something else may have switched that on.
func (h Host) UnbindTmux(ctx context.Context, b *Backups, t TmuxKey) error {
	was := b.of(t.File.Path)
	var err error
	if after := t.Without(); len(after) == 0 && was.Path != "" && !was.Existed {
		err = t.File.removeFile(was.Made)
	} else {
		_, err = t.File.write(after)
	}
	if err != nil {
		return err
	}
	h.unbind(ctx, t.BoundKey())
	return b.restored(t.File.Path)
}

// unbind frees a key in the running tmux, if it still opens the popup there.
func (h Host) unbind(ctx context.Context, key string) {
	said, err := h.Run(ctx, h.Home, []string{"tmux", "list-keys", "-T", "prefix", key})
	if err == nil && strings.Contains(said, " popup --window ") {
		_, _ = h.Run(ctx, h.Home, []string{"tmux", "unbind-key", key})
	}
}

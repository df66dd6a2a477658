package setup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// commandWithin limits how long an agent's own command may run.
const commandWithin = time.Minute

// Apply carries out a plan. said holds lines about steps that went differently than planned; left lists the files that
// were not changed.
func (h Host) Apply(ctx context.Context, b *Backups, p Plan) (said []string, left []Left) {
	left = append(left, p.Left...)
	for _, e := range p.Edits {
		words, err := h.writeEdit(ctx, b, p, e)
		if words != "" {
			said = append(said, words)
		}
		if err != nil {
			left = append(left, Left{e.File.Path, err})
		}
	}
	return said, left
}

// writeEdit changes one file after its text was copied. If that is not possible, the file is not changed.
func (h Host) writeEdit(ctx context.Context, b *Backups, p Plan, e Edit) (said string, err error) {
	forget, err := b.keep(p.Client.ID, e.File, e.After)
	if err != nil {
		return "", err
	}
	if !e.byAgent() {
		made, err := e.File.write(e.After)
		if err != nil {
			forget()
			return "", err
		}
		return "", b.wrote(e.File.Path, e.After, made)
	}
	if len(p.Command) > 0 {
		said, err = h.runAdd(ctx, p, e)
	}
	if err == nil {
		err = h.tellAgent(ctx, p.Client, e.target)
	}
	now, unread := ReadFile(e.File.Path)
	switch {
	case unread != nil:
		return said, unread
	case bytes.Equal(now.Text, e.File.Text):
		forget()
		return said, err
	}
	return said, cmp.Or(err, b.wrote(e.File.Path, now.Text, ""))
}

// runAdd runs the agent's own command that adds the server, and says what went wrong. If the command breaks the file,
// the old text is restored.
func (h Host) runAdd(ctx context.Context, p Plan, e Edit) (said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	out, failed := h.Run(ctx, h.Home, p.Command)
	now, err := ReadFile(e.File.Path)
	switch {
	case err != nil:
		return "", err
	case !hasServer(now.Text, e.target):
		said = fmt.Sprintf("“%s” failed, so “%s” is told: %s", commandText(p.Command),
			commandText(p.Client.Writer.Command), reasonIn(out, failed))
	case failed != nil:
		said = fmt.Sprintf("“%s” wrote its entry and then failed: %s", commandText(p.Command), reasonIn(out, failed))
	}
	if _, broken := decode(e.target.Format, now.Text); broken != nil {
		_, err = now.write(e.File.Text)
		said += "; it left the file broken, so the old text was restored"
	}
	return said, err
}

// commandText returns a command in one line.
func commandText(command []string) string { return strings.Join(command, " ") }

var (
	// escapes matches the sequences with which a program colours its lines or names the window.
	escapes = regexp.MustCompile("\x1b(\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(\x07|\x1b\\\\))")
	// errorLines match a line that begins with a word such as Error or TypeError, else one that has such a word.
	errorLines = []*regexp.Regexp{
		regexp.MustCompile(`(?im)^\W*\w*error\b.*$`),
		regexp.MustCompile(`(?im)^.*error\b.*$`),
	}
)

// reasonIn returns the line in which a command that failed says why: the first that says Error, else the first. Without
// any line it says how the command ended.
func reasonIn(out string, err error) string {
	out = strings.TrimSpace(escapes.ReplaceAllString(out, ""))
	for _, l := range errorLines {
		if line := strings.TrimSpace(l.FindString(out)); line != "" {
			return line
		}
	}
	if first, _, _ := strings.Cut(out, "\n"); first != "" {
		return strings.TrimSpace(first)
	}
	if err != nil {
		return err.Error()
	}
	return "it printed nothing"
}

// tellAgent asks the agent to add to a file that only the agent writes what the file still lacks.
func (h Host) tellAgent(ctx context.Context, c agent.Client, t agent.Target) error {
	e, _, err := h.planEdit(t)
	if err != nil || !e.changes() {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	var values []agent.Value
	for _, s := range e.steps {
		values = append(values, agent.Value{Path: s.path, Raw: json.RawMessage(s.raw)})
	}
	said, failed := h.Ask(ctx, h.Home, c.Writer.Command, c.Writer.Method, c.Writer.Params(values))
	if rest, _, err := h.planEdit(t); err != nil || rest.changes() {
		said = reasonIn(said, failed)
		return fmt.Errorf("“%s” did not change it (%s): %w", commandText(c.Writer.Command), said, byHand(c, rest))
	}
	return nil
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// beforeReader finds out what agents were doing when they asked.
type beforeReader struct{ settings func() config.Settings }

// lookBefore returns what an agent was doing when it asked: its turn, read from its own transcript if the session is
// known for certain, else what its pane shows. pane is nil outside tmux.
func (r beforeReader) lookBefore(pane peek.Look) peek.Look {
	return func(ctx context.Context, s queue.Session, last peek.Shot) (peek.Shot, error) {
		version := last.Mark
		if last.Sought != "" || last.Pane != "" { // then the mark is the pane's, not a transcript's
			version = last.Sought
		}
		found, version, err := r.read(ctx, s, version)
		switch {
		case errors.Is(err, errUnchanged):
			return last, nil
		case err == nil:
			return peek.Shot{Where: found.Where, Mark: version, Lines: found.Lines, Awaits: found.Awaits}, nil
		case !errors.Is(err, transcript.ErrNoSource):
			return peek.Shot{}, err
		}
		shot := peek.Shot{Where: found.Where, Lines: found.Lines}
		err = nil
		if pane != nil && !last.NoPane {
			shot, err = pane(ctx, s, last)
		}
		// An error of the pane is no reason to leave the transcript, which may be written a moment later.
		shot.Awaits, shot.Sought, shot.NoPane = found.Awaits, version, last.NoPane || err != nil
		return shot, err
	}
}

// now returns what an agent was doing when it asked, without looking into its pane. Its errors are words for the
// person.
func (r beforeReader) now(ctx context.Context, s queue.Session) (say.Before, error) {
	if !r.settings().Peek {
		return say.Before{}, errors.New(say.BeforeOff)
	}
	found, _, err := r.read(ctx, s, "")
	switch {
	case errors.Is(err, transcript.ErrNoSource) && len(found.Lines) > 0:
		err = nil
	case errors.Is(err, transcript.ErrNoSource):
		err = say.ErrBeforeUnknown
	}
	return found, err
}

// errUnchanged says that nothing has changed since the last read.
var errUnchanged = errors.New("nothing has changed")

// read returns what an agent was doing when it asked. version identifies what was found. The error is errUnchanged if
// last is still the version, and transcript.ErrNoSource if no transcript is known for certain; then found has what the
// request itself tells.
func (r beforeReader) read(
	ctx context.Context, s queue.Session, last string,
) (found say.Before, version string, err error) {
	if host := otherHost(s.Origin); host != "" {
		return found, "", errors.New(say.BeforeElsewhere(host))
	}
	var turn transcript.Turn
	w, known := r.transcriptOf(s)
	if err = transcript.ErrNoSource; known {
		turn, version, err = transcript.Read(ctx, w, last)
	}
	if err == nil && last != "" && version == last {
		return found, version, errUnchanged
	}
	lines := turnLines(turn, s.Ask.Approval, s.Origin.Cwd)
	// What precedes a call is written down before it. Of a session whose call is not named, it may still be missing.
	awaits := known && (err != nil || w.CallID == "" && len(turn.Words) == 0)
	found = say.Before{Where: turn.Source, Lines: lines, Awaits: awaits}
	if len(lines) > 0 {
		found.Where = cmp.Or(turn.Source, "the request")
	}
	if err == nil && len(lines) == 0 {
		err = transcript.ErrNoSource
	}
	return found, version, err
}

// transcriptOf returns what is known about the transcript of the session that asks. ok is false if it may be another
// session's, or if that session has continued since.
func (r beforeReader) transcriptOf(s queue.Session) (w transcript.Where, ok bool) {
	o := s.Origin
	a := agents.Of(o.ClientName())
	w = r.sessionsOf(a)
	w.Dir = o.Cwd
	if a.Sessions.Ask != nil {
		w.Ask = func(ctx context.Context) ([]byte, error) { return a.Sessions.Ask(ctx, config.RunDir(), o) }
	}
	if o.ToolUse != "" {
		w.CallID = o.ToolUse
		return w, true
	}
	w.SessionID = o.Thread
	if o.Subagent != "" && a.Sessions.Subagent != nil {
		w.Subagent = a.Sessions.Subagent(o)
	}
	if o.Native() && a.Sessions.OwnCall != nil && a.Sessions.OwnCall(o.CallID) {
		w.CallID = o.CallID
	}
	return w, s.Outcome == nil && o.Thread != "" && (o.Subagent == "" || w.Subagent != "")
}

// sessionsOf returns where an agent keeps its sessions.
func (r beforeReader) sessionsOf(a agent.Agent) transcript.Where {
	w := transcript.Where{Reader: a.Sessions.Reader, Home: config.Home()}
	if a.Sessions.Homes != nil {
		w.Homes = a.Sessions.Homes()
	}
	return w
}

// turnLines returns a turn as lines: the agent's plan, all that it did in the turn, with diffs, the place of what it
// wants to do, its words, and a line that sums the turn up. The frontends first show the end of these lines, so the
// most useful ones come last. An approval's own command is shown only with the question, and never here.
func turnLines(t transcript.Turn, a *queue.Approval, dir string) []say.BeforeLine {
	var lines beforeLines
	for i, step := range t.Plan {
		sign := map[transcript.StepState]string{
			transcript.Open: "·", transcript.Current: "▸", transcript.Done: "✓"}[step.State]
		lines.addText(fmt.Sprintf("%s %d. %s", sign, i+1, say.OneLine(step.Text)))
	}
	if len(t.Acts) > 0 {
		lines.addBlank()
	}
	for _, act := range t.Acts {
		lines.addText(actText(act, dir))
		lines.addDiff(act.Diff)
	}
	if a != nil {
		lines.addWanted(a, dir)
	}
	if len(t.Words) > 0 {
		lines.addBlank()
	}
	for i, words := range t.Words {
		if words = strings.TrimSpace(words); i == len(t.Words)-1 {
			words = "“" + words + "”"
		}
		lines.addText(words)
	}
	lines.addText(summedUp(t, dir))
	return lines
}

// beforeLines collects the lines about what an agent was doing.
type beforeLines []say.BeforeLine

// addText adds the lines of a text.
func (l *beforeLines) addText(text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		*l = append(*l, say.NewBeforeLine(strings.TrimSuffix(line, "\n"), 0))
	}
}

// addDiff adds the lines of a diff, each with its sign.
func (l *beforeLines) addDiff(diff string) {
	for line := range strings.Lines(strings.TrimSuffix(diff, "\n")) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			*l = append(*l, say.NewBeforeLine(line, line[0]))
		}
	}
}

// addBlank adds a blank line, unless it would be the first.
func (l *beforeLines) addBlank() {
	if len(*l) > 0 {
		*l = append(*l, say.BeforeLine{})
	}
}

// addWanted adds what an approval would change in files, with the lines around each change, and where its command would
// run if that is not dir, the directory of its agent.
func (l *beforeLines) addWanted(a *queue.Approval, dir string) {
	for _, p := range a.Parts {
		path := p.Label
		if !filepath.IsAbs(path) {
			path = filepath.Join(a.Dir, path)
		}
		if p.Kind != queue.PartDiff || path == "" {
			continue
		}
		if diff, ok := transcript.Around(path, p.Text); ok {
			l.addBlank()
			name, _ := queue.ShownName(inDir(path, a.Dir))
			l.addText("what it wants to change in " + name + ", with the lines around it:")
			l.addDiff(queue.ShownChange(diff).Text)
		}
	}
	if where := placeOfCommand(a, dir); where != "" {
		l.addBlank()
		l.addText(where)
	}
}

// placeOfCommand returns where the command of an approval would run; empty: it is about something else, or the command
// runs in the directory of its agent, which the question's heading names.
func placeOfCommand(a *queue.Approval, agents string) string {
	isCommand := func(p queue.Part) bool { return p.Kind == queue.PartCommand }
	if a.Dir == "" || a.Dir == agents || !slices.ContainsFunc(a.Parts, isCommand) {
		return ""
	}
	_, dir := a.Shown()
	where := "the command would run in " + say.Tilde(dir, config.Home())
	if branch := call.Branch(a.Dir); branch != "" {
		where += ", on the branch " + say.OneLine(branch)
	}
	return where
}

// mostSummed is the most acts in the line that sums up a turn.
const mostSummed = 2

// summedUp returns the newest commands and changes of a turn and the current step of its plan in one line.
func summedUp(t transcript.Turn, dir string) string {
	var parts []string
	for _, act := range t.Acts {
		if act.Kind == transcript.Command || act.Kind == transcript.Edit {
			parts = append(parts, say.Short(actText(act, dir), 40))
		}
	}
	parts = parts[max(len(parts)-mostSummed, 0):]
	for i, step := range t.Plan {
		if step.State == transcript.Current {
			parts = append(parts, fmt.Sprintf("▸ plan %d of %d: %s", i+1, len(t.Plan), say.Short(step.Text, 30)))
		}
	}
	return strings.Join(parts, "   ")
}

// actText returns an act in one line: a command with how it ended, or a file with the lines that changed.
func actText(act transcript.Act, dir string) string {
	words := say.Short(act.Text, 200)
	switch {
	case act.Kind == transcript.ReadFile:
		words = "read " + inDir(words, dir)
	case act.Kind == transcript.Edit:
		words = inDir(words, dir)
	}
	switch {
	case act.Kind == transcript.Edit && !act.Failed && act.Added+act.Removed > 0:
		return fmt.Sprintf("✎ %s +%d −%d", words, act.Added, act.Removed)
	case act.Kind == transcript.Edit && !act.Failed:
		return "✎ " + words
	case act.Exit != nil && *act.Exit != 0:
		return fmt.Sprintf("✗ %s (exit %d)", words, *act.Exit)
	case act.Failed:
		return "✗ " + words
	}
	return "✓ " + words
}

// inDir returns a path relative to a directory that it is in.
func inDir(path, dir string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsAbs(path) && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

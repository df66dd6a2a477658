package setup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// Removal describes what would be undone for one agent, the last step first.
type Removal struct {
	Client agent.Client
	Steps  []Undoing
	Left   []Left
	Before []string // the command of the entry from before the first set-up, which is restored; empty: there was none
	Server bool     // set-up added the agent's entry for choicetui, so after the removal none may be left
}

// HasCopies reports whether there are copies of the files from before set-up.
func (r Removal) HasCopies() bool {
	return slices.ContainsFunc(r.Steps, func(u Undoing) bool { return u.note.Backup != "" })
}

// NetSteps returns the steps with those that write the same file taken together, for showing them.
func (r Removal) NetSteps() (net []Undoing) {
	for _, u := range r.Steps {
		at := slices.IndexFunc(net, func(n Undoing) bool { return !n.Runs() && n.File.Path == u.File.Path })
		if u.Runs() || at < 0 {
			net = append(net, u)
			continue
		}
		net[at].After, net[at].Goes = u.After, u.Goes
	}
	return net
}

// Undoing is one step of a removal: a command of the agent's own, or a file that gets its old text back.
type Undoing struct {
	Command []string
	File    File
	After   []byte // the new text of the file; empty if the file is removed
	Goes    bool   // whether the file is removed, because set-up made it
	note    doneStep
}

// Runs reports whether the step runs a command.
func (u Undoing) Runs() bool { return len(u.Command) > 0 }

// Removals returns the steps that would now undo what was done for these agents; without ids, for all agents. It
// changes nothing. Each step starts from the files as the steps before it leave them, also if two agents share a file,
// as the versions of opencode do. The agent that was set up last comes first.
func (h Host) Removals(j *Journal, ids []string) (all []Removal) {
	clients, texts := agents.Clients(h.Program), map[string]File{}
	slices.SortStableFunc(clients, func(a, b agent.Client) int { return cmp.Compare(j.lastOf(b), j.lastOf(a)) })
	for _, c := range clients {
		c = c.WithGate(h.Program).WithNative(h.Program) // to find every hook that may be there
		if len(ids) > 0 && !slices.Contains(ids, c.ID) {
			continue
		}
		r, stuck := Removal{Client: c}, map[string]bool{}
		for _, d := range slices.Backward(j.done) {
			if d.Agent != c.ID || stuck[d.Path] {
				continue
			}
			step, err := h.planUndo(d, c, texts)
			if err != nil {
				r.Left = append(r.Left, Left{d.Path, err})
				stuck[d.Path] = true // an earlier step of this file cannot be undone before this one
				continue
			}
			r.Steps = append(r.Steps, step)
			if d.Target < 0 { // the steps are read backwards, so the oldest one remains
				r.Before, r.Server = d.entryBefore(c), true
			}
		}
		if len(r.Steps)+len(r.Left) > 0 {
			all = append(all, r)
		}
	}
	return all
}

// lastOf returns the index of the last step that was done for an agent; -1 if there is none.
func (j *Journal) lastOf(c agent.Client) int {
	for i, d := range slices.Backward(j.done) {
		if d.Agent == c.ID {
			return i
		}
	}
	return -1
}

// planUndo works out how to undo one step. texts holds the files as the steps so far leave them.
func (h Host) planUndo(d doneStep, c agent.Client, texts map[string]File) (undoing Undoing, err error) {
	f, seen := texts[d.Path]
	if !seen {
		if f, err = ReadFile(d.Path); err != nil {
			return undoing, err
		}
	}
	undoing = Undoing{File: f, After: f.Text, note: d}
	canRun := false                                      // the agent's own command can undo the step
	if len(c.Remove) > 0 && d.Path == h.path(c.Server) { // else the command would change another file
		_, missing := h.Find(c.Remove[0])
		canRun = missing == nil
	}
	if canRun && len(d.Remove) > 0 {
		if hasServer(f.Text, c.Server) {
			undoing.Command, undoing.After = d.Remove, nil
		}
		return undoing, nil
	}
	switch undoing.After, undoing.Goes, err = d.textWithout(c, f); {
	case errors.Is(err, errChanged) && canRun: // the agent's command removes what setup cannot
		undoing.Command = c.Remove
	case err != nil: // neither setup nor the agent's command can undo it
		return undoing, d.withoutItsProgram(err)
	default:
		f.Text, f.Exists = undoing.After, !undoing.Goes
		texts[d.Path] = f
	}
	return undoing, nil
}

// withoutItsProgram adds to an error which command would undo the step if its program existed.
func (d doneStep) withoutItsProgram(err error) error {
	if len(d.Remove) == 0 {
		return err
	}
	words := fmt.Sprintf("the program %s is gone, so “%s” cannot run; what it added is still here. ",
		d.Remove[0], commandText(d.Remove))
	var at *Unfit
	if errors.As(err, &at) {
		return &Unfit{at.Line, at.Column, words + at.Why}
	}
	return fmt.Errorf("%s%w", words, err)
}

// errChanged means that somebody changed an entry after setup added it, in a file that is not JSON. Only in JSON can
// setup remove a changed entry; in other files it removes just the exact text that it added.
var errChanged = errors.New("was changed after choicetui added it; take it out by hand")

// textWithout returns a file's text without what the step wrote there. An unchanged file gets its old text back, byte
// for byte. Otherwise the added piece is removed if it is still there as it was. goes reports whether the file is to be
// removed.
func (d doneStep) textWithout(c agent.Client, f File) (text []byte, goes bool, err error) {
	if textSum(f.Text) == d.After {
		if !d.Existed {
			return nil, true, nil
		}
		text, err := d.textKept()
		return text, false, err
	}
	if !f.Exists {
		return nil, true, nil
	}
	t := targetOf(c, d)
	if t.Whole != "" {
		if !isWholly(f.Text) {
			return f.Text, false, nil // the person has replaced the file
		}
		return nil, false, &Unfit{1, 1, "this file was changed after choicetui added it; delete it yourself"}
	}
	doc, err := decode(t.Format, f.Text)
	if err != nil {
		return nil, false, err
	}
	if !slices.ContainsFunc(t.Sets, func(s agent.Setting) bool { return holdsSetting(doc, s) }) {
		return f.Text, false, nil // the person took it out already
	}
	if len(d.New) > 0 && bytes.Count(f.Text, []byte(d.New)) == 1 {
		text = bytes.Replace(f.Text, []byte(d.New), []byte(d.Old), 1)
		if _, err := decode(t.Format, text); err == nil {
			return text, false, nil
		}
	}
	if t.Format != agent.JSON {
		return nil, false, fmt.Errorf("%s %w", strings.Join(t.Sets[0].Path, "."), errChanged)
	}
	text, err = patchText(f.Text, removingSteps(doc, t.Sets))
	return text, false, err
}

// textKept returns the text of the file before the step, from its copy; nil: there was no file.
func (d doneStep) textKept() ([]byte, error) {
	if d.Backup == "" {
		return nil, nil
	}
	text, err := os.ReadFile(d.Backup)
	if err != nil {
		return nil, fmt.Errorf("its backup cannot be read: %w", err)
	}
	if textSum(text) != d.Before {
		return nil, errors.New("its backup was changed; take choicetui out by hand")
	}
	return text, nil
}

// targetOf returns the target that a step wrote.
func targetOf(c agent.Client, d doneStep) agent.Target {
	if d.Target < len(c.Also) && d.Target >= 0 {
		return c.Also[d.Target]
	}
	return c.Server
}

// entryBefore returns the command that started choicetui in the file before a step; empty: there was no such entry.
func (d doneStep) entryBefore(c agent.Client) []string {
	text, err := d.textKept()
	if err != nil {
		return nil
	}
	entry, _ := serverIn(text, c.Server)
	if !startsOurs(entry) {
		return nil
	}
	return Command(entry)
}

// Undo carries out the steps of a removal and removes them from the journal. left reports an entry that still starts
// choicetui afterwards, unless the person had put it in.
func (h Host) Undo(ctx context.Context, j *Journal, r Removal) (left []Left) {
	for _, u := range r.Steps {
		if err := h.undoStep(ctx, u, r.Client); err != nil {
			return append(left, Left{u.note.Path, err})
		}
		at := slices.IndexFunc(j.done, func(d doneStep) bool { return reflect.DeepEqual(d, u.note) })
		if at < 0 {
			continue
		}
		if err := j.forgetUndone(at); err != nil {
			return append(left, Left{u.note.Path, err})
		}
	}
	if !r.Server || len(r.Before)+len(r.Left) > 0 {
		return append(left, r.Left...)
	}
	return append(left, h.stillThere(r.Client)...)
}

// stillThere reports an entry that still starts choicetui although it was removed.
func (h Host) stillThere(c agent.Client) []Left {
	path := h.path(c.Server)
	f, err := ReadFile(path)
	if err != nil {
		return []Left{{path, err}}
	}
	if entry, _ := serverIn(f.Text, c.Server); startsOurs(entry) {
		at := c.Server.Sets[0].Path
		return []Left{{path, unfitIn(c.Server.Format, f.Text, at,
			strings.Join(at, ".")+" still starts choicetui: take it out by hand")}}
	}
	return nil
}

// undoStep carries out one step of a removal. It fails with ErrChanged if the file has changed since the step was
// planned.
func (h Host) undoStep(ctx context.Context, u Undoing, c agent.Client) error {
	if u.Runs() {
		return h.runRemove(ctx, u, c)
	}
	now, err := ReadFile(u.File.Path)
	switch {
	case err != nil:
		return err
	case now.Exists && !bytes.Equal(now.Text, u.File.Text):
		return ErrChanged
	case !now.Exists:
		return nil
	case u.Goes:
		return now.removeFile(u.note.Made)
	case bytes.Equal(now.Text, u.After):
		return nil
	}
	_, err = now.write(u.After)
	return err
}

// runRemove runs the agent's own command that removes the server. Such a command changes the layout of the file. So a
// file that nobody else has changed gets its old text back, if both texts mean the same.
func (h Host) runRemove(ctx context.Context, u Undoing, c agent.Client) error {
	t, d := c.Server, u.note
	before, err := ReadFile(d.Path)
	if err != nil {
		return err
	}
	if !hasServer(before.Text, t) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	out, failed := h.Run(ctx, h.Home, u.Command)
	now, err := ReadFile(d.Path)
	if err != nil {
		return err
	}
	if failed != nil || hasServer(now.Text, t) {
		return fmt.Errorf("“%s” failed to remove it: %s", commandText(u.Command), reasonIn(out, failed))
	}
	if textSum(before.Text) != d.After || !now.Exists {
		return nil
	}
	doc, err := decode(t.Format, now.Text)
	if err != nil {
		return nil
	}
	if !d.Existed && len(withoutEmpty(doc)) == 0 {
		return now.removeFile(d.Made)
	}
	text, err := d.textKept()
	if err != nil || text == nil {
		return nil // the command did its work; the copy is gone
	}
	was, err := decode(t.Format, text)
	if err == nil && !bytes.Equal(text, now.Text) && reflect.DeepEqual(withoutEmpty(was), withoutEmpty(doc)) {
		_, err = now.write(text)
		return err
	}
	return nil
}

// withoutEmpty returns a document without its empty tables.
func withoutEmpty(doc map[string]any) map[string]any {
	rest := map[string]any{}
	for key, value := range doc {
		if table, ok := value.(map[string]any); ok {
			if table = withoutEmpty(table); len(table) == 0 {
				continue
			}
			value = table
		}
		rest[key] = value
	}
	return rest
}

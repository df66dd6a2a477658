package setup

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// A removal takes out everything that starts choicetui, found by its command, whichever build wrote it. A file that
// nobody has written since set-up gets its old text back. From other JSON files our entries alone are removed. In other
// formats the agent's own command removes the entry, else the person does.

// Removal describes what would be removed for one agent.
type Removal struct {
	Client  agent.Client
	Changes []Change
	Left    []Left
}

// Change is one step of a removal: a command of the agent's own, or a file that gets another text.
type Change struct {
	Command []string // the agent's own command; empty: the file is written
	File    File
	After   []byte // the new text of the file
	Goes    bool   // whether the file is removed, because set-up made it
	target  agent.Target
	backup  backup
}

// HasCopies reports whether there are copies of the files from before set-up.
func (r Removal) HasCopies() bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.backup.Copy != "" })
}

// Removals returns what would now be removed for these agents; without ids, for all agents. It changes nothing. Agents
// that share a file, as two versions of one do, are removed together, under the name of the one that has an entry.
func (h Host) Removals(b *Backups, ids []string) (all []Removal) {
	clients, seen := agents.Clients(h.Program), map[string]bool{}
	slices.SortStableFunc(clients, func(one, other agent.Client) int {
		return min(len(Known(h, other)), 1) - min(len(Known(h, one)), 1)
	})
	targets := map[string][]agent.Target{} // by the path of the file
	for _, c := range clients {
		for _, t := range h.targetsOf(c) {
			targets[h.path(t)] = append(targets[h.path(t)], t)
		}
	}
	for _, c := range clients {
		if len(ids) > 0 && !slices.ContainsFunc(clients, func(other agent.Client) bool {
			return other.Server.File == c.Server.File && slices.Contains(ids, other.ID)
		}) {
			continue
		}
		r := Removal{Client: c}
		for _, t := range h.targetsOf(c) {
			path := h.path(t)
			if seen[path] {
				continue
			}
			seen[path] = true
			for _, other := range targets[path] {
				t.Sets = append(slices.Clip(t.Sets), other.Sets...)
			}
			switch change, err := h.planRemoval(b, c, t); {
			case err != nil:
				r.Left = append(r.Left, Left{path, err})
			case len(change.Command) > 0, change.Goes, !bytes.Equal(change.After, change.File.Text):
				r.Changes = append(r.Changes, change)
			}
		}
		if len(r.Changes)+len(r.Left) > 0 {
			all = append(all, r)
		}
	}
	return all
}

// targetsOf returns the files of an agent in which something of ours may be, with every hook.
func (h Host) targetsOf(c agent.Client) []agent.Target {
	c = c.WithGate(h.Program).WithNative(h.Program)
	return append([]agent.Target{c.Server}, c.Also...)
}

// planRemoval works out how everything of ours is taken out of one file. Without anything of ours in it, the file stays
// as it is.
func (h Host) planRemoval(b *Backups, c agent.Client, t agent.Target) (change Change, err error) {
	was := b.of(h.path(t))
	f, err := ReadFile(h.path(t))
	change = Change{File: f, After: f.Text, target: t, backup: was}
	switch {
	case err == nil && !f.Exists:
		return change, nil
	case was.Path == "" && !bytes.Contains(f.Text, []byte("choicetui")) && !bytes.Contains(f.Text, []byte(h.Program)):
		return change, nil // whatever is in it is not ours
	case err != nil:
		return change, err
	case textSum(f.Text) == was.After && !was.Existed && was.Copy == "":
		change.After, change.Goes = nil, true
		return change, nil
	}
	old, found := was.text()
	if found && textSum(f.Text) == was.After && !hasOurs(t, old) {
		change.After = old
		return change, nil
	}
	if t.Whole != "" {
		if change.Goes = string(f.Text) == t.Whole; !change.Goes && isWholly(f.Text) {
			err = &Unfit{1, 1, "this file was changed after choicetui added it; delete it yourself"}
		}
		return change, err
	}
	err = change.takeOut(c, h, old)
	return change, err
}

// takeOut plans how everything of ours is taken out of a file that others have written too, or that had something of
// ours before. old is the text from before set-up, if it is known.
func (change *Change) takeOut(c agent.Client, h Host, old []byte) error {
	f, t, was := change.File, change.target, change.backup
	doc, err := decode(t.Format, f.Text)
	if err != nil {
		return err
	}
	if t.Format != agent.JSON {
		return change.planCommand(c, h, doc)
	}
	if change.After, err = withoutOurs(f.Text, withOtherEvents(t.Sets, doc), docBefore(t, old)); err != nil {
		return err
	}
	rest, err := decode(t.Format, change.After)
	change.Goes = err == nil && was.Path != "" && !was.Existed && !bytes.Equal(change.After, f.Text) && isBare(rest, t)
	return err
}

// docBefore returns the document of a text from before set-up, without the entries that started choicetui even then.
func docBefore(t agent.Target, text []byte) map[string]any {
	entries := slices.DeleteFunc(slices.Clone(t.Sets), func(s agent.Setting) bool {
		return !s.Listed && membersOf(s.Value) == nil
	})
	if bare, err := withoutOurs(text, entries, nil); err == nil {
		text = bare
	}
	doc, _ := decode(t.Format, text)
	return doc
}

// planCommand plans the agent's own command for a file that setup does not write. It fails with an *Unfit if there is
// no such command.
func (change *Change) planCommand(c agent.Client, h Host, doc map[string]any) error {
	path, found := ourPath(doc, change.target.Sets, nil)
	if !found {
		return nil
	}
	why := strings.Join(path, ".") + " starts choicetui; choicetui does not write this format, so take it out by hand"
	if len(c.Remove) > 0 {
		if _, err := h.Find(c.Remove[0]); err == nil {
			change.Command, change.After = c.Remove, nil
			return nil
		}
		why += ": the program " + c.Remove[0] + " is gone, so “" + commandText(c.Remove) + "” cannot run"
	}
	return &Unfit{Why: why}
}

// hasOurs reports whether a text has anything of ours.
func hasOurs(t agent.Target, text []byte) bool {
	doc, err := decode(t.Format, text)
	if err != nil || t.Whole != "" {
		return isWholly(text)
	}
	_, found := ourPath(doc, withOtherEvents(t.Sets, doc), doc)
	return found
}

// isBare reports whether a document has nothing but settings that set-up adds for other programs too.
func isBare(doc map[string]any, t agent.Target) bool {
	var rest any = doc
	for _, s := range t.Sets {
		if s.Shared {
			rest = withValue(rest, s.Path, absent{})
		}
	}
	left, _ := rest.(map[string]any)
	return len(left) == 0
}

// Remove carries out a removal. left lists the files that still have something of ours.
func (h Host) Remove(ctx context.Context, b *Backups, r Removal) (left []Left) {
	for _, change := range r.Changes {
		err := h.carryOut(ctx, change)
		if err == nil {
			err = b.restored(change.File.Path)
		}
		if err != nil {
			left = append(left, Left{change.File.Path, err})
		}
	}
	return append(left, r.Left...)
}

// carryOut carries out one step of a removal. It fails with ErrChanged if the file has changed since the step was
// planned.
func (h Host) carryOut(ctx context.Context, c Change) (err error) {
	switch {
	case len(c.Command) > 0:
		return h.runRemove(ctx, c)
	case c.Goes:
		return c.File.removeFile(c.backup.Made)
	}
	_, err = c.File.write(c.After)
	return err
}

// runRemove runs the agent's own command that removes the server.
func (h Host) runRemove(ctx context.Context, c Change) error {
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	out, failed := h.Run(ctx, h.Home, c.Command)
	now, err := ReadFile(c.File.Path)
	if err == nil && (failed != nil || hasServer(now.Text, c.target)) {
		err = fmt.Errorf("“%s” failed to remove it: %s", commandText(c.Command), reasonIn(out, failed))
	}
	return err
}

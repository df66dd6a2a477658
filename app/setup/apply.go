package setup

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/connect"
)

// runsFor limits the time for an agent's own command.
const runsFor = time.Minute

// Apply carries out a plan. said are lines about steps that went another way than planned; left lists the files that
// were not changed.
func (h Host) Apply(ctx context.Context, j *Journal, p Plan) (said []string, left []Left) {
	left = append(left, p.Left...)
	edits := p.Edits
	if len(p.Command) > 0 {
		edits = nil
		for i, e := range p.Edits {
			if err := e.File.unchanged(); err != nil && i > 0 { // runAdd looks at the first
				left = append(left, Left{e.File.Path, err})
				continue
			}
			edits = append(edits, e)
		}
		words, err := h.runAdd(ctx, j, p)
		if words != "" {
			said = append(said, words)
		}
		if err != nil {
			return said, append(left, Left{edits[0].File.Path, err})
		}
		planned := edits
		edits = nil
		for _, e := range planned { // what the command left out; it may have changed the other files too
			again, _, err := h.edit(e.target, e.which)
			switch {
			case err != nil && e.which < 0:
				return said, append(left, Left{e.File.Path, err})
			case err != nil:
				left = append(left, Left{e.File.Path, err})
			case !bytes.Equal(again.After, again.File.Text):
				edits = append(edits, again)
			}
		}
	}
	for _, e := range edits {
		if err := j.writeEdit(p.Client.ID, e); err != nil {
			left = append(left, Left{e.File.Path, err})
		}
	}
	return said, left
}

// runAdd has the agent add the server by its own command. The step is noted before the command runs, so that it can be
// undone even if this process is killed meanwhile. If the command fails, runAdd says so, and the file is edited
// instead.
func (h Host) runAdd(ctx context.Context, j *Journal, p Plan) (said string, err error) {
	was := p.Edits[0]
	if err := was.File.unchanged(); err != nil {
		return "", err
	}
	if err := j.noteCommand(p.Client, was.File); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, runsFor)
	defer cancel()
	out, failed := h.Run(ctx, h.Home, p.Command)
	now, err := ReadFile(was.File.Path)
	if err != nil {
		return "", err
	}
	at := len(j.done) - 1
	if hasServer(now.Text, was.target) {
		if failed != nil {
			said = fmt.Sprintf("“%s” wrote its entry and then failed: %s", joined(p.Command), why(out, failed))
		}
		j.done[at].Path, j.done[at].After = now.Path, sum(now.Text)
		return said, j.save()
	}
	said = fmt.Sprintf("“%s” did not do it, so the file is edited: %s", joined(p.Command), why(out, failed))
	if _, err := decodeText(was.target.Format, now.Text); err != nil {
		if _, err := now.write(was.File.Text); err != nil { // it could be read before
			return said, err // the note stays, and with it the copy
		}
		said += "; it left the file broken, which has its old text again"
	}
	return said, j.drop(at) // nothing was done that has to be undone
}

// noteCommand notes that an agent's own command is about to add the server to a file. What the command made of the file
// is noted when it has ended. A note of a command that was killed before it did anything is dropped.
func (j *Journal) noteCommand(c connect.Client, f File) error {
	for i := len(j.done) - 1; i >= 0; i-- {
		if d := j.done[i]; d.Agent == c.ID && d.Path == f.Path && len(d.Remove) > 0 && d.After == "" {
			if err := j.drop(i); err != nil {
				return err
			}
		}
	}
	kept, err := j.backup(c.ID, f)
	if err != nil {
		return err
	}
	return j.add(done{Agent: c.ID, Path: f.Path, Existed: f.Exists, Before: sum(f.Text), Backup: kept, Target: -1,
		Remove: c.Remove})
}

// joined returns a command in one line.
func joined(command []string) string { return strings.Join(command, " ") }

// why returns the last line that a command printed, or how it ended.
func why(out string, err error) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return last
	}
	if err != nil {
		return err.Error()
	}
	return "it said nothing"
}

// writeEdit writes one file, and notes how to undo that. An edit that cannot be noted is not written.
func (j *Journal) writeEdit(agent string, e Edit) error {
	if err := e.File.unchanged(); err != nil {
		return err
	}
	kept, err := j.backup(agent, e.File)
	if err != nil {
		return err
	}
	before, after := hunk(e.File.Text, e.After)
	d := done{Agent: agent, Path: e.File.Path, Existed: e.File.Exists, Backup: kept,
		Before: sum(e.File.Text), After: sum(e.After), Old: before, New: after, Target: e.which}
	if err := j.add(d); err != nil {
		return err
	}
	at := len(j.done) - 1
	made, err := e.File.write(e.After)
	if err != nil {
		_ = j.drop(at)
		return err
	}
	j.done[at].Made = made
	return j.save()
}

// hunk returns the part in which two texts differ, of each of them. For a change within one line that is the whole
// line: a piece of a word may occur elsewhere too.
func hunk(before, after []byte) (old, now string) {
	from := 0
	for from < min(len(before), len(after)) && before[from] == after[from] {
		from++
	}
	end := 0
	for end < min(len(before), len(after))-from && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	if !bytes.ContainsRune(after[from:len(after)-end], '\n') {
		from = lineStart(after, from)
		end = len(after) - lineEnd(after, len(after)-end)
	}
	return string(before[from : len(before)-end]), string(after[from : len(after)-end])
}

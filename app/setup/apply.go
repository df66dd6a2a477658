package setup

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// runsFor is how long an agent's own command may take.
const runsFor = time.Minute

// Apply does what a plan says. said are lines about what went another way than planned; left is what was not done.
func (h Host) Apply(ctx context.Context, j *Journal, p Plan) (said []string, left []Left) {
	left = append(left, p.Left...)
	edits := p.Edits
	if len(p.Command) > 0 {
		words, err := h.runAdd(ctx, j, p)
		if words != "" {
			said = append(said, words)
		}
		if err != nil {
			return said, append(left, Left{edits[0].File.Path, err})
		}
		again, _, err := h.edit(edits[0].target, -1) // what the command left out
		if err != nil {
			return said, append(left, Left{edits[0].File.Path, err})
		}
		if edits = edits[1:]; !bytes.Equal(again.After, again.File.Text) {
			edits = append([]Edit{again}, edits...)
		}
	}
	for _, e := range edits {
		if err := j.writeEdit(p.Client.ID, e); err != nil {
			left = append(left, Left{e.File.Path, err})
		}
	}
	return said, left
}

// runAdd has the agent add the server by its own command. A command that fails is said; the file is edited then.
func (h Host) runAdd(ctx context.Context, j *Journal, p Plan) (said string, err error) {
	was := p.Edits[0]
	if err := was.File.unchanged(); err != nil {
		return "", err
	}
	kept, err := j.backup(p.Client.ID, was.File)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, runsFor)
	defer cancel()
	out, failed := h.Run(ctx, h.Home, p.Command)
	now, err := ReadFile(was.File.Path)
	if err != nil {
		return "", err
	}
	if failed == nil && hasServer(now.Text, was.target) {
		d := done{Agent: p.Client.ID, Path: now.Path, Existed: was.File.Exists, Before: sum(was.File.Text),
			After: sum(now.Text), Backup: kept, Target: -1, Remove: p.Client.Remove}
		return "", j.add(d)
	}
	if kept != "" {
		_ = os.Remove(kept) // nothing was done that has to be undone
	}
	said = fmt.Sprintf("“%s” did not do it, so the file is edited: %s", joined(p.Command), why(out, failed))
	if _, err := langs[was.target.Format].decode(bytes.TrimPrefix(now.Text, mark)); err == nil {
		return said, nil
	}
	_, err = now.write(was.File.Text) // it could be read before
	return said + "; it left the file broken, which has its old text again", err
}

// joined is a command in one line.
func joined(command []string) string { return strings.Join(command, " ") }

// why is the last line that a command said, or how it ended.
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

// writeEdit writes one file, and notes how it is undone. What cannot be noted is not written.
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

// hunk is the part in which two texts differ, in each of them.
func hunk(before, after []byte) (old, now string) {
	from := 0
	for from < min(len(before), len(after)) && before[from] == after[from] {
		from++
	}
	end := 0
	for end < min(len(before), len(after))-from && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return string(before[from : len(before)-end]), string(after[from : len(after)-end])
}

package cli

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/panes/say"
)

// startAnew says what the person has to do by hand.
func (r *setupRun) startAnew(plan setup.Plan) string {
	words := " Start it anew if it runs."
	if plan.Off {
		words = " It was switched off, and is on now." + words
	}
	by := []string{plan.Client.ByHand}
	if r.gate != "" {
		by = append(by, plan.Client.Gate.ByHand)
	}
	if r.native != "" {
		by = append(by, plan.Client.Native.ByHand)
	}
	for _, hand := range slices.Compact(by) { // the gate may want the same as the other hooks
		if hand != "" {
			words += " " + hand
		}
	}
	return words
}

// showShort says in a few rows what would be done for one agent: its files, with how many lines come and go, and what
// the person has to know before.
func (r *setupRun) showShort(p *page, home string, plan setup.Plan) {
	says := r.hookless(plan.Client)
	switch {
	case len(plan.Edits) > 0:
		says = slices.Insert(says, 0, filesInShort(plan, home))
	case len(plan.Left) > 0:
	case !r.takesOut():
		says = slices.Insert(says, 0, "is set up already; nothing to do")
	case len(says) == 0:
		says = append(says, r.withoutHook()+"; nothing to do")
	}
	if plan.Off {
		says = append(says, "is switched off; this switches it on")
	}
	for _, l := range plan.Left {
		says = append(says, "left alone: "+l.Words())
	}
	if len(plan.Edits) > 0 {
		says = append(says, plan.Notes...)
	}
	if but := plan.Client.Native.But; r.native == nativeOn && but != "" && len(plan.Edits) > 0 {
		says = append(says, "brings here "+plan.Client.Native.Brings+". "+but)
	}
	showAgent(p, plan.Client.Name, says)
}

// showAgent says of one agent what is in store for it: the first behind its name, each other below.
func showAgent(p *page, name string, says []string) {
	for i, one := range says {
		if i == 0 {
			first, more, _ := strings.Cut(folded(name+": "+say.OneLine(one), 76), "\n")
			p.line("  %s", first)
			one = more
		}
		p.block("    ", folded(one, 76))
	}
}

// filesInShort names the command and the files of a plan, with how many lines come and go.
func filesInShort(plan setup.Plan, home string) string {
	var parts []string
	for _, e := range plan.Edits {
		parts = append(parts, say.Tilde(e.File.Path, home)+changedLines(e.File.Text, e.After))
	}
	words := strings.Join(parts, ", ")
	if len(plan.Command) > 2 {
		words = strings.Join(plan.Command[:3], " ") + ", then " + words
	}
	return words
}

// showLines shows what one agent's files come to, line by line.
func showLines(p *page, plan setup.Plan) {
	if len(plan.Edits)+len(plan.Kept) == 0 {
		return
	}
	p.line("%s", plan.Client.Name)
	if len(plan.Command) > 0 {
		p.block("  runs: ", shellLine(plan.Command))
		p.line("  and adds what that leaves out. It comes to:")
	}
	for _, e := range plan.Edits {
		showDiff(p, e.File.Path, e.File.Text, e.After)
	}
	for _, kept := range plan.Kept {
		p.block("  stays as you have it: ", kept)
	}
	p.line("")
}

// hookless says what an agent has no hook for, or needs none for.
func (r *setupRun) hookless(c connect.Client) (says []string) {
	if r.gate != "" && c.Gate.File == "" {
		says = append(says, "has no hook before its prompts, so they do not wait")
	}
	switch {
	case r.native == "" || c.Native.File != "":
	case len(c.Also) > 0:
		says = append(says, "its own questions come here without --native")
	default:
		says = append(says, "has no hook that brings its own questions here")
	}
	return says
}

// shellLine returns a command as a person would type it.
func shellLine(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = connect.ShellQuoted(word)
	}
	return strings.Join(words, " ")
}

// changedLines counts the lines that a change adds and takes away: " +6 −2".
func changedLines(before, after []byte) (words string) {
	_, body, _ := bytes.Cut(diff.Diff("", before, "", after), []byte("\n@@"))
	for _, sign := range []struct{ mark, shown string }{{"\n+", " +"}, {"\n-", " −"}} {
		if n := bytes.Count(body, []byte(sign.mark)); n > 0 {
			words += sign.shown + strconv.Itoa(n)
		}
	}
	return words
}

// showDiff shows how a file changes.
func showDiff(p *page, path string, before, after []byte) {
	text := diff.Diff(path, before, path, after)
	if _, rest, found := bytes.Cut(text, []byte("\n")); found { // the line that repeats how it was made
		text = rest
	}
	p.block("  ", string(text))
}

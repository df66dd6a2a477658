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

// showPlan says what would be done for one agent.
func (r *setupRun) showPlan(p *page, plan setup.Plan) {
	p.line("%s", plan.Client.Name)
	hookless := r.showHookless(p, plan)
	switch {
	case r.takesOut() && plan.Nothing():
		if !hookless {
			p.line("  %s; nothing to do", r.withoutHook())
		}
	case plan.Off:
		p.line("  is switched off; this switches it on")
	case plan.Nothing():
		p.line("  is set up already; nothing to do")
	}
	for _, l := range plan.Left {
		p.block("  left alone: ", l.Words())
	}
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
	if r.native == nativeOn && plan.Client.Native.But != "" {
		p.block("  brings here ", plan.Client.Native.Brings+". "+plan.Client.Native.But)
	}
	p.line("")
}

// showHookless says what an agent has no hook for, or needs none for.
func (r *setupRun) showHookless(p *page, plan setup.Plan) (hookless bool) {
	c := plan.Client
	if hookless = r.gate != "" && c.Gate.File == ""; hookless {
		p.line("  %s has no hook before its prompts, so they do not wait", c.Name)
	}
	if r.native == "" || c.Native.File != "" {
		return hookless
	}
	if len(c.Also) > 0 {
		p.line("  what %s asks by itself comes here without --native", c.Name)
	} else {
		p.line("  no hook of %s brings here what it asks by itself", c.Name)
	}
	return true
}

// shellLine returns a command as a person would type it.
func shellLine(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = connect.ShellQuoted(word)
	}
	return strings.Join(words, " ")
}

// showInShort names the commands and files of all plans again, with how many lines come and go: the changes themselves
// may take more rows than the terminal has.
func showInShort(p *page, home string, plans []setup.Plan) {
	if len(plans) == 0 {
		return
	}
	p.line("In short:")
	for _, plan := range plans {
		var parts []string
		for _, e := range plan.Edits {
			parts = append(parts, say.Tilde(say.OneLine(e.File.Path), home)+changedLines(e.File.Text, e.After))
		}
		words := strings.Join(parts, ", ")
		if len(plan.Command) > 2 {
			words = say.OneLine(strings.Join(plan.Command[:3], " ")) + ", then " + words
		}
		p.line("  %s: %s", plan.Client.Name, words)
	}
	p.line("")
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

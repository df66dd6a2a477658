package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/panes/say"
)

// stepsByHand says what the person still has to do: start the agent again, and the agent's own steps.
func (r *setupRun) stepsByHand(plan setup.Plan) string {
	words := " Restart it if it is running."
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
	for _, hand := range slices.Compact(by) { // the gate and the other hooks may need the same step
		if hand != "" {
			words += " " + hand
		}
	}
	return words
}

// lacksWords says which parts of an agent's set-up are missing, because their files were left alone; empty: none is, or
// only lines that the person adds by hand.
func lacksWords(host setup.Host, plan setup.Plan, left []setup.Left) string {
	var parts []string
	for _, l := range left {
		var hand *setup.ByHand
		if !errors.As(l.Err, &hand) {
			part := map[setup.Part]string{setup.PartEntry: "its entry for choicetui", setup.PartHooks: "its hooks",
				setup.PartRules: "its hooks and permissions", setup.PartPlugin: "its plugin"}[host.PartIn(plan, l.Path)]
			parts = append(parts, part+" in "+say.OneLine(l.Path))
		}
	}
	return strings.Join(parts, ", and ")
}

// canAsk follows the names of the agents that setup connects.
const canAsk = " can ask you here."

// showShort says in a few rows what the plans change for the person, and what the person has to know before. Agents of
// which there is nothing else to say share a sentence. undo is the command that undoes all.
func (r *setupRun) showShort(p *page, home string, plans []setup.Plan, undo string) {
	changed := 0
	for _, plan := range plans {
		if len(plan.Edits) > 0 && !r.takesOut() {
			changed++
		}
	}
	var plain []string
	for _, plan := range plans {
		one := ""
		if changed == 1 {
			one = undo
		}
		name, says := r.says(home, plan, one)
		if name == "" && len(says) == 1 && says[0] == plan.Client.Name+canAsk {
			plain = append(plain, plan.Client.Name)
			continue
		}
		showAgent(p, name, says)
	}
	if len(plain) > 0 {
		showAgent(p, "", []string{say.AllOf(plain) + canAsk})
	}
	if changed > 1 {
		p.line("  Undo: %s", undo) // in one line, so that it can be pasted
	}
}

// says returns the sentences about one agent's plan. name is the agent's name if the first of them lacks it. undo is
// the command that undoes the plan; empty: it is not said here.
func (r *setupRun) says(home string, plan setup.Plan, undo string) (name string, says []string) {
	name, says = plan.Client.Name, r.missingHooks(plan.Client)
	switch {
	case len(plan.Edits) > 0:
		effect := r.effect(plan.Client)
		switch whole := effect + " Undo: " + undo; {
		case undo == "":
			says = slices.Insert(says, 0, effect)
		case len(whole) <= 76:
			says = slices.Insert(says, 0, whole)
		default: // the command is in one line, so that it can be pasted
			says = slices.Insert(says, 0, effect, "Undo: "+undo)
		}
		name = ""
	case len(plan.Left) > 0:
	case !r.takesOut():
		says = slices.Insert(says, 0, "already set up, nothing to do")
	case len(says) == 0:
		says = append(says, r.withoutHook()+"; nothing to do")
	}
	if plan.Off {
		says = append(says, "It is switched off; this switches it on.")
	}
	for _, l := range plan.Left {
		var hand *setup.ByHand
		if errors.As(l.Err, &hand) {
			says = append(says, "Add the lines shown at the end to "+say.Tilde(l.Path, home)+".")
			continue
		}
		says = append(says, "Left alone: "+l.Words())
	}
	if len(plan.Edits) > 0 {
		says = append(says, plan.Notes...)
	}
	if r.native == nativeOn && len(plan.Edits) > 0 {
		says = append(says, plan.Client.Native.But)
	}
	return name, says
}

// effect says what changes for the person when an agent's plan is carried out.
func (r *setupRun) effect(c agent.Client) string {
	switch {
	case r.gate == gateOff:
		return "Your prompts to " + c.Name + " will no longer wait."
	case r.native == nativeOff:
		return c.Name + ": " + c.Native.Brings + " will no longer appear here."
	}
	words := c.Name + canAsk
	if brings := c.Brings(); len(brings) > 0 {
		list := say.AllOf(brings)
		words += " " + strings.ToUpper(list[:1]) + list[1:] + " appear here too."
	}
	switch {
	case c.Gate.File == "":
	case r.gate == gateOwn:
		words += " Your prompts to it wait while it asks."
	case r.gate == gateAll:
		words += " Your prompts to it wait while any agent asks."
	}
	return words
}

// showAgent prints the sentences about one agent, the first behind the agent's name; an empty name: it has the name.
func showAgent(p *page, name string, says []string) {
	if name != "" {
		name += ": "
	}
	for i, one := range slices.DeleteFunc(says, func(one string) bool { return one == "" }) {
		if i == 0 {
			first, more, _ := strings.Cut(foldText(name+say.OneLine(one), 76), "\n")
			p.line("  %s", first)
			one = more
		}
		p.block("    ", foldText(one, 76))
	}
}

// filesInShort names the command and the files of a plan, with the number of changed lines; a new file of ours, in
// which no line is the person's, has no number.
func filesInShort(plan setup.Plan, home string) string {
	var parts []string
	for _, e := range plan.Edits {
		changed := changedLines(e.File.Text, e.After)
		if n := len(e.Lines()); n > 0 {
			changed = " +" + strconv.Itoa(n)
		}
		if e.IsNewFileOfOurs() {
			changed = ""
		}
		parts = append(parts, say.Tilde(e.File.Path, home)+e.File.Leads()+changed)
	}
	words := strings.Join(parts, ", ")
	if len(plan.Command) > 2 {
		words = strings.Join(plan.Command[:3], " ") + ", then " + words
	}
	return words
}

// showLines names one agent's files, and shows their changes line by line.
func showLines(p *page, home string, plan setup.Plan) {
	if len(plan.Edits)+len(plan.Kept) == 0 {
		return
	}
	p.line("%s", strings.TrimSuffix(plan.Client.Name+": "+say.OneLine(filesInShort(plan, home)), ": "))
	if len(plan.Command) > 0 {
		p.block("  runs: ", shellLine(plan.Command))
		p.line("  and adds what that leaves out. It comes to:")
	}
	for _, e := range plan.Edits {
		if lines := e.Lines(); lines != nil {
			p.line("  has %s set in %s:", plan.Client.Name, say.OneLine(e.File.Path))
			p.block("  +", strings.Join(lines, "\n"))
			continue
		}
		showDiff(p, e.File.Path, e.File.Text, e.After)
	}
	for _, kept := range plan.Kept {
		p.block("  stays as you have it: ", kept)
	}
	p.line("")
}

// missingHooks says which of the wanted hooks an agent does not have, or does not need.
func (r *setupRun) missingHooks(c agent.Client) (says []string) {
	if r.gate != "" && c.Gate.File == "" {
		says = append(says, "It has no hook before its prompts, so they do not wait.")
	}
	switch {
	case r.native == "" || c.Native.File != "":
	case len(c.Brings()) > 0:
		says = append(says, "Its own prompts come here without --native.")
	default:
		says = append(says, "It has no hook that brings its own prompts here.")
	}
	return says
}

// shellLine returns a command as a person would type it in a shell.
func shellLine(command []string) string {
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = agent.ShellQuoted(word)
	}
	return strings.Join(words, " ")
}

// changedLines counts the lines that a change adds and removes: " +6 −2".
func changedLines(before, after []byte) (words string) {
	_, body, _ := bytes.Cut(diff.Diff("", before, "", after), []byte("\n@@"))
	for _, sign := range []struct{ mark, shown string }{{"\n+", " +"}, {"\n-", " −"}} {
		if n := bytes.Count(body, []byte(sign.mark)); n > 0 {
			words += sign.shown + strconv.Itoa(n)
		}
	}
	return words
}

// showDiff shows the change of a file as a diff.
func showDiff(p *page, path string, before, after []byte) {
	text := diff.Diff(path, before, path, after)
	if _, rest, found := bytes.Cut(text, []byte("\n")); found { // the first line only repeats the names
		text = rest
	}
	p.block("  ", string(text))
}

// hookChoice holds the flags for hooks that are installed only on request.
type hookChoice struct {
	gate   string // the value of --gate: own, all or off; empty: it was not given
	native string // the value of --native: on or off; empty: it was not given
}

// Values of --gate.
const (
	gateOwn = "own"
	gateAll = "all"
	gateOff = "off"
)

// gates maps the values of --gate to their meaning.
var gates = map[string]setup.Gate{gateOwn: setup.GateOwn, gateAll: setup.GateAll, gateOff: setup.GateOut}

// Values of --native.
const (
	nativeOn  = "on"
	nativeOff = "off"
)

// nativeChoices maps the values of --native to their meaning.
var nativeChoices = map[string]setup.Choice{nativeOn: setup.PutsIn, nativeOff: setup.TakesOut}

// addTo adds the flags to a command. Their values are optional.
func (r *hookChoice) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.gate, "gate", "", "hold prompts while questions wait (`own`, all, off)")
	cmd.Flags().Lookup("gate").NoOptDefVal = gateOwn
	cmd.Flags().StringVar(&r.native, "native", "", "show more of the agent's own prompts (`on`, off)")
	cmd.Flags().Lookup("native").NoOptDefVal = nativeOn
}

// checkChoices returns what is wrong with the values of --gate and --native. remove reports whether --remove was given.
func (r *hookChoice) checkChoices(remove bool) error {
	_, isGate := gates[r.gate]
	_, isNative := nativeChoices[r.native]
	switch {
	case r.gate != "" && !isGate:
		return &failure{say: "--gate is " + quoted(r.gate) + ", but can be own or all, or off to remove it",
			hint: "choicetui setup --help"}
	case r.native != "" && !isNative:
		return &failure{say: "--native is " + quoted(r.native) + ", but can be on, or off to remove it",
			hint: "choicetui setup --help"}
	case r.gate != "" && remove:
		return &failure{say: "--remove also removes the gate", hint: "leave out --gate"}
	case r.native != "" && remove:
		return &failure{say: "--remove also removes these hooks", hint: "leave out --native"}
	case r.gate != "" && r.native != "" && (r.gate == gateOff || r.native == nativeOff):
		return &failure{say: "off removes one thing at a time",
			hint: "run it once with --gate, and once with --native"}
	}
	return nil
}

// takeFlagValue moves the value of a flag, which cobra left among the agents' names, to the flag. usual is the flag's
// value without one. It returns the names without the value.
func takeFlagValue[C any](flag *string, usual string, values map[string]C, names []string) (rest []string) {
	at := slices.IndexFunc(names, func(name string) bool { _, is := values[name]; return is })
	if *flag != usual || at < 0 {
		return names
	}
	*flag = names[at]
	return slices.Delete(slices.Clone(names), at, at+1)
}

// takesOut reports whether this run only removes hooks.
func (r *hookChoice) takesOut() bool { return r.gate == gateOff || r.native == nativeOff }

// withoutHook says what it means for an agent that the hook to be removed is not there.
func (r *hookChoice) withoutHook() string {
	if r.gate == gateOff {
		return "its prompts do not wait"
	}
	return "no hook brings its own prompts here"
}

// preview holds what a run of setup would do: what changes for the person in short, and each changed line of the files.
// The lines are shown with --diff, or on a terminal a pane at a time when the person presses Enter, because there may
// be hundreds of rows.
type preview struct{ short, lines page }

// showsByPane reports whether the changed lines are shown only when the person presses Enter.
func (r *setupRun) showsByPane() bool {
	return !r.diff && !r.yes && isTerminal(r.sh.in) && isTerminal(r.sh.out)
}

// showPreview shows what would be done, and asks nothing.
func (r *setupRun) showPreview(v preview) error {
	switch {
	case v.lines.Len() == 0:
	case r.diff:
		v.short.line("")
		v.short.Write(r.coloured(v.lines.Bytes()))
	case r.dryRun, !r.yes && !r.showsByPane():
		v.short.line("\n--diff shows each line.")
	}
	return v.short.send(r.sh.out)
}

// coloured returns the lines of a change with the added ones in green and the removed ones in red, if the terminal
// shows colours.
func (r *setupRun) coloured(lines []byte) []byte {
	if !wantsColour(r.sh.out) {
		return lines
	}
	var all bytes.Buffer
	for l := range bytes.Lines(lines) {
		text, colour := bytes.TrimSuffix(l, []byte("\n")), ""
		switch {
		case bytes.HasPrefix(l, []byte("  +++ ")), bytes.HasPrefix(l, []byte("  --- ")): // the names of the file
		case bytes.HasPrefix(l, []byte("  +")):
			colour = "\x1b[32m"
		case bytes.HasPrefix(l, []byte("  -")):
			colour = "\x1b[31m"
		}
		if colour != "" {
			text = slices.Concat([]byte(colour), text, []byte("\x1b[m"))
		}
		all.Write(append(text, '\n'))
	}
	return all.Bytes()
}

// askAgreement shows what would be done, and reports whether the person agreed with the word yes. does names the
// changes. Enter shows more of the lines.
func (r *setupRun) askAgreement(v preview, does string) (bool, error) {
	if err := r.showPreview(v); err != nil || r.yes {
		return err == nil, err
	}
	var rest []byte
	if r.showsByPane() {
		rest = v.lines.Bytes()
		fmt.Fprintln(r.sh.out)
	}
	in := bufio.NewReader(r.sh.in)
	for more := "each line"; ; more = "more" {
		if len(rest) > 0 {
			fmt.Fprintf(r.sh.out, "Enter shows %s. ", more)
		}
		fmt.Fprintf(r.sh.out, "Type yes to %s: ", does)
		line, err := in.ReadString('\n')
		if err != nil { // the input ended without a line break
			fmt.Fprintln(r.sh.out)
		}
		switch said := strings.TrimSpace(line); {
		case strings.EqualFold(said, "yes"):
			return true, nil
		case said != "" || err != nil || len(rest) == 0:
			return false, &failure{say: "nothing was changed", hint: "only the word yes makes the changes"}
		}
		var shown []byte
		shown, rest = cutPaneful(rest, widthOf(r.sh.out), heightOf(r.sh.out)-2)
		if _, err := r.sh.out.Write(r.coloured(shown)); err != nil {
			return false, err
		}
	}
}

// cutPaneful cuts off as many lines of a text as fit into rows of a width, at least one line.
func cutPaneful(text []byte, width, rows int) (first, rest []byte) {
	for l := range bytes.Lines(text) {
		if rows -= 1 + max(utf8.RuneCount(l)-2, 0)/max(width, 1); rows < 0 && len(first) > 0 {
			break
		}
		first = text[:len(first)+len(l)]
	}
	return first, text[len(first):]
}

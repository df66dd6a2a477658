package cli

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/panes/say"
)

// removeAgents shows what earlier runs have put in, asks, and removes it.
func (r *setupRun) removeAgents(ctx context.Context, host setup.Host, names []string) error {
	for _, name := range names {
		if name == "opencode" { // an earlier run may have set up either version
			names = append(names, "opencode2")
		}
	}
	journal, err := openJournal(host)
	if err != nil {
		return err
	}
	defer journal.Close()
	var v preview
	var left []setup.Left
	all := host.Removals(journal, names)
	steps := 0
	for _, one := range all {
		steps += len(one.Steps)
		showRemoval(&v, host.Home, one)
	}
	if len(all) == 0 {
		v.short.line("There is nothing to remove from your agents' settings.")
	}
	showOtherEntries(ctx, &v.short, host, func(id string) bool {
		return (len(names) == 0 || slices.Contains(names, id)) &&
			!slices.ContainsFunc(all, func(one setup.Removal) bool { return one.Client.ID == id })
	})
	if steps == 0 || r.dryRun {
		for _, one := range all {
			left = append(left, one.Left...)
		}
		return errors.Join(r.showPreview(v), r.leftAlone(left))
	}
	if agreed, err := r.askAgreement(v, "remove this"); !agreed {
		return err
	}
	err = r.undo(ctx, host, journal, all, &left)
	return errors.Join(err, r.leftAlone(left))
}

// undo removes what the person agreed to, and says how each agent is left. It appends to left what could not be
// removed.
func (r *setupRun) undo(ctx context.Context, host setup.Host, journal *setup.Journal, all []setup.Removal,
	left *[]setup.Left) error {
	var ended page
	for _, one := range all {
		at := slices.IndexFunc(one.Steps, setup.Undoing.Runs)
		if at >= 0 {
			r.sh.note("running %s …", say.OneLine(shellLine(one.Steps[at].Command)))
		}
		failed := host.Undo(ctx, journal, one)
		known := setup.Known(host, one.Client)
		switch *left = append(*left, failed...); {
		case len(failed) > 0:
		case len(one.Before) > 0 && len(known) > 0:
			ended.line("%s has the entry from before setup again: it starts “%s”.", one.Client.Name,
				say.OneLine(shellLine(known)))
		case !one.Server && len(known) > 0:
			showOtherEntries(ctx, &ended, host, func(id string) bool { return id == one.Client.ID })
		default:
			ended.line("%s is no longer connected to choicetui.", one.Client.Name)
		}
	}
	if slices.ContainsFunc(all, setup.Removal.HasCopies) {
		ended.line("Copies of the files from before setup are kept in %s for %d days.", say.OneLine(journal.Dir()),
			int(setup.KeepsCopies.Hours()/24))
	}
	return ended.send(r.sh.out)
}

// showOtherEntries names the entries for choicetui that setup did not put in, of the agents whose id is wanted.
func showOtherEntries(ctx context.Context, p *page, host setup.Host, wanted func(id string) bool) {
	entries, err := setup.Entries(ctx, host)
	if err != nil {
		return
	}
	for _, e := range entries {
		if len(e.Command) == 0 || !wanted(e.Client.ID) {
			continue
		}
		words := " has an entry that setup did not add, so please remove it yourself: "
		if !e.IsOurs() {
			words = " has another server named choicetui, which stays as it is: "
		}
		p.block("  ", e.Client.Name+words+e.Path+" starts “"+shellLine(e.Command)+"”")
	}
}

// showRemoval shows what would be removed from one agent's settings.
func showRemoval(v *preview, home string, one setup.Removal) {
	var parts []string
	p := &v.lines
	p.line("%s", one.Client.Name)
	steps := one.NetSteps()
	for i, u := range steps {
		path := say.Tilde(u.File.Path, home) + u.File.Leads()
		switch {
		case u.Runs() && slices.ContainsFunc(steps[:i], setup.Undoing.Runs): // the command runs once
		case u.Runs():
			parts = append(parts, strings.Join(u.Command[:min(3, len(u.Command))], " "))
			p.block("  runs: ", shellLine(u.Command))
		case u.Goes && u.File.Exists:
			parts = append(parts, path+" (deleted)")
			p.block("  is deleted, since setup created it: ", u.File.Path)
		case !bytes.Equal(u.File.Text, u.After):
			parts = append(parts, path+changedLines(u.File.Text, u.After))
			showDiff(p, u.File.Path, u.File.Text, u.After)
		}
	}
	p.line("")
	var says []string
	if len(parts) > 0 {
		says = append(says, strings.Join(parts, ", "))
	}
	for _, l := range one.Left {
		says = append(says, "left alone: "+l.Words())
	}
	if len(says) == 0 {
		says = append(says, "is already gone; this removes the record of it")
	}
	showAgent(&v.short, one.Client.Name, says)
}

package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/panes/say"
)

// removeAgents shows what starts choicetui in the agents' settings, asks, and removes it.
func (r *setupRun) removeAgents(ctx context.Context, host setup.Host, names []string) error {
	backups, err := openBackups(host)
	if err != nil {
		return err
	}
	defer backups.Close()
	var v preview
	var left []setup.Left
	all := host.Removals(backups, names)
	changes := 0
	for _, one := range all {
		changes += len(one.Changes)
		left = append(left, one.Left...)
		showRemoval(&v, host.Home, one)
	}
	if len(all) == 0 {
		v.short.line("There is nothing to remove from your agents' settings.")
	}
	showOthers(ctx, &v.short, host, names)
	if changes == 0 || r.dryRun {
		return errors.Join(r.showPreview(v), r.leftAlone(left))
	}
	if agreed, err := r.askAgreement(v, "remove this"); !agreed {
		return err
	}
	return r.carryOut(ctx, host, backups, all)
}

// carryOut removes what the person agreed to, and says how each agent is left.
func (r *setupRun) carryOut(ctx context.Context, host setup.Host, backups *setup.Backups, all []setup.Removal) error {
	var ended page
	var left []setup.Left
	for _, one := range all {
		for _, change := range one.Changes {
			if len(change.Command) > 0 {
				r.sh.note("running %s …", say.OneLine(shellLine(change.Command)))
			}
		}
		failed := host.Remove(ctx, backups, one)
		if left = append(left, failed...); len(failed) == 0 {
			ended.line("%s is no longer connected to choicetui.", one.Client.Name)
		}
	}
	if slices.ContainsFunc(all, setup.Removal.HasCopies) {
		ended.line("Copies of the files from before setup are kept in %s for %d days.", say.OneLine(backups.Dir()),
			int(setup.KeepsCopies.Hours()/24))
	}
	return errors.Join(ended.send(r.sh.out), r.leftAlone(left))
}

// showOthers names the servers of the named agents that are called choicetui and start another program.
func showOthers(ctx context.Context, p *page, host setup.Host, names []string) {
	entries, _ := setup.Entries(ctx, host)
	for _, e := range entries {
		if len(e.Command) > 0 && !e.IsOurs() && (len(names) == 0 || slices.Contains(names, e.Client.ID)) {
			p.block("  ", e.Client.Name+" has another server named choicetui, which stays as it is: "+e.Path+
				" starts “"+shellLine(e.Command)+"”")
		}
	}
}

// showRemoval says what a removal changes for the person, and shows each line of it.
func showRemoval(v *preview, home string, one setup.Removal) {
	var parts []string
	var lines page
	for _, change := range one.Changes {
		path := say.Tilde(change.File.Path, home) + change.File.Leads()
		switch {
		case len(change.Command) > 0:
			parts = append(parts, strings.Join(change.Command[:min(3, len(change.Command))], " "))
			lines.block("  runs: ", shellLine(change.Command))
		case change.Goes:
			parts = append(parts, path+" (deleted)")
			lines.block("  is deleted, since setup created it: ", change.File.Path)
		default:
			parts = append(parts, path+changedLines(change.File.Text, change.After))
			showDiff(&lines, change.File.Path, change.File.Text, change.After)
		}
	}
	var says []string
	name := one.Client.Name
	if len(parts) > 0 {
		v.lines.line("%s: %s", name, say.OneLine(strings.Join(parts, ", ")))
		v.lines.Write(lines.Bytes())
		v.lines.line("")
		effect := name + " can no longer ask you here"
		if len(one.Client.Brings()) > 0 {
			effect += ", and shows its own prompts itself"
		}
		says, name = append(says, effect+". Undo: choicetui setup "+one.Client.ID), ""
	}
	for _, l := range one.Left {
		says = append(says, "Left alone: "+l.Words())
	}
	showAgent(&v.short, name, says)
}

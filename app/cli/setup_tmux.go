package cli

import (
	"bytes"
	"context"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/panes/say"
)

// setUpTmux binds a key of tmux to a popup with the oldest question, or takes the key out again.
func (r *setupRun) setUpTmux(ctx context.Context, host setup.Host) error {
	plan, err := host.PlanTmux(r.key)
	if err != nil {
		return &failure{say: err.Error(), hint: "nothing was changed", cause: err}
	}
	if r.remove {
		return r.removeTmux(ctx, host, plan)
	}
	switch old, err := host.TmuxTooOld(ctx); {
	case err != nil:
		return &failure{say: "tmux could not be run, so nothing was changed: " + say.OneLine(err.Error()), cause: err,
			hint: "install tmux 3.2 or newer"}
	case old != "":
		return &failure{say: say.OneLine(old) + " has no popups, so nothing was changed",
			hint: "tmux has them since version 3.2"}
	}
	if taken := host.Taken(ctx, plan); taken != "" {
		return &failure{say: "the key " + plan.Key + " is taken in tmux: " + say.OneLine(taken),
			hint: "nothing was changed; choose another key: choicetui setup tmux --key A"}
	}
	var v preview
	if bytes.Equal(plan.After(), plan.File.Text) {
		v.short.line("The prefix key and %s already open the popup; nothing to do.", plan.Key)
		return r.showPreview(v)
	}
	v.short.line("The prefix key, then %s, will open a popup with the oldest question, and tmux will\n"+
		"tell choicetui when you come to its pane. These lines will be added to %s,\nand to tmux if it is running:\n",
		plan.Key, say.OneLine(plan.File.Path+plan.File.Leads()))
	v.short.block("  ", plan.Lines())
	if plan.File.OpenToOthers() {
		v.short.line("\nOther users of this machine may change that file; chmod 644 closes it.")
	}
	showDiff(&v.lines, plan.File.Path, plan.File.Text, plan.After())
	if !r.dryRun {
		v.short.line("")
	}
	return r.changeTmux(v, "add them", host, plan, func(backups *setup.Backups, p *page) error {
		running, err := host.BindTmux(ctx, backups, plan)
		p.line("Done. In tmux, press the prefix key, then %s.", plan.Key)
		if !running {
			p.line("No tmux is running; the next one will have it.")
		}
		return err
	})
}

// removeTmux shows the lines that bind the key, asks, and removes them from the settings of tmux.
func (r *setupRun) removeTmux(ctx context.Context, host setup.Host, plan setup.TmuxKey) error {
	var v preview
	after := plan.Without()
	if bytes.Equal(after, plan.File.Text) {
		v.short.line("Nothing to remove: %s has no line from setup.", say.OneLine(plan.File.Path+plan.File.Leads()))
		return r.showPreview(v)
	}
	v.short.line("The lines that setup added are removed from %s.", say.OneLine(plan.File.Path+plan.File.Leads()))
	showDiff(&v.lines, plan.File.Path, plan.File.Text, after)
	return r.changeTmux(v, "remove them", host, plan, func(backups *setup.Backups, p *page) error {
		p.line("Done. The key is free again.")
		return host.UnbindTmux(ctx, backups, plan)
	})
}

// changeTmux shows what would be done to tmux's settings, and does it if the person agrees. does names the changes;
// change writes on the page what to say of them.
func (r *setupRun) changeTmux(v preview, does string, host setup.Host, plan setup.TmuxKey,
	change func(*setup.Backups, *page) error) error {
	if r.dryRun {
		return r.showPreview(v)
	}
	if agreed, err := r.askAgreement(v, does); !agreed {
		return err
	}
	backups, err := openBackups(host)
	if err != nil {
		return err
	}
	defer backups.Close()
	var p page
	if err := change(backups, &p); err != nil {
		return &failure{say: plan.File.Path + ": " + err.Error(), cause: err}
	}
	return p.send(r.sh.out)
}

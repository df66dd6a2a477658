package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
	"github.com/choicetui/choicetui/panes/say"
)

// checkAgents checks the entry for choicetui in the settings of each agent on this machine, and in the project here.
func checkAgents(ctx context.Context, sh *shell) (all []finding) {
	host, err := thisHost(agent.Here().Program)
	if err != nil {
		return []finding{{"agents", isFail, err.Error(), "set HOME"}}
	}
	entries, err := setup.Entries(ctx, host)
	if err != nil {
		return []finding{{"agents", isFail, err.Error(), "choicetui setup --help"}}
	}
	if len(entries) == 0 {
		all = append(all, finding{"agents", isWarn, "none was found on this machine", "choicetui help connect"})
	}
	here, err := os.Getwd()
	if err == nil && here != host.Home {
		entries = append(entries, setup.ProjectEntries(host, here)...)
	}
	for _, e := range setup.LocalEntries(host) {
		if f, _ := checkEntry(host, e); f.Status != isOK || agent.SameFile(e.Local, here) {
			entries = append(entries, e) // an entry for another directory matters only if it is wrong
		}
	}
	found := make([]finding, len(entries))
	var checks sync.WaitGroup
	for i, e := range entries {
		checks.Go(func() { found[i] = checkAgent(ctx, sh, host, e) })
	}
	checks.Wait()
	return append(all, found...)
}

// checkAgent checks whether one agent's entry works, and adds the agent's version.
func checkAgent(ctx context.Context, sh *shell, host setup.Host, e setup.Entry) finding {
	f, ours := checkEntry(host, e)
	switch {
	case e.Project:
		f.Check += ", in this project"
		return f
	case ours && f.Status == isOK:
		f = checkTrip(ctx, sh, host, e, f)
		f = checkTimeOut(sh.currentSettings(), e, f)
		f = checkHooks(host, e, f)
		f = checkLacks(host, e, f)
		if unset := e.Unset(); e.Client.Server.Format != agent.JSON && len(unset) > 0 {
			f.Detail += "; its entry has no " + strings.Join(unset, ", ") + ": see choicetui setup " + e.Client.ID
		}
	}
	if e.Local != "" {
		return checkLocal(e, f)
	}
	f = checkFiles(host, e, ours, f)
	f = checkPlugin(host, e, f)
	if r := (beforeReader{sh.settings().Settings}); r.settings().Peek {
		f = checkBefore(transcript.NewestOf(ctx, r.sessionsOf(agents.Of(e.Client.ID))), f)
	}
	if version := host.Version(ctx, e.Client); version != "" {
		f.Check += " " + say.OneLine(version)
	}
	return f
}

// checkHooks says where an agent's own prompts are shown, and warns if its settings keep its hooks from running.
func checkHooks(host setup.Host, e setup.Entry, f finding) finding {
	if dead := setup.DeadHook(host, e); dead != "" {
		return f.withWarning("its hooks start "+say.OneLine(dead)+
			", which is not there, so they do nothing", "choicetui setup "+e.Client.ID)
	}
	f.Detail += ownAsks(host, e)
	if off := setup.HooksOff(host, e.Client); setup.OwnAsks(host, e.Client) == setup.OwnOff {
		remedy := "take " + off.Setting + " out of " + off.Path
		if off.Managed {
			remedy = "ask whoever manages " + off.Path + " to take " + off.Setting + " out"
		}
		f = f.withWarning(off.Setting+" in "+off.Path+
			" switches its hooks off, so its own prompts are not shown here", remedy)
	}
	return f
}

// checkLacks warns of settings that an agent lacks although it starts this program.
func checkLacks(host setup.Host, e setup.Entry, f finding) finding {
	if e.Local != "" { // checkLocal has the remedy for an entry that counts in one directory
		return f
	}
	for _, l := range setup.Lacks(host, e) {
		f = f.withWarning(l.So, l.Remedy)
	}
	return f
}

// withWarning returns the finding with one more warning. The same remedy is named once.
func (f finding) withWarning(says, remedy string) finding {
	f.Detail += "; " + says
	switch {
	case f.Status == isFail: // the remedy of the failure comes first
	case f.Status == isOK || f.Remedy == "":
		f.Status, f.Remedy = isWarn, remedy
	case !strings.HasSuffix(f.Remedy, remedy) && !strings.Contains(f.Remedy, remedy+"\n"):
		f.Remedy += "\n" + remedy
	}
	return f
}

// ownAsks says where an agent's own prompts are shown; empty: nothing brings that agent's prompts here.
func ownAsks(host setup.Host, e setup.Entry) string {
	own, brings := setup.OwnAsks(host, e.Client), e.Client.Native.Brings
	switch {
	case own == setup.OwnThere && len(setup.Obstacles(host, e.Client, true)) > 0: // the obstacle has the remedy
		return "; its own prompts are not shown here"
	case own == setup.OwnMistrust:
		return "; " + brings + " appear here once you trust its hooks. " + e.Client.Native.ByHand
	case own == setup.OwnThere && brings != "":
		return "; choicetui setup " + e.Client.ID + " --native also shows " + brings + " here"
	case own == setup.OwnThere:
		if lacks, some := lacksHooks(host, e.Client); some {
			return "; its own prompts are shown here too" + lacks + "; choicetui setup " + e.Client.ID +
				" adds what is missing"
		}
		return "; its own prompts are not shown here; choicetui setup " + e.Client.ID + " changes that"
	case own == setup.OwnHere && brings != "":
		return "; " + brings + " appear here too"
	case own == setup.OwnHere:
		return "; its own prompts are shown here too"
	default:
		return ""
	}
}

// lacksHooks says what the missing hooks of an agent would bring here. bringsSome reports whether some of the hooks
// that bring prompts are there.
func lacksHooks(host setup.Host, c agent.Client) (words string, bringsSome bool) {
	var lacks []string
	lateTools := ""
	for _, t := range c.Also {
		for _, s := range t.Sets {
			if !s.Listed || s.Path[0] != "hooks" {
				continue
			}
			one := t
			one.Sets = []agent.Setting{s}
			c.Also = []agent.Target{one} // so that OwnAsks looks for this hook alone
			brings := s.Brings
			switch there := setup.OwnAsks(host, c) != setup.OwnThere; {
			case brings == "" && !there: // the hook that makes the agent wait for our tools
				lateTools = "; a prompt on its command line is sent before it has our tools"
			case brings != "" && !there:
				lacks = append(lacks, brings)
			case brings != "":
				bringsSome = true
			}
		}
	}
	if len(lacks) > 0 {
		words = ", except " + strings.Join(lacks, ", ")
	}
	return words + lateTools, bringsSome
}

// checkLocal completes the finding about an entry that counts only in one directory. A failure becomes a warning,
// because the agent works in all other directories.
func checkLocal(e setup.Entry, f finding) finding {
	f.Check += ", in " + e.Local
	f.Detail += "; in that directory this entry takes precedence over the global one"
	if f.Status != isOK {
		f.Status, f.Remedy = isWarn, "take it out: cd "+agent.ShellQuoted(e.Local)+" && "+e.Client.LocalRemove
	}
	return f
}

// checkEntry checks whether an agent's entry for choicetui can be started. ours reports whether it starts this very
// program.
func checkEntry(host setup.Host, e setup.Entry) (f finding, ours bool) {
	again := "choicetui setup " + e.Client.ID
	if e.Project {
		again = "edit " + e.Path
	}
	if e.Err != nil {
		return finding{e.Client.Name, isFail, setup.Left{Path: e.Path, Err: e.Err}.Words(),
			"repair the file, then run: " + again}, false
	}
	if len(e.Command) == 0 {
		return finding{e.Client.Name, isWarn,
			"it does not know choicetui: no entry in " + e.Path + " starts it", again}, false
	}
	starts := e.Path + " starts “" + shellLine(e.Command) + "”"
	file, err := setup.Started(host, e)
	if err != nil {
		return finding{e.Client.Name, isFail, starts + ", and " + err.Error(), again}, false
	}
	if self, err := os.Executable(); err == nil && !agent.SameFile(self, file) {
		return finding{e.Client.Name, isWarn, starts + ", which is another program: " + file,
			"if it should be this one: " + again}, false
	}
	return checkOurs(e, starts, again), true
}

// checkOurs checks what may keep an agent from using an entry that starts this very program.
func checkOurs(e setup.Entry, starts, again string) finding {
	repair := "repair it in " + e.Path
	if !e.Project {
		repair += "; or take the entry out there, then run: " + again
	}
	switch {
	case len(e.Faults) > 0:
		return finding{e.Client.Name, isFail, starts + ", and " + strings.Join(e.Faults, "; "), repair}
	case !setup.Serves(e.Command):
		return finding{e.Client.Name, isFail, starts + ", which serves no agent: it has to run choicetui mcp", again}
	case e.Off != "":
		remedy := again // it switches the entry on
		if c := e.Client; e.Project || c.Server.Format != agent.JSON && c.Writer.Command == nil {
			remedy = e.Off
		}
		return finding{e.Client.Name, isWarn, starts + ", but it is switched off", remedy}
	}
	return finding{e.Client.Name, isOK, starts, ""}
}

// checkTimeOut warns if an agent gives up a call before choicetui would answer it.
func checkTimeOut(settings config.Settings, e setup.Entry, f finding) finding {
	needs := agents.Patience(settings, e.Client.ID)
	if f.Status != isFail && e.GivesUp > 0 && e.GivesUp < needs {
		f.Status = isWarn
		f.Detail += fmt.Sprintf(
			"; but the agent gives up after %v, as its entry says, and may hear nothing for up to %v",
			e.GivesUp, needs)
		f.Remedy = "remove the timeout from " + e.Path + ", then run: choicetui setup " + e.Client.ID
	}
	return f
}

// checkTrip asks a question through the person's own entry, as its agent would.
func checkTrip(ctx context.Context, sh *shell, host setup.Host, e setup.Entry, f finding) finding {
	if file, err := setup.Started(host, e); err == nil { // the entry may set a PATH that differs from ours
		e.Command = append([]string{file}, e.Command[1:]...)
	}
	took, err := roundTrip(ctx, sh, host.Home, e)
	switch {
	case err != nil:
		f.Status, f.Remedy = isFail, "choicetui setup "+e.Client.ID+"; if that does not help, run the command by hand"
		f.Detail += ", and a question through it fails: " + err.Error()
		return f
	case len(e.Hidden) > 0:
		f.Status, f.Remedy = isWarn, "choicetui setup "+e.Client.ID
		f.Detail += "; it hides " + strings.Join(slices.Sorted(slices.Values(e.Hidden)), ", ") +
			", so it uses another queue or other settings than this shell"
		return f
	}
	f.Detail += fmt.Sprintf("; a test question was asked, answered and withdrawn in %d ms", took.Milliseconds())
	return f
}

// checkFiles warns of settings files of the agent that cannot be read or changed. Setup alone does not help then. ours
// says that the entry starts this program.
func checkFiles(host setup.Host, e setup.Entry, ours bool, f finding) finding {
	again, before := "choicetui setup "+e.Client.ID, f.Remedy
	for _, o := range setup.Obstacles(host, e.Client, ours) {
		if condition, bare := strings.CutSuffix(before, again); bare && strings.HasSuffix(o.Remedy, again) {
			f.Remedy, before = condition+o.Remedy, ""
		}
		f = f.withWarning(say.OneLine(o.Words()), o.Remedy)
	}
	return f
}

// checkPlugin warns of a plugin of ours that the agent does not load.
func checkPlugin(host setup.Host, e setup.Entry, f finding) finding {
	file := setup.UnloadedPlugin(host, e.Client)
	if file == "" {
		return f
	}
	return f.withWarning(file+" was written by an older choicetui, and "+e.Client.Name+
		" does not load it, so its own prompts are not shown here", "choicetui setup "+e.Client.ID)
}

// checkBefore warns where nothing in the newest session of an agent is understood, so that what it was doing is not
// shown.
func checkBefore(newest transcript.Newest, f finding) finding {
	if newest.Path == "" || newest.Understood {
		return f
	}
	return f.withWarning("nothing in "+say.OneLine(newest.Path)+
		" is understood, so what it was doing is not shown beside its questions", "get a newer choicetui")
}

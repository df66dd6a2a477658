package claude

import (
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// dialog finds out what became of a prompt of Claude Code: an approval beside which Claude shows a dialog of its own,
// or a form of another server. Claude ends the hook where the person refuses there, and leaves it running where they
// allow, or press Esc during a form. These signs tell that the prompt is over:
//
//	transcript ─► the result of the call that the prompt is about ─► answered, interrupted, or decided by a hook
//	/proc      ─► a new child of Claude that runs our command     ─► answered
//	sessions   ─► Claude says that it waited for its person, and no longer does        ─► answered
//	tmux       ─► else: the dialog was in Claude's pane, and is no longer              ─► perhaps answered
//
// A hook's input does not name its call. It is one with our tool and input that Claude made before it started the hook,
// and that was not over by then. Where several are left, Claude uses most tools one call after the other, so ours is
// the first. Where it asks about several calls at once, nobody can tell which of them is ours: see group.
type dialog struct {
	session string // the path of the session's transcript
	calls   calls
	began   time.Time     // when Claude started the hook
	serial  bool          // Claude uses the tool for one call at a time
	form    bool          // a form of another server
	command func() string // returns the shell command that is asked about; empty: another tool
	// headless means that Claude shows no dialog, so only the hook can answer.
	headless bool

	started prompt.Children // the processes that Claude has started
	status  status
	pane    pane
	quiet   int // how many looks in a row Claude has no longer waited for its person

	self   prompt.Alike          // this very prompt
	others func() []prompt.Alike // returns the others that are alike, whether they wait or not; nil: there are none
}

// oneAtATime lists the tools that Claude uses one after the other. At most one of their dialogs is open at a time,
// except for commands that only read.
var oneAtATime = []string{"Bash", "Edit", "MultiEdit", "NotebookEdit", "Write", toolPlan}

// dialog returns the dialog beside an approval; nil if the event names no transcript to follow. The tool's input, which
// may be large, is read at the first look.
func (e hook) dialog() prompt.Dialog {
	input := sync.OnceValue(func() (o wire.Object) { o, _ = wire.Read(e.ToolInput()); return o })
	want := sync.OnceValue(func() (v any) { _ = json.Unmarshal(input().JSON(), &v); return v })
	d := e.follow(func(tool string, made any) bool { return tool == e.Tool && reflect.DeepEqual(made, want()) })
	if d == nil {
		return nil
	}
	d.serial = slices.Contains(oneAtATime, e.Tool)
	d.command = func() (command string) {
		if e.Tool == "Bash" {
			command, _ = input().Text("command")
		}
		return command
	}
	return d
}

// formDialog returns the dialog that follows a form of another server: it is over when all calls of that server are.
func (e hook) formDialog(server string) prompt.Dialog {
	prefix := "mcp__" + regexp.MustCompile(`[^A-Za-z0-9_-]`).ReplaceAllString(server, "_") + "__"
	d := e.follow(func(tool string, _ any) bool { return strings.HasPrefix(tool, prefix) })
	if d == nil {
		return nil
	}
	d.form, d.headless = true, true
	return d
}

// follow returns a dialog about calls of the agent that asks, which may be a subagent.
func (e hook) follow(wanted func(tool string, input any) bool) *dialog {
	path, _ := e.Text("transcript_path", "transcriptPath")
	if !filepath.IsAbs(path) {
		return nil
	}
	session := path
	if e.Subagent != "" {
		if filepath.Base(e.Subagent) != e.Subagent {
			return nil
		}
		path = filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-"+e.Subagent+".jsonl")
	}
	return &dialog{session: session, began: timed(time.Now()), calls: calls{wanted: wanted, ends: map[string]callEnd{},
		transcript: prompt.Tail{Path: path, First: prompt.MostTranscript}}}
}

// timed returns a time as Claude writes it.
func timed(t time.Time) time.Time { return t.Truncate(time.Millisecond) }

// Watch makes Look also watch the process of Claude: its state file and, where there is a /proc, whether it runs the
// command. pid 0 means that the process is not known. began is when Claude started the hook.
func (d *dialog) Watch(pid int, began time.Time) {
	d.began = timed(began)
	if d.started.PID = pid; pid != 0 {
		d.status = status{file: stateFile(d.session, pid), since: d.began}
	}
}

// Headless says that Claude shows no dialog beside the prompt, so that only the hook can answer.
func (d *dialog) Headless() { d.headless = true }

// Shown reports whether Claude shows a dialog beside the prompt.
func (d *dialog) Shown() bool { return !d.headless }

// IsForm reports whether the dialog is a form of another server.
func (d *dialog) IsForm() bool { return d.form }

// Among says which prompt this is, and how to find those that are alike.
func (d *dialog) Among(self prompt.Alike, others func() []prompt.Alike) {
	d.self, d.others = self, others
}

// Look reads the new lines of the transcript and returns the state of the dialog.
func (d *dialog) Look() prompt.Sign {
	runs := d.commandRuns() // at each look, as it tells new processes from old ones
	end, group, known := d.end(runs)
	switch {
	case known:
		return end.how
	case runs && len(group) == 0 && d.headless:
		return prompt.SignByHook // nobody else can have allowed it
	case runs && len(group) == 0:
		return prompt.SignAnswered
	case d.saysForMe() && d.stoppedWaiting():
		return prompt.SignAnswered
	case d.isSurplus(group):
		return prompt.SignPerhaps
	case d.saysForMe() && !d.status.says && d.pane.dialogGone(): // Claude does not say whether it waits
		return prompt.SignPerhaps
	}
	return prompt.SignOpen
}

// saysForMe reports whether Claude's state file tells about this dialog: Claude draws no dialog for a form while its
// hook runs, nor for the prompt of a subagent in the background.
func (d *dialog) saysForMe() bool { return d.Shown() && d.calls.transcript.Path == d.session }

// end returns how the call that the dialog is about ended. known is false if it is not over, or not found. group has
// the other prompts between which the calls cannot be told apart. It is only looked for, as that reads the queue, if
// the calls give a reason to, or if the command runs.
func (d *dialog) end(runs bool) (end callEnd, group []prompt.Alike, known bool) {
	d.calls.readNew(d.began)
	may := d.calls.since(d.began)
	if runs || len(may) != 1 || d.openAmong(may) == 0 {
		group = d.group(may)
	}
	if own, sure := d.own(may, group); sure {
		end, known = d.calls.ends[own.id]
		return end, group, known
	}
	if d.allOver(may, group) {
		return d.commonEnd(may), group, true
	}
	end, known = d.missedEnd(may)
	return end, group, known
}

// writtenWithin is the time in which Claude surely has written down a call about which it asks.
const writtenWithin = 5 * time.Second

// allOver reports whether the calls are over of all prompts that cannot be told apart. A call of one of them may not be
// written down yet.
func (d *dialog) allOver(may []madeCall, group []prompt.Alike) bool {
	if len(may) == 0 || d.openAmong(may) > 0 {
		return false
	}
	last := d.calls.ends[may[len(may)-1].id].at
	return len(may) > len(group) || time.Since(last) > writtenWithin
}

// own returns the call that the dialog is about. sure is false if it is not known which of them it is.
func (d *dialog) own(may []madeCall, group []prompt.Alike) (own madeCall, sure bool) {
	switch {
	case d.form || len(may) == 0 || len(group) > 0:
		return own, false
	case len(may) == 1:
		return may[0], true
	}
	// Claude goes through the calls in their order, so an end behind a call that is open shows another order.
	firstOpen := slices.IndexFunc(may, func(m madeCall) bool { return !d.calls.isOver(m) })
	lastOver := -1
	for i, m := range may {
		if d.calls.isOver(m) {
			lastOver = i
		}
	}
	return may[0], d.serial && (firstOpen < 0 || lastOver < firstOpen)
}

// askedWithin is the time within which a prompt is in the queue after Claude has started its hook.
const askedWithin = time.Second

// group returns the other prompts that may be about one of these calls as well. A prompt that was asked before this one
// is not among them if a call has ended between both: that was its own. Nor is one that came after the first of these
// calls was over, as Claude asks about the next call only then.
func (d *dialog) group(may []madeCall) (group []prompt.Alike) {
	if d.others == nil || len(may) == 0 {
		return nil
	}
	first := time.Time{}
	for _, m := range may {
		if e, over := d.calls.ends[m.id]; over && (first.IsZero() || e.at.Before(first)) {
			first = e.at
		}
	}
	for _, o := range d.others() {
		before := o.At.Before(d.began) && d.calls.endedBetween(o.At.Add(-askedWithin), d.began)
		behind := d.serial && o.At.After(d.began) && !first.IsZero() && o.At.After(first)
		if !before && !behind {
			group = append(group, o)
		}
	}
	return group
}

// openAmong returns how many of the calls are not over.
func (d *dialog) openAmong(may []madeCall) (open int) {
	for _, m := range may {
		if !d.calls.isOver(m) {
			open++
		}
	}
	return open
}

// isSurplus reports whether more prompts wait than calls are open, and this is one of the oldest, which are probably
// over. The others stay as they are, as one is needed for each open call.
func (d *dialog) isSurplus(group []prompt.Alike) bool {
	may := d.calls.since(d.began)
	open := d.openAmong(may)
	if open == len(may) || len(may) <= len(group) {
		return false // none is over, or some are not written down yet
	}
	prompts, older := 1, 0
	for _, o := range group {
		if !o.Pending {
			continue
		}
		prompts++
		if o.At.Before(d.self.At) || o.At.Equal(d.self.At) && o.ID < d.self.ID {
			older++
		}
	}
	return older < prompts-open
}

// commonEnd returns how calls ended that cannot be told apart and are all over. A call about which a hook decided may
// be that of a prompt that was answered here.
func (d *dialog) commonEnd(may []madeCall) (common callEnd) {
	for _, m := range may {
		e := d.calls.ends[m.id]
		if d.form && e.how == prompt.SignAnswered {
			e.how = prompt.SignByAgent // its server has given the form up
		}
		switch {
		case common.how == prompt.SignOpen || common.how == prompt.SignByHook:
			common = e
		case e.how != prompt.SignByHook && e.how != common.how:
			return callEnd{at: e.at, how: prompt.SignUnsure}
		}
	}
	return common
}

// missedAfter is the time after which a call that ended while its hook was being started counts as the one asked about.
const missedAfter = 2 * time.Second

// missedEnd returns the end of a call that was decided while Claude was starting the hook, as an editor does that
// allows everything. It is only taken where no other call is left and Claude does not wait for its person.
func (d *dialog) missedEnd(may []madeCall) (end callEnd, missed bool) {
	if d.form || len(may) > 0 || len(d.calls.made) == 0 || d.status.waits || time.Since(d.began) < missedAfter {
		return end, false
	}
	last := d.calls.made[len(d.calls.made)-1]
	end, over := d.calls.ends[last.id]
	return end, over && end.at.After(d.began.Add(-missedBy))
}

// missedBy is the most that Claude needs to start a hook.
const missedBy = prompt.LookEvery / 4

// stoppedWaiting reports whether Claude waited for its person and no longer does. The transcript then has a quarter
// of a second to say who decided.
func (d *dialog) stoppedWaiting() bool {
	if !d.status.stoppedWaiting() {
		d.quiet = 0
		return false
	}
	d.quiet++
	return d.quiet > 1
}

// commandRuns reports whether Claude has begun to run the command since the first look.
func (d *dialog) commandRuns() bool {
	if d.command == nil || d.started.PID == 0 {
		return false
	}
	command := d.command()
	return command != "" && d.started.StartedCommand("eval "+command+" < /dev/null")
}

// AnsweredThere reports whether the person answered in Claude instead of interrupting it: Claude ends its hook for
// both.
func (d *dialog) AnsweredThere() bool {
	end, _, known := d.end(false)
	return known && end.how == prompt.SignAnswered
}

// Took tells from the transcript whether Claude took what the hook printed while the dialog was open.
func (d *dialog) Took(p prompt.Printed) prompt.Taken {
	d.calls.readNew(d.began)
	may := d.calls.since(d.began)
	if d.form {
		return d.tookForm(may, p.At)
	}
	group := d.group(may)
	if own, sure := d.own(may, group); sure {
		if e, over := d.calls.ends[own.id]; over {
			return e.took(p)
		}
		return prompt.TakenUnknown
	}
	if !d.allOver(may, group) {
		return prompt.TakenUnknown
	}
	all := d.calls.ends[may[0].id].took(p)
	for _, m := range may[1:] {
		if d.calls.ends[m.id].took(p) != all {
			return prompt.TakenDoubted
		}
	}
	return all
}

// formTaken is the time after which Claude has taken a form that its hook has printed, unless the call of its server
// ended before: no line of the transcript says it.
const formTaken = 1500 * time.Millisecond

// tookEvery is how precisely the times of an answer and of the end of its call are compared.
const tookEvery = prompt.LookEvery / 10

// tookForm tells whether Claude took a form. It has not if the call of the form's server was over before the hook
// printed the answer.
func (d *dialog) tookForm(may []madeCall, printed time.Time) prompt.Taken {
	if len(may) > 0 && d.openAmong(may) == 0 {
		switch e := d.commonEnd(may); {
		case e.how == prompt.SignEnded && e.at.Before(printed):
			return prompt.TakenStopped
		case e.how == prompt.SignEnded && e.at.Before(printed.Add(tookEvery)):
			return prompt.TakenDoubted
		}
		return prompt.TakenIt
	}
	if time.Since(printed) > formTaken {
		return prompt.TakenIt
	}
	return prompt.TakenUnknown
}

// took tells whether the decision about a call is the one that a hook has printed.
func (e callEnd) took(p prompt.Printed) prompt.Taken {
	var printed struct {
		Specific struct {
			Decision struct{ Behavior, Message string }
		} `json:"hookSpecificOutput"`
	}
	_ = json.Unmarshal(p.Output, &printed)
	decision := printed.Specific.Decision
	switch {
	case !e.decided:
		return prompt.TakenDoubted
	case e.how != prompt.SignByHook:
		return prompt.TakenThere
	case e.at.Before(timed(p.At)), e.denied != (decision.Behavior == "deny"),
		e.denied && e.text != "" && !strings.Contains(e.text, prompt.FirstLine(decision.Message)):
		return prompt.TakenByHook
	}
	return prompt.TakenIt
}

// Unconfirmed returns what Confirm needs to know about this dialog.
func (d *dialog) Unconfirmed() prompt.Unconfirmed {
	u := prompt.Unconfirmed{Began: d.began}
	if d.others != nil {
		u.Alike = d.others()
	}
	return u
}

// onceWritten is how long Claude may take to write down the calls about which it asks.
const onceWritten = 800 * time.Millisecond

// IsCallOf reports whether this prompt is the one about which another hook has asked: there is only one such call, and
// it was made before that.
func (d *dialog) IsCallOf(ctx context.Context, asked time.Time) (bool, error) {
	for {
		d.calls.readNew(d.began)
		may := d.calls.since(d.began)
		open := d.openAmong(may)
		switch {
		case len(may) > 1:
			return false, nil
		case len(may) == 1 && may[0].at.After(asked):
			return false, nil
		case len(may) == 1 && open == 0:
			return false, prompt.ErrOver
		case time.Since(d.began) > onceWritten:
			return open == 1, nil
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		}
		queue.Sleep(ctx, tookEvery/2)
	}
}

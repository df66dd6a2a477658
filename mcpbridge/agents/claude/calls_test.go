package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/stretchr/testify/require"
)

// hookBegan is when Claude started the hook in these tests. The times of lines are milliseconds after it.
var hookBegan = time.Date(2026, 11, 28, 18, 0, 0, 0, time.UTC)

// timedLine returns a line of a transcript with a time.
func timedLine(ms int, line string) string {
	at := hookBegan.Add(time.Duration(ms) * time.Millisecond)
	return strings.TrimSuffix(line, "}\n") + fmt.Sprintf(`,"timestamp":%q}`, at.Format("2006-01-02T15:04:05.000Z")) + "\n"
}

// rejectedBy returns the result of a call that was not allowed, with the source of the decision.
func rejectedBy(id, source, words string) string {
	return strings.TrimSuffix(gives(id, words), "}\n") +
		fmt.Sprintf(`,"toolDenialKind":"permission-rule","permissionDecision":{"decision":"reject","source":%q}}`, source) + "\n"
}

// alikeAt returns another prompt that is alike, which came into the queue so long after the hook began.
func alikeAt(id string, ms int) prompt.Alike {
	return prompt.Alike{ID: id, At: hookBegan.Add(time.Duration(ms) * time.Millisecond), Pending: true}
}

// orders returns all orders of some lines.
func orders(lines []string) (all [][]string) {
	if len(lines) < 2 {
		return [][]string{slices.Clone(lines)}
	}
	for i := range lines {
		rest := slices.Delete(slices.Clone(lines), i, i+1)
		for _, o := range orders(rest) {
			all = append(all, append([]string{lines[i]}, o...))
		}
	}
	return all
}

func TestDialog_CallBeforeIsNotItsOwnInAnyOrder(t *testing.T) {
	const touch = `{"command":"touch same"}`
	defer func(was time.Time) { hookBegan = was }(hookBegan)
	hookBegan = timed(time.Now())
	before := []string{ // written down after the hook has started
		timedLine(-120, tookHook("1", "allow")),
		timedLine(-80, decidedBy("1", "hook")),
		timedLine(-30, uses("2", "Bash", touch)),
	}
	for _, order := range orders(before) {
		file := writtenFile{t, filepath.Join(t.TempDir(), "t.jsonl")}
		file.write(timedLine(-900, uses("1", "Bash", touch)))
		d := asks(t, file.path, "Bash", touch, "")
		d.Watch(0, hookBegan)
		for _, line := range order {
			require.Equal(t, prompt.SignOpen, d.Look())
			file.write(line)
		}
		require.Equal(t, prompt.SignOpen, d.Look(), order)
		require.Equal(t, prompt.TakenUnknown, d.Took(prompt.Printed{At: hookBegan.Add(40 * time.Millisecond), Output: allowed}))
		file.write(timedLine(3000, decidedBy("2", "user_temporary")))
		require.Equal(t, prompt.SignAnswered, d.Look(), order)
	}
}

func TestDialog_EndsWithItsOwnCall(t *testing.T) {
	const touch, fetch = `{"command":"touch same"}`, `{"url":"https://a.org","prompt":"x"}`
	batch := timedLine(-90, uses("1", "Bash", touch)) + timedLine(-80, uses("2", "Bash", touch)) +
		timedLine(-70, uses("3", "Bash", touch))
	fetches := strings.ReplaceAll(strings.ReplaceAll(batch, `"Bash"`, `"WebFetch"`), touch, fetch)
	for name, c := range map[string]struct {
		tool, input string
		lines       string // in the transcript at the first look
		others      []prompt.Alike
		steps       []string
		want        []prompt.Sign
	}{
		"the call after it is not its own": {"Bash", touch, timedLine(-50, uses("1", "Bash", touch)), nil,
			[]string{timedLine(400, uses("2", "Bash", touch)), timedLine(300, decidedBy("1", "user_temporary"))},
			[]prompt.Sign{prompt.SignOpen, prompt.SignAnswered}},
		"the first of three in one message": {"Bash", touch, batch, nil,
			[]string{timedLine(500, decidedBy("1", "user_temporary"))}, []prompt.Sign{prompt.SignAnswered}},
		"the second of three": {"Bash", touch, batch, []prompt.Alike{alikeAt("b", -40)},
			[]string{timedLine(-20, decidedBy("1", "user_temporary")), timedLine(700, rejectedBy("2", "user_reject", "no"))},
			[]prompt.Sign{prompt.SignOpen, prompt.SignEnded}},
		"the second, while the row of the first is still there": {"Bash", touch,
			batch + timedLine(-20, decidedBy("1", "user_temporary")), []prompt.Alike{alikeAt("b", -40), alikeAt("c", 900)},
			[]string{timedLine(700, decidedBy("2", "user_temporary"))}, []prompt.Sign{prompt.SignAnswered}},
		"three asked at once: the oldest is perhaps over": {"WebFetch", fetch, fetches,
			[]prompt.Alike{alikeAt("b", 11), alikeAt("c", 12)},
			[]string{timedLine(900, decidedBy("2", "user_temporary")), timedLine(950, decidedBy("3", "user_temporary")),
				timedLine(990, decidedBy("1", "user_temporary"))},
			[]prompt.Sign{prompt.SignPerhaps, prompt.SignPerhaps, prompt.SignAnswered}},
		"three asked at once: a younger one stays": {"WebFetch", fetch, fetches,
			[]prompt.Alike{alikeAt("a", 1), alikeAt("c", 12)},
			[]string{timedLine(900, decidedBy("1", "user_temporary")), timedLine(950, decidedBy("3", "user_temporary"))},
			[]prompt.Sign{prompt.SignOpen, prompt.SignPerhaps}},
		"three asked at once, over in two ways": {"WebFetch", fetch, fetches,
			[]prompt.Alike{alikeAt("b", 11), alikeAt("c", 12)},
			[]string{timedLine(900, decidedBy("1", "user_temporary")) + timedLine(950, rejectedBy("2", "user_reject", "no")) +
				timedLine(990, decidedBy("3", "user_temporary"))}, []prompt.Sign{prompt.SignUnsure}},
		"two commands that only read, asked at once": {"Bash", touch,
			timedLine(-90, uses("1", "Bash", touch)) + timedLine(-80, uses("2", "Bash", touch)), []prompt.Alike{alikeAt("a", 5)},
			[]string{timedLine(800, decidedBy("1", "user_temporary"))}, []prompt.Sign{prompt.SignOpen}},
		"its call is not written down, that of the other is": {"WebFetch", fetch,
			timedLine(-90, uses("1", "WebFetch", fetch)), []prompt.Alike{alikeAt("a", 5)},
			[]string{timedLine(int(time.Since(hookBegan).Milliseconds()), decidedBy("1", "user_temporary"))}, []prompt.Sign{prompt.SignOpen}},
		"another hook denied it": {"Bash", touch, timedLine(-50, uses("1", "Bash", touch)), nil,
			[]string{timedLine(900, tookHook("1", "deny")) + timedLine(901, rejectedBy("1", "hook", "policy"))},
			[]prompt.Sign{prompt.SignByHook}},
		"another hook allowed it": {"Bash", touch, timedLine(-50, uses("1", "Bash", touch)), nil,
			[]string{timedLine(900, decidedBy("1", "hook"))}, []prompt.Sign{prompt.SignByHook}},
		"refused in an editor": {"Bash", touch, timedLine(-50, uses("1", "Bash", touch)), nil,
			[]string{timedLine(900, rejectedBy("1", "user_reject", "User refused permission to run tool"))},
			[]prompt.Sign{prompt.SignEnded}},
		"refused by claude, which asked nobody": {"Bash", touch, timedLine(-50, uses("1", "Bash", touch)), nil,
			[]string{timedLine(900, rejectedBy("1", "config", "it needs approval"))}, []prompt.Sign{prompt.SignByAgent}},
		"allowed by a rule that the person has just made in claude": {"Bash", touch, timedLine(-50, uses("1", "Bash", touch)), nil,
			[]string{timedLine(900, decidedBy("1", "config"))}, []prompt.Sign{prompt.SignByAgent}},
		"an editor allowed it while the hook was being started": {"Bash", touch, timedLine(-50, uses("1", "Bash", touch)) +
			timedLine(-5, decidedBy("1", "user_temporary")), nil, []string{""}, []prompt.Sign{prompt.SignAnswered}},
	} {
		t.Run(name, func(t *testing.T) {
			file := writtenFile{t, filepath.Join(t.TempDir(), "t.jsonl")}
			file.write(c.lines)
			d := asks(t, file.path, c.tool, c.input, "")
			d.Watch(0, hookBegan)
			d.self, d.others = prompt.Alike{ID: "m", At: hookBegan.Add(10 * time.Millisecond)}, func() []prompt.Alike { return c.others }
			for i, step := range c.steps {
				file.write(step)
				require.Equal(t, c.want[i], d.Look(), i)
			}
		})
	}
}

// allowed and denied are what a hook prints.
var (
	allowed = prompt.DecisionOutput(prompt.Allowance())
	denied  = denyOutput("not that one")
)

func TestDialog_TellsWhetherClaudeTookWhatTheHookPrinted(t *testing.T) {
	const touch = `{"command":"touch same"}`
	one := timedLine(-50, uses("1", "Bash", touch))
	two := one + timedLine(-40, uses("2", "Bash", touch))
	for name, c := range map[string]struct {
		lines  string
		prints []byte // 1 s after the hook began
		others []prompt.Alike
		want   prompt.Taken
	}{
		"nothing yet":                {one, allowed, nil, prompt.TakenUnknown},
		"its call is not there yet":  {"", allowed, nil, prompt.TakenUnknown},
		"it took it":                 {one + timedLine(1050, tookHook("1", "allow")), allowed, nil, prompt.TakenIt},
		"its result says so":         {one + timedLine(1050, decidedBy("1", "hook")), allowed, nil, prompt.TakenIt},
		"it took the denial":         {one + timedLine(1050, rejectedBy("1", "hook", "not that one")), denied, nil, prompt.TakenIt},
		"its person was there":       {one + timedLine(1050, decidedBy("1", "user_temporary")), allowed, nil, prompt.TakenThere},
		"No or Esc there":            {one + timedLine(1010, gives("1", refused)), allowed, nil, prompt.TakenThere},
		"another hook was there":     {one + timedLine(990, decidedBy("1", "hook")), allowed, nil, prompt.TakenByHook},
		"another hook said else":     {one + timedLine(1050, rejectedBy("1", "hook", "policy")), allowed, nil, prompt.TakenByHook},
		"another hook denied too":    {one + timedLine(1050, rejectedBy("1", "hook", "policy")), denied, nil, prompt.TakenByHook},
		"an older Claude":            {one + timedLine(1050, gives("1", "done")), allowed, nil, prompt.TakenDoubted},
		"the call before":            {one + timedLine(-20, decidedBy("1", "hook")), allowed, nil, prompt.TakenUnknown},
		"the call after":             {one + timedLine(1050, tookHook("1", "allow")) + timedLine(1300, uses("2", "Bash", touch)) + timedLine(1400, decidedBy("2", "user_temporary")), allowed, nil, prompt.TakenIt},
		"the first of two":           {two + timedLine(1050, decidedBy("1", "hook")), allowed, nil, prompt.TakenIt},
		"one of two asked at once":   {two + timedLine(1050, decidedBy("1", "hook")), allowed, []prompt.Alike{alikeAt("a", 5)}, prompt.TakenUnknown},
		"two asked at once, two":     {two + timedLine(1050, decidedBy("1", "hook")) + timedLine(1060, decidedBy("2", "hook")), allowed, []prompt.Alike{alikeAt("a", 5)}, prompt.TakenIt},
		"two asked at once, one":     {two + timedLine(1050, decidedBy("1", "hook")) + timedLine(1060, decidedBy("2", "user_temporary")), allowed, []prompt.Alike{alikeAt("a", 5)}, prompt.TakenDoubted},
		"two asked at once, neither": {two + timedLine(1050, decidedBy("1", "user_temporary")) + timedLine(1060, decidedBy("2", "user_temporary")), allowed, []prompt.Alike{alikeAt("a", 5)}, prompt.TakenThere},
	} {
		t.Run(name, func(t *testing.T) {
			file := writtenFile{t, filepath.Join(t.TempDir(), "t.jsonl")}
			file.write(c.lines)
			d := asks(t, file.path, "Bash", touch, "")
			d.Watch(0, hookBegan)
			d.others = func() []prompt.Alike { return c.others }
			require.Equal(t, c.want, d.Took(prompt.Printed{At: hookBegan.Add(time.Second), Output: c.prints}))
		})
	}
}

func TestDialog_FormEndsWithTheCallOfItsServer(t *testing.T) {
	call := timedLine(-50, uses("1", "mcp__my_server__deploy", `{}`))
	for name, c := range map[string]struct {
		lines string
		want  prompt.Sign
		took  prompt.Taken // of an answer that was printed 1 s after the hook began
	}{
		"it runs":               {call, prompt.SignOpen, prompt.TakenIt},
		"Esc":                   {call + timedLine(900, gives("1", refused)), prompt.SignEnded, prompt.TakenStopped},
		"Esc behind the answer": {call + timedLine(1020, gives("1", refused)), prompt.SignEnded, prompt.TakenDoubted},
		"Esc long behind it":    {call + timedLine(3000, gives("1", refused)), prompt.SignEnded, prompt.TakenIt},
		"given up":              {call + timedLine(900, gives("1", "timed out")), prompt.SignByAgent, prompt.TakenIt},
		"another server": {call + timedLine(-50, uses("2", "mcp__other__deploy", `{}`)) + timedLine(900, gives("2", refused)),
			prompt.SignOpen, prompt.TakenIt},
		"the call before": {timedLine(-90, uses("0", "mcp__my_server__deploy", `{}`)) + timedLine(-60, gives("0", refused)) + call,
			prompt.SignOpen, prompt.TakenIt},
	} {
		t.Run(name, func(t *testing.T) {
			file := writtenFile{t, filepath.Join(t.TempDir(), "t.jsonl")}
			file.write(c.lines)
			asked, ok := Read([]byte(fmt.Sprintf(`{"session_id":"s","transcript_path":%q,"cwd":"/src","hook_event_name":"Elicitation",`+
				`"mcp_server_name":"my server","message":"Where?","mode":"form","requested_schema":{"type":"object","properties":{`+
				`"name":{"type":"string"}},"required":["name"]}}`, file.path)), func() string { return "t" })
			require.True(t, ok)
			require.NotNil(t, asked.Dialog)
			require.False(t, asked.Dialog.Shown(), "it has a clock, and is not asked without a dashboard")
			asked.Dialog.Watch(0, hookBegan)
			require.Equal(t, c.want, asked.Dialog.Look())
			require.Equal(t, c.took, asked.Dialog.Took(prompt.Printed{At: hookBegan.Add(time.Second)}))
		})
	}
}

func TestStatus_StateFromBeforeTheHookIsAboutAnotherDialog(t *testing.T) {
	file := writtenFile{t, filepath.Join(t.TempDir(), "1.json")}
	state := func(status string, ms int) {
		file.path = filepath.Join(t.TempDir(), "1.json")
		file.write(fmt.Sprintf(`{"sessionId":"s","status":%q,"statusUpdatedAt":%d}`, status,
			hookBegan.Add(time.Duration(ms)*time.Millisecond).UnixMilli()))
	}
	s := status{since: hookBegan}
	for i, c := range []struct {
		status string
		ms     int
		gone   bool
	}{
		{"waiting", -400, false}, {"busy", -100, false}, {"busy", -100, false}, {"busy", -100, false}, // of the call before
		{"waiting", 40, false}, {"busy", 900, false}, {"busy", 900, true},
	} {
		state(c.status, c.ms)
		s.file = file.path
		require.Equal(t, c.gone, s.stoppedWaiting(), i)
	}
}

func TestDialog_QueueIsNotReadForOneOpenCall(t *testing.T) {
	const touch = `{"command":"touch same"}`
	file := writtenFile{t, filepath.Join(t.TempDir(), "t.jsonl")}
	file.write(timedLine(-50, uses("1", "Bash", touch)))
	d := asks(t, file.path, "Bash", touch, "")
	d.Watch(0, hookBegan)
	reads := 0
	d.others = func() []prompt.Alike { reads++; return nil }
	for range 10 { // a prompt may be open for a day
		require.Equal(t, prompt.SignOpen, d.Look())
	}
	require.Zero(t, reads)
}

func TestDialog_StateOfClaudeTellsNothingOfAPromptThatItDoesNotDraw(t *testing.T) {
	const touch = `{"command":"touch same"}`
	home := t.TempDir()
	dir := filepath.Join(home, "projects", "-src")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "s", "subagents"), 0o700))
	require.NoError(t, os.MkdirAll(filepath.Join(home, "sessions"), 0o700))
	session := writtenFile{t, filepath.Join(dir, "s.jsonl")}
	session.write(timedLine(-50, uses("1", "Bash", touch)))
	writtenFile{t, filepath.Join(dir, "s", "subagents", "agent-ab3.jsonl")}.write(timedLine(-50, uses("2", "Bash", touch)))
	for name, c := range map[string]struct {
		more     string
		headless bool
		want     prompt.Sign
	}{
		"a dialog":                   {"", false, prompt.SignAnswered},
		"a subagent":                 {`,"agent_id":"ab3","agent_type":"reviewer"`, false, prompt.SignOpen},
		"a program that asks nobody": {"", true, prompt.SignOpen},
	} {
		d := asks(t, session.path, "Bash", touch, c.more)
		d.Watch(4711, hookBegan)
		d.headless = c.headless
		var got prompt.Sign
		for _, state := range []string{"waiting", "busy", "busy", "busy"} { // another dialog comes and goes
			require.NoError(t, os.WriteFile(filepath.Join(home, "sessions", "4711.json"),
				[]byte(`{"sessionId":"s","status":"`+state+`"}`), 0o600))
			got = d.Look()
		}
		require.Equal(t, c.want, got, name)
	}
}

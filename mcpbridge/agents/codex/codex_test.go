package codex

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt/marks"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// codexRequest reads a request as it was recorded.
func codexRequest(t testing.TB, stdin []byte) Request {
	var m struct {
		Method     string
		ID, Params json.RawMessage
		Changes    json.RawMessage // what its thread said before of what it would change
	}
	require.NoError(t, json.Unmarshal(stdin, &m))
	return Request{Method: m.Method, ID: m.ID, Params: m.Params, Cwd: "/src/work2", Server: 7, Changes: m.Changes}
}

func TestCodexIsAnsweredInItsOwnForm(t *testing.T) {
	t.Parallel()
	for _, r := range agenttest.All(t, "codex") {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			asked, ok := ReadRequest(codexRequest(t, r.Stdin))
			if !r.IsAnswered(t, asked, ok) {
				return
			}
			require.True(t, ok)
			require.Equal(t, "codex", asked.Origin.Client)
			require.Equal(t, "/src/work2", asked.Origin.Cwd)
			require.Equal(t, "01a2000d-938f-77a0-9c03-595a8ce1966f", asked.Origin.Thread)
			out := asked.Render(agenttest.Settled(t, asked, r))
			if r.Stdout == nil {
				require.Empty(t, string(out))
				return
			}
			require.Equal(t, string(r.Stdout), string(out)+"\n")
		})
	}
}

func TestATimeThatIsUpTellsCodexNothing(t *testing.T) {
	t.Parallel()
	for _, r := range agenttest.All(t, "codex") {
		if asked, ok := ReadRequest(codexRequest(t, r.Stdin)); ok {
			over := queue.Session{Ask: asked.Ask, Outcome: &queue.Outcome{Status: queue.StatusTimeout, By: queue.ByClock}}
			require.Empty(t, asked.Render(over), r.Name)
			over.Outcome = &queue.Outcome{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in codex"}
			require.Empty(t, asked.Render(over), r.Name)
			over.Outcome = &queue.Outcome{Status: queue.StatusCancelled, By: queue.ByCaller, Reason: "it went away"}
			require.Empty(t, asked.Render(over), r.Name)
		}
	}
}

func TestTheSameRequestOfCodexHasTheSameSourceAndItsTimeIsCodexs(t *testing.T) {
	t.Parallel()
	r := codexRequest(t, agenttest.Read(t, "codex", "question"))
	asked, ok := ReadRequest(r)
	require.True(t, ok)
	require.Equal(t, "codex:01a2000d-938f-77a0-9c03-595a8ce1966f/call_21_mwqxupsl0/0", asked.Origin.Source)
	require.Equal(t, 7, asked.Origin.PID)
	require.Zero(t, asked.Within)
	var params map[string]any
	require.NoError(t, json.Unmarshal(r.Params, &params))
	params["autoResolutionMs"] = 90_500
	r.Params, _ = json.Marshal(params)
	asked, ok = ReadRequest(r)
	require.True(t, ok)
	require.Equal(t, 90_500*time.Millisecond, asked.Within)
}

func TestACodexApprovalShowsAllThatItAllowsAndWhatCodexOffers(t *testing.T) {
	t.Parallel()
	accept := queue.Option{ID: "accept", Label: "Allow once", Act: queue.ActOnce}
	decline := queue.Option{ID: "decline", Label: "Refuse", Act: queue.ActRefuse}
	stop := queue.Option{ID: "cancel", Label: "Refuse, and stop this turn", Act: queue.ActRefuse,
		Description: "Codex ends what it is doing and waits for you."}
	for name, c := range map[string]struct {
		title, reason string
		parts         []queue.Part
		marks         []string
		options       []queue.Option
	}{
		"command_once": {"Allow command: touch /src/proof-codex", "Need to touch a proof file outside the workspace",
			[]queue.Part{{Kind: queue.PartCommand, Text: "/bin/bash -lc 'touch /src/proof-codex'"}},
			[]string{queue.MarkOutside}, []queue.Option{accept,
				{ID: "acceptWithExecpolicyAmendment-2", Label: "Allow every command that begins with “touch /src/proof-codex”, in every session",
					Act: queue.ActAlways}, stop}},
		"command_refused": {"Allow command: make \"all tests\"", "",
			[]queue.Part{{Kind: queue.PartCommand, Text: "make \"all tests\""},
				{Kind: queue.PartText, Label: "with", Text: "additionalPermissions: {\"network\":true}"}},
			nil, []queue.Option{accept, {ID: "acceptForSession", Label: "Allow exactly this command, until this session ends",
				Act: queue.ActSession}, decline, stop}},
		"network_always": {"Allow command: https://example.org", "", []queue.Part{
			{Kind: queue.PartAddress, Text: "https://example.org"}, {Kind: queue.PartCommand, Text: "./fetch"}},
			[]string{queue.MarkNetwork}, []queue.Option{accept,
				{ID: "applyNetworkPolicyAmendment-2", Label: "Allow every command to reach example.org, in every session",
					Act: queue.ActAlways},
				{ID: "applyNetworkPolicyAmendment-3", Label: "Refuse always: example.org",
					Description: "Codex keeps a rule, and no command reaches example.org any more."}, decline}},
		"files_session": {"Allow edit: /src/work2/a.go, /src/work2/b.go, /src/work2/c.go, /src/other/d.go", "tidy up",
			[]queue.Part{{Kind: queue.PartDiff, Label: "/src/work2/a.go", Text: "@@ -1 +1 @@\n-a\n+b"},
				{Kind: queue.PartDiff, Label: "/src/work2/b.go", Text: "+new\n+file"},
				{Kind: queue.PartDiff, Label: "/src/work2/c.go", Text: "-old\n\\ the file is removed"},
				{Kind: queue.PartDiff, Label: "/src/other/d.go", Text: "@@ -1 +1 @@\n-x\n+y"},
				{Kind: queue.PartFile, Label: "/src/work2/e.go", Text: "move /src/other/d.go here"}},
			[]string{queue.MarkOutside}, []queue.Option{accept, {ID: "acceptForSession", Label: "Allow changes of these files, until this session ends",
				Act: queue.ActSession}, decline, stop}},
	} {
		asked, ok := ReadRequest(codexRequest(t, agenttest.Read(t, "codex", name)))
		require.True(t, ok, name)
		require.Equal(t, queue.KindApproval, asked.Ask.Kind)
		require.Equal(t, c.title, asked.Ask.Title, name)
		require.Equal(t, c.reason, asked.Ask.Prompt, name)
		require.Equal(t, c.parts, asked.Ask.Approval.Parts, name)
		require.Equal(t, c.marks, asked.Ask.Approval.Marks, name)
		require.Equal(t, slices.ContainsFunc(c.marks, queue.IsRed), asked.Ask.Confirm, name)
		require.Equal(t, c.options, asked.Ask.Questions[0].Options, name)
	}
}

func TestWhyThePersonRefusesIsALineForTheSession(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"command_refused": "use make test", "command_once": "",
		"command_declined": "The person declined to answer: “not now”. Do not choose for them.",
		"command_stopped":  "wait for me\nI am not done", "files_session": ""} {
		for _, r := range agenttest.All(t, "codex") {
			if r.Name == name {
				asked, ok := ReadRequest(codexRequest(t, r.Stdin))
				require.True(t, ok)
				require.Equal(t, want, asked.Beside(agenttest.Settled(t, asked, r)), name)
			}
		}
	}
}

func TestTheShellOfEveryCommandMarksNone(t *testing.T) {
	t.Parallel()
	for command, want := range map[string][]string{"/bin/bash -lc 'go test ./...'": nil,
		"/bin/bash -lc 'rm -r x'": {queue.MarkDestroys}, "/usr/bin/zsh -lc 'cat /etc/passwd'": {queue.MarkReads},
		"/bin/bash /tmp/x": {queue.MarkOutside}, "true; /bin/bash -lc 'cp x ..'": {queue.MarkOutside}} {
		require.Equal(t, want, marks.Of(queue.Approval{Dir: "/src", Parts: []queue.Part{{Kind: queue.PartCommand,
			Text: command}}}), command)
	}
}

func TestEachPathThatCodexAsksForIsARow(t *testing.T) {
	t.Parallel()
	asked, ok := ReadRequest(codexRequest(t, agenttest.Read(t, "codex", "permissions_turn")))
	require.True(t, ok)
	require.Equal(t, queue.KindApproval, asked.Ask.Kind)
	require.Equal(t, "Codex wants 4 more permissions", asked.Ask.Title)
	require.Equal(t, []queue.Option{{ID: "network", Label: "Use the network"}, {ID: "entries-1", Label: "Write /src/other"},
		{ID: "entries-2", Label: "Read /src/work2/**/*.env"}, {ID: "entries-3", Label: "Write :tmpdir/x"},
		{ID: "turn", Label: "Allow for this turn", Act: queue.ActOnce},
		{ID: "session", Label: "Allow until this session ends", Act: queue.ActSession},
		{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse}}, asked.Ask.Questions[0].Options)
	require.True(t, asked.Ask.Grants())
	require.Equal(t, []string{queue.MarkOutside, queue.MarkNetwork}, asked.Ask.Approval.Marks)
	require.True(t, asked.Ask.Confirm)
	require.Equal(t, []queue.Part{{Kind: queue.PartText,
		Text: "Use the network\nWrite /src/other\nRead /src/work2/**/*.env\nWrite :tmpdir/x"}}, asked.Ask.Approval.Parts)
}

func TestWhereCodexAsksForOneThingOrForMoreThanHasDigitsAllOfItIsAllowed(t *testing.T) {
	t.Parallel()
	for _, paths := range []int{1, 7} {
		r := codexRequest(t, agenttest.Read(t, "codex", "permissions_lists"))
		write := make([]string, paths)
		for i := range write {
			write[i] = fmt.Sprint("/src/", i)
		}
		var params map[string]any
		require.NoError(t, json.Unmarshal(r.Params, &params))
		params["permissions"] = map[string]any{"fileSystem": map[string]any{"write": write}}
		r.Params, _ = json.Marshal(params)
		asked, ok := ReadRequest(r)
		require.True(t, ok)
		require.Equal(t, queue.ModeSingle, asked.Ask.Questions[0].Mode)
		require.Len(t, asked.Ask.Questions[0].Options, 3)
		require.Equal(t, paths, strings.Count(asked.Ask.Approval.Parts[0].Text, "/src/"))
		out := asked.Render(agenttest.Settled(t, asked, agenttest.Recording{
			Answer: []byte(`{"replies":[{"question":"approval","selected":["turn"]}]}`)}))
		all, _ := json.Marshal(write)
		require.Equal(t, `{"id":3,"result":{"permissions":{"fileSystem":{"write":`+string(all)+`}},"scope":"turn"}}`, string(out))
	}
}

func TestAPathThatWouldLookLikeTwoIsOneLine(t *testing.T) {
	t.Parallel()
	r := codexRequest(t, agenttest.Read(t, "codex", "permissions_lists"))
	r.Params = json.RawMessage(strings.Replace(string(r.Params), "/etc/hosts", `/a\nRead /b`, 1))
	asked, ok := ReadRequest(r)
	require.True(t, ok)
	require.Contains(t, asked.Ask.Approval.Parts[0].Text, `Read "/a\nRead /b"`)
	require.Equal(t, "Read /a<U+000A>Read /b", asked.Ask.Questions[0].Options[0].Label)
}

func TestAServerOfCodexsIsAllowedByWhatItSaysInFull(t *testing.T) {
	t.Parallel()
	asked, ok := ReadRequest(codexRequest(t, agenttest.Read(t, "codex", "form_consent")))
	require.True(t, ok)
	require.Equal(t, queue.KindApproval, asked.Ask.Kind)
	require.Equal(t, "Allow files: Allow the files server to run tool \"remove\"?", asked.Ask.Title)
	require.Equal(t, "with _meta (JSON)", asked.Ask.Approval.Parts[1].Label)
	require.Contains(t, asked.Ask.Approval.Parts[1].Text, `"path": "/src/x"`)
	address, ok := ReadRequest(codexRequest(t, agenttest.Read(t, "codex", "form_address")))
	require.True(t, ok)
	require.Equal(t, []queue.Part{{Kind: queue.PartAddress, Text: "https://example.org/login?x=1"}},
		address.Ask.Approval.Parts)
}

func TestTheTitleOfACodexCommandHasNeitherTheShellNorItsQuotes(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		`/bin/bash -lc 'touch a b'`:            `touch a b`,
		`/bin/bash -lc 'echo '\''a'\'' > b'`:   `echo 'a' > b`,
		`/bin/zsh -lc "echo 'a' \"b\" \$HOME"`: `echo 'a' "b" $HOME`,
		`/bin/bash -lc 'a' 'b'`:                `'a' 'b'`,
		`/bin/bash -lc "a" "b"`:                `"a" "b"`,
		`/bin/bash -lc ls`:                     `ls`,
		`'touch' 'a'`:                          `'touch' 'a'`,
		`make "all tests"`:                     `make "all tests"`,
	} {
		require.Equal(t, want, shellLine(command), command)
	}
}

func TestOnlyTheSameCommandOfThisSessionIsExactAtCodex(t *testing.T) {
	t.Parallel()
	const command = `{"kind":"command","threadId":"t","turnId":"u","itemId":"i","command":"npm test","cwd":"/src",` +
		`"availableDecisions":["accept","acceptForSession",{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":` +
		`["npm","test"]}},"cancel"]`
	for name, c := range map[string]struct{ params, want string }{
		"a command":           {command + `}`, "acceptForSession"},
		"more is given":       {command + `,"additionalPermissions":{"network":true}}`, ""},
		"a host is to be met": {command + `,"networkApprovalContext":{"host":"x.example","protocol":"https"}}`, ""},
	} {
		r := codexRequest(t, agenttest.Read(t, "codex", "command_once"))
		r.Params = json.RawMessage(c.params)
		asked, ok := ReadRequest(r)
		require.True(t, ok, name)
		require.Equal(t, c.want, strings.Join(agenttest.ExactOf(asked), " "), name)
	}
	r := codexRequest(t, agenttest.Read(t, "codex", "files_session"))
	asked, ok := ReadRequest(r)
	require.True(t, ok)
	require.Empty(t, agenttest.ExactOf(asked), "any change of the same files")
}

func TestAPermissionOfCodexForALinkShowsWhereItLeads(t *testing.T) {
	t.Parallel()
	top := agenttest.LinkedProject(t)
	profile, ok := wire.Read([]byte(`{"fileSystem":{"write":["` + top + `/proj/out","` + top + `/proj/sub",":root"]}}`))
	require.True(t, ok)
	grants, ok := codexAsk{}.readGrants(profile, top+"/proj")
	require.True(t, ok)
	require.Equal(t, "Write "+top+"/proj/out → "+top+"/home", grants[0].option.Label)
	require.Equal(t, []string{queue.MarkOutside, "", queue.MarkOutside}, []string{grants[0].mark, grants[1].mark, grants[2].mark})
	require.Equal(t, "Write "+top+"/proj/sub", grants[1].option.Label)
	require.Equal(t, "Write :root", grants[2].option.Label)
}

func FuzzCodexRequest(f *testing.F) {
	for _, r := range agenttest.All(f, "codex") {
		c := codexRequest(f, r.Stdin)
		f.Add(c.Method, []byte(c.ID), []byte(c.Params), []byte(c.Changes), false)
	}
	f.Fuzz(func(t *testing.T, method string, id, params, changes []byte, cut bool) {
		if !json.Valid(id) || !json.Valid(params) { // as they come out of a message
			return
		}
		a, ok := ReadRequest(Request{Method: method, ID: id, Params: params, Changes: changes, Cut: cut, Cwd: "/src", Server: 7})
		agenttest.CheckAsked(t, a, ok)
	})
}

func TestAPatchOfSeveralFilesIsMarkedByEachOfThem(t *testing.T) {
	t.Parallel()
	asked, ok := ReadHook(agenttest.Read(t, "codex-hook", "permission_patch"), agenttest.Token)
	require.True(t, ok)
	require.Equal(t, "Allow apply_patch: new.txt, /etc/hosts", asked.Ask.Title)
	require.Len(t, asked.Ask.Approval.Request, 64)
	asked.Ask.Approval.Request = ""
	require.Equal(t, &queue.Approval{Tool: "apply_patch", Dir: "/src/shop", Marks: []string{queue.MarkOutside},
		Parts: []queue.Part{{Kind: queue.PartDiff, Label: "new.txt", Text: "*** Add File: new.txt\n+hello"},
			{Kind: queue.PartDiff, Label: "/etc/hosts", Text: "*** Update File: /etc/hosts\n@@\n-a\n+b"}}}, asked.Ask.Approval)
}

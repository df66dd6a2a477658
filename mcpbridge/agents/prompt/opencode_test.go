package prompt

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestOpencodeIsAnsweredInItsOwnForm(t *testing.T) {
	t.Parallel()
	for _, r := range recordings(t, "opencode") {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			line, ok := ReadLine(r.stdin)
			asked, isAsked := Opencode(line)
			if !r.isAnswered(t, asked, ok && isAsked) {
				return
			}
			require.True(t, ok && isAsked)
			require.Equal(t, "opencode", asked.Origin.Client)
			require.Equal(t, "/src/work", asked.Origin.Cwd)
			out := string(asked.Render(settled(t, asked, r)))
			require.Equal(t, string(r.stdout), out)
			if out != "" {
				require.True(t, json.Valid([]byte(out)))
			}
		})
	}
}

func TestAnOpencodeApprovalShowsAllThatItAllows(t *testing.T) {
	t.Parallel()
	line, _ := ReadLine(recorded(t, "opencode", "permission_once"))
	asked, ok := Opencode(line)
	require.True(t, ok)
	require.Equal(t, []queue.Part{{Kind: queue.PartCommand, Text: "echo proof > /src/proof-oc"}}, asked.Ask.Approval.Parts)
	require.Equal(t, []string{queue.MarkOutside}, asked.Ask.Approval.Marks)
	require.Equal(t, []queue.Option{{ID: "once", Label: "Allow once", Act: queue.ActOnce},
		{ID: "always", Label: "Allow always: echo *", Act: queue.ActAlways,
			Description: "opencode will not ask again for echo * until its next start."},
		{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse}}, asked.Ask.Questions[0].Options)

	line.Properties = json.RawMessage(`{"id":"` + line.ID + `","sessionID":"s","permission":"edit","patterns":["a.go"],` +
		`"metadata":{"filepath":"/src/work/a.go","diff":"-a\n+b","mode":"\u202e"},"always":[]}`)
	asked, ok = Opencode(line)
	require.True(t, ok)
	require.Equal(t, []queue.Part{{Kind: queue.PartDiff, Label: "/src/work/a.go", Text: "-a\n+b"},
		{Kind: queue.PartText, Label: "with", Text: "mode: \"\u202e\""}},
		asked.Ask.Approval.Parts)
	require.Len(t, asked.Ask.Questions[0].Options, 2, "no rule is offered where opencode offers none")
}

func TestOfOpencode2NothingThatItsServiceSharesIsTheAgents(t *testing.T) {
	t.Parallel()
	line, _ := ReadLine(recorded(t, "opencode", "permission_once"))
	in := &Intake{origin: queue.Origin{PID: 7, Agent: "7-1", Pane: "%3", Cwd: "/home/me", Branch: "main", Instance: "i"}}
	asked, ok := Opencode(line)
	require.True(t, ok)
	require.Equal(t, "%3", in.originOf(asked).Pane, "opencode 1 runs in the pane of its screen")

	line.Generation, line.Client = 2, "kilo"
	asked, ok = Opencode(line)
	require.True(t, ok)
	o := in.originOf(asked)
	require.Equal(t, queue.Origin{Client: "kilo", Cwd: "/src/work", Thread: "ses_dffe6fa31ffeFnzHBj6Y2QLaRu", Instance: "i",
		CallID: line.ID, Source: "kilo:ses_dffe6fa31ffeFnzHBj6Y2QLaRu/" + line.ID}, o)
	require.Equal(t, "in kilo", asked.Where)
	always := asked.Ask.Questions[0].Options[1]
	require.Equal(t, "kilo will not ask again for echo *, also after its next start.", always.Description, "it outlasts the service")
	require.False(t, always.Exact)

	line.Client = "another"
	_, ok = Opencode(line)
	require.False(t, ok)
}

package talk

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

var update = flag.Bool("update", false, "write the golden files anew")

// contract is what the contract of the prompts gives, section by section, to the byte; the frames with their right
// border aligned.
var contract = map[string][]string{
	"1.1": {"Q? [D]:\n[enter]=accept default | [text]=type answer | [d]efer | [!cancel]\n"},
	"1.2": {"Q? [D]:\n[enter]=accept default | [text]=type answer | [w]iden | [d]efer | [!cancel]\n"},
	"1.3": {"Q? [pending-external-input]\n[f]etch & resolve | [local answer]=type answer | [d]efer | [!cancel]\n"},
	"1.4": {"\x1b[2mThis looks like a good widen candidate — press w to consult the team.\x1b[0m\n"},
	"2.1": {`╭─ Widen: Q? ────────────────────────────────────────────────────────╮
│ Default audience for this decision:                                │
│   Alice Johnson, Bob Smith, Carol Lee, Dana Park                   │
│                                                                    │
│ [Enter] to confirm, or type comma-separated names to trim.         │
│ Type "cancel" or press Ctrl+C to abort.                            │
╰────────────────────────────────────────────────────────────────────╯
Audience >
`},
	"2.3": {"Audience confirmed: Alice Johnson, Carol Lee (2 members)\nCalling widen endpoint...\n",
		"\x1b[31mWiden failed:\x1b[0m no way\nReturning to interview prompt.\n"},
	"3": {`╭─ Widened ✓ ────────────────────────────────────────────────────────╮
│ Slack thread created. Alice Johnson and Carol Lee have been        │
│ invited to discuss: "Q?"                                           │
╰────────────────────────────────────────────────────────────────────╯

Block here or continue with other questions? [b/c] (default: b):
`, "Question parked as pending. You'll be prompted to resolve it at end of interview.\n"},
	"4": {`╭─ Waiting for widened discussion ───────────────────────────────────╮
│ Question: Q?                                                       │
│ Participants: Alice Johnson, Carol Lee                             │
│ Slack thread: https://slack.com/archives/C1/p1                     │
╰────────────────────────────────────────────────────────────────────╯

Options:
  [f]etch & review   — fetch current discussion and produce candidate
  <type an answer>   — resolve locally right now (closes Slack thread)
  [d]efer            — defer this question for later

Waiting >
`},
	"4.1": {"\x1b[33mStill waiting on widened discussion.\x1b[0m\n" +
		"Check Slack, type a local answer, or press d to defer.\n\nWaiting >\n"},
	"4.2": {"Resolved locally. SaaS will close the Slack thread shortly.\n"},
	"5.1": {`╔══════════════════════════════════════════════════════════════════╗
║  WIDEN SUMMARIZATION REQUEST                                     ║
║  decision_id: 01ARZ3NDEKTSV4RRFFQ69G5FAV                         ║
║  question: Q?                                                    ║
╚══════════════════════════════════════════════════════════════════╝

[DISCUSSION DATA]
Participants: Alice Johnson, Carol Lee
Message count: 7
Thread URL: https://slack.com/archives/C1/p1

--- Messages ---
`, `[Alice Johnson] Good point. I'd say: PostgreSQL, plan migration from day 1.
... (4 more messages)
---

Based on the discussion above, please produce a candidate summary and answer.
Respond with ONLY the following JSON block (no prose before or after):

` + "```json\n" + `{ "candidate_summary": "<concise summary of the discussion consensus>", ` +
		`"candidate_answer": "<proposed answer to the question above>", "source_hint": "slack_extraction" }
` + "```\n"},
	"5.3": {"\x1b[33mSummarization timed out or produced invalid output.\x1b[0m\n" +
		"Showing raw discussion. Please write the answer manually.\n\n" +
		"[a]ccept empty | [e]dit (blank pre-fill) | [d]efer\n"},
	"6": {`╭─ Candidate Review ─────────────────────────────────────────────────╮
│ Question: Q?                                                       │
│                                                                    │
│ Summary:                                                           │
│   All want PostgreSQL.                                             │
│                                                                    │
│ Proposed answer:                                                   │
│   PostgreSQL, with a plan for migration.                           │
╰────────────────────────────────────────────────────────────────────╯

[a]ccept | [e]dit | [d]efer:
`},
	"6.1": {"\x1b[32mDecision resolved.\x1b[0m\n"},
	"6.2": {"Optional rationale (press Enter to skip):\n"},
	"6.3": {"Rationale for deferral (required):\n", "\x1b[33mDecision deferred.\x1b[0m\n"},
	"7": {`╭─ Pending Widened Questions ────────────────────────────────────────╮
│ 3 widened questions are still pending. Resolve them before         │
│ finalizing the interview.                                          │
╰────────────────────────────────────────────────────────────────────╯

(1/3) Question: Q?
      Widened at: 2026-04-23 16:00 UTC
      Participants: Alice Johnson, Carol Lee
      Fetching discussion...
`},
}

var ulids = regexp.MustCompile(`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b`)

// short returns an interview's question of two letters, with the discussion of the contract.
func short(t *testing.T) *rig {
	r := newRig(t, func(s *queue.Session) {
		s.Ask.Title, s.Ask.Questions[0].Text, s.Ask.Questions[0].DefaultText = "Q?", "Q?", "D"
	})
	r.colour = true
	r.discuss(3, 7)
	return r
}

// discuss makes the discussion so many messages long.
func (r *rig) discuss(messages, of int) {
	var said []widen.Message
	for range messages {
		said = append(said, widen.Message{Name: "Alice Johnson",
			Text: "Good point. I'd say: PostgreSQL, plan migration from day 1."})
	}
	r.team.talk = widen.NewDiscussion([]string{"Alice Johnson", "Carol Lee"}, said, of,
		"https://slack.com/archives/C1/p1")
}

// everything returns what the conversation writes on all its ways.
func everything(t *testing.T) string {
	const names = "Carol Lee, alice johnson"
	var all strings.Builder
	play := func(r *rig, lines ...string) {
		_, out := r.play(lines...)
		all.WriteString(ulids.ReplaceAllString(out, "01ARZ3NDEKTSV4RRFFQ69G5FAV") + "\n")
	}
	r := short(t)
	r.late[Reminded] = 1
	play(r, "[WIDEN-HINT] This looks like a good widen candidate — press w to consult the team.",
		"w", names, "b", "local")
	r = short(t)
	r.edit = func(string) (string, error) { return "MySQL", nil }
	play(r, "w", names, "", "f", summed, "e", "")
	play(short(t), "w", names, "b", "f", summed, "a")
	r = short(t)
	r.late[30*time.Second] = 1
	play(r, "w", names, "b", "f", "d", "later")
	r = short(t)
	r.team.during = func() { r.team.refuses = errNoWay }
	play(r, "w", names, "")
	r = short(t)
	r.team.down = errNoWay
	play(r, "")
	r = short(t)
	r.discuss(3, 7)
	play(r, "w", names, "c")
	for range 2 {
		talk := r.talk(map[bool][]string{true: {"", summed, "a"}, false: {}}[r.session().Outcome == nil]...)
		end, err := talk.Ask(t.Context(), r.about)
		require.NoError(t, err)
		if end == Parked {
			talk.BeginPass(3)
			_, err = talk.Pass(t.Context(), r.about, 1, 3)
			require.NoError(t, err)
		}
		all.WriteString(ulids.ReplaceAllString(r.out.String(), "01ARZ3NDEKTSV4RRFFQ69G5FAV") + "\n")
	}
	return all.String()
}

type fixed string

func (f fixed) Error() string { return string(f) }

const errNoWay = fixed("no way")

func TestEveryStringOfTheContractIsWrittenToTheByte(t *testing.T) {
	all := everything(t)
	for section, texts := range contract {
		for _, text := range texts {
			assert.True(t, strings.Contains(all, text), "section %s is not written: %s", section, text)
		}
	}
}

func TestAllThatAConversationWritesIsKnown(t *testing.T) {
	golden(t, "prompts", everything(t))
}

// golden compares a text with a golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("..", "..", "..", "testdata", "widen", name+".golden")
	got = strings.ReplaceAll(got, "\x1b", "␛")
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

func TestALongTitleIsCutSoThatTheBorderStays(t *testing.T) {
	long := strings.Repeat("word ", 40)
	box := framed("Widen: "+say.Short(long, titleMost),
		[]string{"Default audience for this decision:", "  " + strings.Repeat("x", 200)})
	lines := strings.Split(strings.TrimSuffix(box, "\n"), "\n")
	assert.Equal(t, "╭─ Widen: word word word word word word word word word word word w… ─╮", lines[0])
	for _, line := range lines {
		assert.Len(t, []rune(line), 70, line)
	}
	assert.Equal(t, 4, strings.Count(box, "│   xx"), "a long name wraps inside")
}

package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDemoIsPlayedThroughByKeyboard(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {50, 20}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			p := newRoom(t).tmux().script(size[0], size[1], "choicetui demo")

			p.meet("Which database?", "⏎ Send PostgreSQL") // single
			p.press("j")
			p.see("⏎ Send SQLite")
			p.press("Enter")

			p.meet("Which endpoints get a rate limit?", "Not yet: mark 2 or 3 (1 marked)") // multi
			p.press("Enter")                                                               // refused: one more is wanted
			p.press("3")
			p.see("⏎ Send 2: POST /checkout, POST /", "+ “per network")
			p.press("Enter")

			p.meet("How fast should the new checkout", "⏎ Send 10% today") // hybrid
			p.opens("t", "Done")
			p.write("Half of them – tonight ☾")
			p.see("Half of them – tonight ☾")
			p.sendWords()

			p.meet("Name the design-token package", "Type your answer; Enter twice sends it") // text
			p.write("@acme/tokens")
			p.see("⏎ twice: send “@acme/tokens”")
			p.sendWords()

			p.see("nothing is waiting", "delivered", "the demo is done")
			p.quit()
			assert.Zero(t, p.ended())
			said := p.all()
			assert.Equal(t, []exchange{
				{"Which database?", "one option", object{"selected_ids": []any{"sqlite"}}},
				{"Which endpoints get a rate limit?", "several options", object{"selected_ids": []any{"checkout", "login"},
					"option_annotations": object{"login": "per network, not per client"}}},
				{"How fast should the new checkout roll out?", "options, your own words, or both", object{"selected_ids": []any{}, "custom_input": "Half of them – tonight ☾"}},
				{"Name the design-token package", "your own words", object{"selected_ids": []any{}, "custom_input": "@acme/tokens"}},
			}, transcript(t, said), said)
		})
	}
}

func TestDemoOpensFromTheEmptyDashboardAndGoesBack(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	p := r.tmux().dashboard(80, 24)
	p.press("d")
	p.see("⏎ starts the demo")
	time.Sleep(guarded)
	p.press("Enter")
	p.meet("Which database?", "⏎ Send PostgreSQL")
	assert.Empty(t, r.list(), "the demo has a queue of its own")
	p.press("Enter")
	p.see("nothing is waiting", "delivered")
	p.quit()
	p.see("Enter goes back to the dashboard.", `"pg"`)
	p.press("Enter")
	p.see("nothing is waiting", "d  try it", "? keys")
	assert.Equal(t, "1", p.told("#{alternate_on}"))
	p.quit()
	gone(t, p.process(), patience)
	assert.NotContains(t, p.all(), "Enter goes back")
}

// exchange is a question of the transcript with what the agent received for it.
type exchange struct {
	title, mode string
	selection   object
}

var asked = regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d  (.+) \(([\w ,]+)\)$`)

// transcript reads what demo prints behind itself. Every answer in it must be a person's.
func transcript(t *testing.T, said string) []exchange {
	t.Helper()
	lines := strings.Split(said, "\n")
	for i := range lines { // tmux fills joined lines up with blanks
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	said = strings.Join(lines, "\n")
	var all []exchange
	for _, at := range asked.FindAllStringSubmatchIndex(said, -1) {
		var got object
		require.NoError(t, json.NewDecoder(strings.NewReader(said[at[1]:])).Decode(&got), said)
		require.Equal(t, "human", got["settled_by"])
		selection, _ := got["selection"].(object)
		assert.NotEmpty(t, selection["summary"])
		delete(selection, "summary")
		delete(selection, "transport")
		all = append(all, exchange{said[at[2]:at[3]], said[at[4]:at[5]], selection})
	}
	return all
}

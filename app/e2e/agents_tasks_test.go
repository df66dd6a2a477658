//go:build agents

package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What people do many times a day, done twice with the same script of the model: in Claude Code's own dialog, in a home
// without choicetui, and in the dashboard.
//
//	CHOICETUI_AGENTS=DIR go test -tags agents -run TestTasks_InClaude ./app/e2e

// toldTask is a task, and what the model is told when it is done. In either place it is a list of what is on the screen
// and the key that somebody presses then, in turn. A text counts as one key.
type toldTask struct {
	name, run string
	there     []string
	here      []string
	told      string
	slower    int // how many keys more it may take here
}

var toldTasks = []toldTask{
	{"the recommended option", claude + "play=pick", []string{"1. Markdown", "Enter"},
		[]string{"⏎ Send Markdown", "Enter"}, `="Markdown`, 0},
	{"another option", claude + "play=pick", []string{"1. Markdown", "2"},
		[]string{"⏎ Send Markdown", "2", "⏎ Send HTML", "Enter"}, `="HTML"`, 1},
	{"two of several", claude + "play=picks",
		[]string{"[ ] Intro", "1", "[✔] Intro", "3", "[✔] Index", "Tab", "Submit answers", "Enter"},
		[]string{"□ Intro", "1", "■ Intro", "3", "⏎ Send 2", "Enter"}, `="Intro, Index"`, 0},
	{"own words beside options", claude + "play=pick",
		[]string{"1. Markdown", "3", "❯ 3. Type", "a table", "❯ 3. a table", "Enter"},
		[]string{"⏎ Send Markdown", "t", "Done", "a table", "a table", "Enter", "eant for", "Enter"}, `="a table"`, 1},
	{"four questions with recommendations", claude + "play=pickfour",
		[]string{"Question 1?", "Enter", "Question 2?", "Enter", "Question 3?", "Enter", "Question 4?", "Enter",
			"Submit answers", "Enter"},
		[]string{"Question 1?", "Enter", "Question 2?", "Enter", "Question 3?", "Enter", "Question 4?", "Enter",
			"⏎ Send 4 answers", "Enter"}, `4?"="Yes`, 0},
	{"allow a harmless command", claude + "play=runtest", []string{"❯ 1. Yes", "Enter"},
		[]string{"npm test", "y", "⏎ Allow once", "Enter"}, "passed", 1},
	{"allow a command on the network", claude + "play=runpush", []string{"❯ 1. Yes", "Enter"},
		[]string{"git push", "y", "⏎ Allow once", "Enter"}, "not a git repository", 1},
	{"allow a red mark", claude + "play=runremove", []string{"❯ 1. Yes", "Enter"},
		[]string{"rm -rf", "y", "⏎ Allow once", "Enter", "Press y again", "y"}, "completed with no output", 2},
	{"refuse with words", claude + "play=runtest",
		[]string{"❯ 1. Yes", "Up", "❯ 4. No", "Tab", "No, and tell", "run lint first", "run lint first", "Enter"},
		[]string{"npm test", "n", "efuse", "run lint first", "run lint first", "Enter"}, "run lint first", 0},
	{"refuse, and words in the next prompt", claude + "play=runtest",
		[]string{"❯ 1. Yes", "Escape", "What should Claude do", "run lint first", "run lint first", "Enter"},
		[]string{"npm test", "n", "efuse", "run lint first", "run lint first", "Enter"}, "run lint first", 0},
	{"allow an edit", claude + "play=edit", []string{"❯ 1. Yes", "Enter"},
		[]string{"+line ten", "y", "⏎ Allow once", "Enter"}, "updated", 1},
	{"go ahead with a plan", claudePlan + "play=plan", []string{"Would you like to proceed?", "2"},
		[]string{"Plan: ", "y", "⏎ Go ahead", "Enter"}, "User has approved your plan", 1},
}

// TestTasks_InClaude prints what each task costs in Claude Code's own dialog and here. Here it may take one key more,
// behind a red mark two, and without the last key nothing is sent.
func TestTasks_InClaude(t *testing.T) {
	dir := agentsDir(t)
	for _, k := range toldTasks {
		t.Run(k.name, func(t *testing.T) {
			there, slow := k.pressed(t, dir, cli, k.there)
			here, took := k.pressed(t, dir, dash, k.here)
			fmt.Printf("task: %-36s claude %d keys %4.1f s %q, here %d keys %4.1f s %q\n", k.name,
				len(there), slow.Seconds(), there, len(here), took.Seconds(), here)
			require.LessOrEqual(t, len(here), len(there)+k.slower)
		})
	}
}

// pressed does a task on a screen at the pace of somebody who looks at it before each key. It returns the keys, and how
// long it took from the first look until the model was told.
func (k toldTask) pressed(t *testing.T, dir, screen string, looks []string) (keys []string, took time.Duration) {
	t.Helper()
	w := newWorld(t, &claudeKind, dir)
	home := row{home: `cd $WORK; seq -f 'line %g' 25 >lines.txt; mkdir node_modules
echo '{"scripts": {"test": "echo passed"}}' >package.json`}
	if screen == cli {
		home.setup = "-"
	}
	w.setUp(home)
	if screen == dash {
		w.opensDashboard()
	}
	w.starts(cli, w.work, k.run)
	var start time.Time
	for i := 0; i < len(looks); i += 2 {
		require.NoError(t, sees(screen, looks[i]).do(w), "%s\n%s", looks[i], w.scene())
		if i == 0 {
			start = time.Now()
		}
		time.Sleep(guarded)
		require.False(t, w.told([]string{k.told}), "told before %q", looks[i+1])
		w.panes[screen].press(looks[i+1])
		keys = append(keys, looks[i+1])
	}
	require.NoError(t, told(k.told).do(w), w.scene())
	turns := w.turns()
	return keys, time.UnixMilli(turns[len(turns)-1].At).Sub(start)
}

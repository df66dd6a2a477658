package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAChangeOfTheSettingsFileReachesADashboardAndABridgeThatRun(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.settings(`{}`)
	c := r.console(80, 24, r.command())
	c.see("? keys")
	a := r.connect("claude-code")
	r.settings(`{"keys": {"help": "H"}, "transport": "post"}`)
	c.see("H keys")
	until(t, "the bridge has read it", func() bool { return strings.Contains(a.log.String(), `transport is "post"`) })
}

// editing puts an editor into $VISUAL that adds a word to a text and makes the theme mono in settings; $EDITOR fails.
func (r *room) editing() {
	r.Helper()
	editor := filepath.Join(r.dir, "visual")
	script := "#!/bin/sh\ncase $1 in *.json) echo '{\"theme\": \"mono\"}' >$1;; *) printf '%s edited' \"$(cat $1)\" >$1;; esac\n"
	require.NoError(r, os.WriteFile(editor, []byte(script), 0o700))
	r.env = append(r.env, "VISUAL="+editor, "EDITOR=false")
}

func TestVISUALBeforeEDITORWritesCommentsSettingsAndLinesToAgents(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	r.editing()
	r.settings(`{}`)
	c := r.console(80, 24, r.command())
	c.see("? keys")
	s := r.put(database())
	c.see("⏎ Send PostgreSQL")
	time.Sleep(guarded)
	c.press("a")
	c.see("Done")
	time.Sleep(guarded) // right behind the letter it may be typing for another pane
	c.press("\x07")     // Ctrl-G
	c.see("│  edited")
	c.press("\r")
	c.see("⏎ Send PostgreSQL + comment")
	c.press("s")
	c.see("─ settings ")
	time.Sleep(guarded) // right behind another letter an e may be typing for another pane
	c.press("e")
	c.see("‹ mono ›")
	c.press("\x1b")
	c.see("⏎ Send PostgreSQL + comment")
	time.Sleep(guarded)
	c.press("\r")
	c.see("nothing is waiting")
	v, err := r.store().Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, " edited", v.Outcome.Answer.Comment)

	c.press("i")
	c.see("^G editor")
	time.Sleep(paused)
	c.press("line\x07")
	c.see("› line edited")
}

func TestTheScreenIsDrawnAnewOnCtrlL(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	c := r.console(80, 24, r.command())
	r.put(database())
	c.see("⏎ Send PostgreSQL")
	before := c.sent()
	c.press("\x0c")
	until(t, "the title comes once more", func() bool { return strings.Contains(c.bytes()[before:], "Which database?") })
}

package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
)

// eachCommand calls look with every command and subcommand, hidden ones included, but not with the help topics.
func eachCommand(look func(*cobra.Command)) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if !c.IsAdditionalHelpTopicCommand() {
			look(c)
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(newRoot(&shell{in: strings.NewReader(""), out: io.Discard, err: io.Discard, now: time.Now}))
}

func TestTheHelpOfEveryCommandFitsA24RowTerminal(t *testing.T) {
	const rows, columns = 24, 80
	seen := 0
	eachCommand(func(c *cobra.Command) {
		seen++
		var out bytes.Buffer
		c.SetOut(&out)
		require.NoError(t, c.Help())
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) >= rows { // the last row is the prompt's
			t.Errorf("%s: %d rows:\n%s", c.CommandPath(), len(lines), out.String())
		}
		for _, line := range lines {
			if ink.Width(line) > columns {
				t.Errorf("%s: over %d columns: %s", c.CommandPath(), columns, line)
			}
		}
	})
	require.Greater(t, seen, 30)
}

func TestHelpListsAtMost16Commands(t *testing.T) {
	root := newRoot(&shell{in: strings.NewReader(""), out: io.Discard, err: io.Discard, now: time.Now})
	help := helpPage(root).String()
	listed := 0
	for _, c := range root.Commands() {
		if strings.Contains(help, "\n  "+c.Name()+" ") {
			listed++
		}
	}
	assert.Greater(t, listed, 10)
	assert.LessOrEqual(t, listed, 16)
	for _, internal := range []string{"hook", "native", "gate", "extract", "prompt", "schema"} {
		assert.NotContains(t, help, "\n  "+internal+" ")
		c, _, err := root.Find([]string{internal})
		require.NoError(t, err)
		assert.True(t, c.Runnable(), internal)
	}
}

package plain

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestWebOpensTheQuestionInTheBrowserAndSaysWhere(t *testing.T) {
	for _, c := range []struct {
		opened bool
		err    error
		says   string
	}{
		{true, nil, "Opened in the browser: http://127.0.0.1:1/choice/x\n"},
		{false, nil, "No browser can be opened here. This link is valid once, for one minute: http://127.0.0.1:1/choice/x\n"},
		{false, errors.New("the portal\ndid not start"), "did not start"},
	} {
		asked := ""
		b := newBench(t, func(o *Options) {
			o.Browse = func(_ context.Context, id string) (string, bool, error) {
				asked = id
				return "http://127.0.0.1:1/choice/x", c.opened, c.err
			}
		})
		s := b.ask(one(queue.ModeMulti, nil))
		b.types("1")
		for _, word := range []string{"web", "o"} {
			require.Contains(t, b.typesUntil(word, c.says), "Opening the browser.\n")
			require.Equal(t, s.ID, asked, word)
		}
	}
}

func TestWebWithoutPagesSaysSo(t *testing.T) {
	b := newBench(t, nil)
	require.Contains(t, b.types("web"), "has no page in the browser")
	require.Contains(t, b.types("help"), "  o or web: opens this question in your browser, with what you typed\n")
}

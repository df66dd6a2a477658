package screen

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/form"
)

func TestScreenForm(t *testing.T) {
	atSizes(t, "form", func(b *bench) {
		b.ask(authRework(), web())
		b.ask(small("Deploy 2.4.1 to production?", 42), infra())
		b.calm()
		b.press("enter")
	})
}

func TestScreenReview(t *testing.T) {
	atSizes(t, "review", func(b *bench) {
		b.ask(authRework(), web())
		b.calm()
		b.press("n")
		b.write("only with TLS")
		b.press("enter", "enter", "enter", "t")
		b.write("10 % on Monday, the rest on Thursday")
		b.press("enter", "enter", "a")
		b.write("ship behind the flag")
		b.press("enter")
	})
}

func TestScreenConfirm(t *testing.T) {
	atSizes(t, "confirm", func(b *bench) {
		o := infra()
		o.Host, o.Pane = "build-3", "%3"
		b.ask(dropTable(), o)
		b.ask(database(), shop())
		b.clock.Pass(29 * time.Second)
		b.press("enter")
	})
}

func TestAFormsDraftKeepsWhichQuestionsAreAnswered(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(authRework(), web())
	b.calm()
	b.press("j", "enter")
	draft := b.form().Draft()
	require.Equal(t, []string{"q1"}, draft.Answered)
	again := form.New(s, form.Options{Draft: &draft, Points: true})
	answered, of := again.Progress()
	require.Equal(t, "1 of 3 answered", fmt.Sprintf("%d of %d answered", answered, of))
	require.Equal(t, []string{"pg"}, again.Answer().Replies[0].Selected)
}

package portal

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// showing returns what a page shows of a question, without a page. change changes it before it is drawn.
func showing(a queue.Ask, change ...func(*shown)) shown {
	now := time.Now()
	s := queue.Session{ID: "k7f3m2qx", Ask: a, Deadline: now.Add(5 * time.Minute),
		Origin: queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Branch: "main"}}
	f := form.New(s, form.Options{Points: true})
	v := shown{now: now, home: "/home/me", place: action.PlaceOf(f), maySet: true, mayList: true, pending: 1,
		in:    say.Speech{Frontend: say.OnPage, Keys: action.Keys, Enter: enterName, Down: "▼", Cut: say.Short},
		asked: &asked{session: s, who: "shop · claude", form: f, fills: true}}
	for _, c := range change {
		c(&v)
	}
	return v
}

func TestView_FilesKnowNeitherPageNorDesk(t *testing.T) {
	files, err := filepath.Glob("view*.go")
	require.NoError(t, err)
	files = slices.DeleteFunc(append(files, "shell.go"), func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	require.Greater(t, len(files), 5)
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"build", "-o", os.DevNull}, files...)...).CombinedOutput()
	require.NoError(t, err, "the files of the view build alone: %s", out)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range f.Imports {
			assert.NotContains(t, []string{`"github.com/choicetui/choicetui/queue/desk"`, `"net/http"`}, i.Path.Value, name)
		}
	}
}

func TestView_AQuestionIsDrawnFromValues(t *testing.T) {
	v := showing(one(queue.ModeSingle, nil))
	made := v.draw()
	require.Equal(t, "(1) Which database?", made.title)
	main := made.parts["main"].html
	for _, want := range []string{"shop · claude", "~/src/shop (main)", ">Which database?</h1>", "SQLite",
		`role="radio" aria-checked="false"`} {
		require.Contains(t, main, want)
	}
	require.Equal(t, made.parts, v.draw().parts, "the same values make the same page")
	_, _ = v.asked.form.Here().Digit(2)
	require.NotEqual(t, made.parts["main"].sum, v.draw().parts["main"].sum)
}

func TestView_HostileTextCannotAct(t *testing.T) {
	evil := `<img src=x onerror=alert(1)></p></textarea><script>alert(2)</script>"'` + "\u202e\u200b\x1b[31m"
	v := showing(one(queue.ModeHybrid, nil), func(v *shown) {
		a := &v.asked.session.Ask
		a.Title, a.Prompt = evil, evil
		a.Questions[0].Options[0].Label, a.Questions[0].Options[0].Description = evil, evil
		v.asked.session.Origin.Cwd, v.asked.session.Origin.Branch, v.asked.session.Origin.Client = "/"+evil, evil, evil
		v.asked.who = say.OneLine(evil)
		v.asked.form = form.New(v.asked.session, form.Options{Points: true})
	})
	for id, p := range v.draw().parts {
		for _, bad := range []string{"<img", "<script", "</textarea><", "\u202e", "\u200b", "\x1b"} {
			assert.NotContains(t, p.html, bad, id)
		}
	}
	assert.Contains(t, v.draw().parts["main"].html, "&lt;img src=x onerror=alert(1)&gt;")
}

func TestView_TheFooterSaysWhatComesFirst(t *testing.T) {
	said := func(words string) say.Line { return say.Words(words) }
	steps := []struct {
		name, want string
		change     func(*asked)
	}{
		{"nothing marked", ">Send <kbd>⏎</kbd></button>", func(*asked) {}},
		{"a refused key", "too soon", func(a *asked) { a.footer.refused = said("too soon") }},
		{"text for another window", "Was this meant for", func(a *asked) {
			_, _ = a.form.Begin(form.FieldText)
			a.footer.asks = true
		}},
		{"about the team", `data-do="back">Back`, func(a *asked) { a.ofTeam = true }},
		{"set aside", "Bring it back", func(a *asked) { a.footer.paused = new(said("until 14:00")) }},
		{"an offer", `data-do="offer">Set it aside`, func(a *asked) { a.footer.offer = offer{said("offered"), "Set it aside"} }},
		{"being stored", "Storing it", func(a *asked) { a.footer.sending = "Storing it" }},
		{"held back", "Send now", func(a *asked) { a.footer.held = "sends SQLite" }},
	}
	v := showing(one(queue.ModeHybrid, nil))
	for _, step := range steps { // each is shown in place of those before it
		step.change(v.asked)
		require.Contains(t, v.draw().parts["foot"].html, step.want, step.name)
	}
}

func TestView_ButtonsAreThoseThatArePossible(t *testing.T) {
	v := showing(one(queue.ModeSingle, nil))
	require.NotContains(t, v.draw().parts["foot"].html, "Ask the team")
	v.asked.footer.can = []action.Name{action.AskTeam}
	foot := v.draw().parts["foot"].html
	require.Contains(t, foot, "Ask the team")
	require.NotContains(t, foot, "Put off…")
	v.in.Keys = action.Map{} // for a person without a keyboard
	require.Less(t, strings.Count(v.draw().parts["foot"].html, "<kbd>"), strings.Count(foot, "<kbd>"))
}

package cli

import (
	"context"
	"io"
	"os"
	"strings"

	xterm "golang.org/x/term"

	"github.com/choicetui/choicetui/app/plain"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/app/widen"
	"github.com/choicetui/choicetui/app/widen/talk"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// plainFlag is the help of the flag --plain.
const plainFlag = "lines instead of a full screen, without escape sequences"

// runPlainDashboard opens the queue and runs the dashboard as lines.
func runPlainDashboard(ctx context.Context, sh *shell) error {
	q, err := sh.openQueue()
	if err != nil {
		return err
	}
	o := plainOptions(sh, sh.services(q, sh.settings()), sh.out)
	remotes, stop := joinRemotes(ctx, sh, q, o.Instance)
	defer stop()
	o.Remote = remotes
	if tmux.Inside() {
		count := &queueCount{q: q}
		defer count.Clear()
		o.Count = count.Show
	}
	o.Aside = sh.countAside()
	team := teamOf(sh, q, sh.settings(), nil)
	defer finishTelling(ctx, team) // the desk tells the team until then
	o.Team, o.Discuss = team, discussing(q, team, sh.in, o.Typed && o.Rings)
	defer watchingAgents(ctx, sh)()
	_, err = plain.Run(ctx, o)
	return screenEnd(err)
}

// plainOptions returns the options of lines that are written to out, with these services.
func plainOptions(sh *shell, s desk.Services, out io.Writer) plain.Options {
	shows := isTerminal(out)
	return plain.Options{
		Services: s, In: sh.in, Out: out, Typed: isTerminal(sh.in), Rings: shows, ASCII: shows && !utf8Locale(),
		Width: func() int { return widthOf(out) }, Before: beforeReader{s.Settings.Settings}.now,
	}
}

// discussing returns the function with which a dashboard of lines holds a conversation about the team: to ask the team,
// to fetch what it said, or to defer a question. The conversations write no escape sequences.
func discussing(q *queue.Queue, team *widen.Service, in io.Reader, echo bool) func(
	context.Context, action.Name, string, plain.Exchange) error {
	have := map[action.Name]func(*talk.Talk, context.Context, string) (talk.End, error){
		action.AskTeam: (*talk.Talk).Widen, action.Fetch: (*talk.Talk).Fetch, action.Defer: (*talk.Talk).Defer}
	return func(ctx context.Context, about action.Name, session string, on plain.Exchange) error {
		_, err := have[about](talk.New(talk.Options{Queue: q, Team: team, Surface: queue.SurfaceDashboard,
			Edit: editText, Guard: guardOf(in), In: on.In, Want: on.Want, Interrupt: on.Interrupt, Out: on.Out,
			Echo: echo, Drop: func() { dropTyped(in) }}), ctx, session)
		return err
	}
}

// usualWidth and usualHeight are the size of the terminal in cells if it cannot be found out.
const usualWidth, usualHeight = 80, 24

// widthOf returns the columns of a stream's terminal, or usualWidth.
func widthOf(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if w, _, err := xterm.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return usualWidth
}

// heightOf returns the rows of a stream's terminal, or usualHeight.
func heightOf(stream any) int {
	if f, ok := stream.(*os.File); ok {
		if _, h, err := xterm.GetSize(int(f.Fd())); err == nil && h > 0 {
			return h
		}
	}
	return usualHeight
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// locale returns the variable that decides which characters the terminal shows, and its value; both are empty if none
// is set.
func locale() (variable, value string) {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			return name, v
		}
	}
	return "", ""
}

// utf8Locale reports whether the locale lets the terminal show more than ASCII.
func utf8Locale() bool {
	_, value := locale()
	return isUTF8(value)
}

func isUTF8(locale string) bool {
	v := strings.ToLower(locale)
	return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
}

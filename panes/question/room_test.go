package question

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

var _ panes.Room = (*Room)(nil)

// screens are the actions that the screen does in every place.
var screens = []action.Name{action.Next, action.Previous, action.Pane, action.Peek, action.Browser, action.Area,
	action.AreaBack,
	action.Help, action.Quit, action.Stop, action.Suspend, action.Redraw, action.Settings, action.History,
	action.Chat, action.UndoTyping, action.RedoTyping}

func TestEveryKeyOfTheRoomsPlacesIsBoundOnce(t *testing.T) {
	b := newBench(t, 80, 24)
	places := []action.Place{action.PlaceQuestion, action.PlaceConfirm, action.PlaceReview, action.PlaceOver, action.PlaceTyping,
		action.PlaceReason, action.PlaceFind, action.PlaceApproval}
	for _, r := range action.Keys {
		here := slices.ContainsFunc(places, r.IsIn)
		row, bound := b.room.Table().Row(r.Name)
		switch ours := !slices.Contains(screens, r.Name); {
		case here && ours:
			assert.NotEqual(t, action.Of(r.Name) != nil, row.Do != nil, r.Name)
		case here:
			assert.Nil(t, row.Do, r.Name)
		default:
			assert.False(t, bound, "%s has no key in any place of the room", r.Name)
		}
	}
	var seen []action.Name
	for _, row := range b.room.Table() {
		assert.NotContains(t, seen, row.Name)
		seen = append(seen, row.Name)
	}
}

func TestNothingIsShownWhileNothingWaits(t *testing.T) {
	b := newBench(t, 40, 12)
	require.Empty(t, strings.TrimSpace(b.picture()))
	require.Zero(t, b.room.CountdownCells())
	for _, row := range b.room.Table() {
		if row.Do != nil {
			row.Do(b.room.Keyboard().At(), action.Arg{N: 1})
		}
	}
}

func TestAViewIsKeptWhileItsQuestionWaitsAndForgottenWhenItHasLeft(t *testing.T) {
	b := newBench(t, 80, 24)
	first := b.ask(database(), shop())
	b.ask(small("Deploy?", 600), infra())
	b.calm()
	b.picture()
	b.press("pgdn", "J", "K")
	require.True(t, b.room.display().opened, "as it was left")
	b.press("z", "J", "K")
	require.False(t, b.room.display().full, "but with its options")
	b.press("J")
	b.SettleElsewhere(first, queue.SurfaceWeb, "lite")
	done, err := b.Queue.Do(t.Context(), first.ID, queue.Command{By: queue.ByCaller,
		Do: queue.Collect{Claim: *first.Claim}})
	require.NoError(t, err)
	require.NoError(t, b.Queue.Store.Archive(t.Context(), done))
	b.Calm()
	require.Len(t, b.room.displays, 1)
}

func TestTheCountdownHasTheCellsBetweenNameAndTime(t *testing.T) {
	for _, w := range []int{30, 40, 80} {
		b := newBench(t, w, 12)
		b.ask(database(), shop())
		row := strings.Split(b.picture(), "\n")[0]
		require.Equal(t, b.room.CountdownCells(), strings.Count(row, "━"), row)
		b.pass(150 * time.Second)
		row = strings.Split(b.picture(), "\n")[0]
		require.Equal(t, (b.room.CountdownCells()+1)/2, strings.Count(row, "━"), row)
	}
}

func TestTheQuestionComesBackAsItWasWhenTheQueueGivesItsRowsBack(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {50, 20}} {
		b := newBench(t, size[0], size[1])
		five(b)
		before := b.picture()
		total := b.h - 4
		got := b.room.Squeezed(b.room.Fit(b.w, total, 0), b.w, 5)
		require.Equal(t, 5, got.H)
		b.room.Arrange(b.room.divider, b.room.area, got)
		rows := strings.Split(before, "\n")[:size[1]-2] // above the footer: what was seen meanwhile is counted there
		require.Equal(t, rows, strings.Split(b.picture(), "\n")[:size[1]-2])
	}
}

func TestAskingForAFitChangesNothing(t *testing.T) {
	b := newBench(t, 50, 20)
	five(b)
	before, on := b.picture(), *b.room.display()
	for _, rows := range []int{4, 9, 30} {
		whole := b.room.Fit(b.w+rows, rows, 2)
		b.room.Squeezed(whole, b.w, rows/2)
	}
	require.Equal(t, on.arranged, b.room.display().arranged)
	require.Equal(t, before, b.picture())
}

func TestDrawingChangesNothingThatAKeyReads(t *testing.T) {
	for name, set := range map[string]func(b *bench){
		"options":         func(b *bench) { five(b) },
		"long prompt":     func(b *bench) { b.ask(migration(), shop()); b.calm() },
		"full height":     func(b *bench) { b.ask(migration(), shop()); b.calm(); b.press("z", "j") },
		"note typed":      func(b *bench) { five(b); b.calm(); b.press("n"); b.write("why") },
		"confirmation":    func(b *bench) { b.ask(keepOrDrop(), shop()); b.calm(); b.press("enter") },
		"several, review": func(b *bench) { b.ask(three(), shop()); b.calm(); b.press("left") },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 50, 14)
			set(b)
			b.arrange()
			v := b.room.display()
			arranged, read, spots, confirm := v.arranged, maps.Clone(v.read), slices.Clone(v.spots), v.confirm
			scrolled := []any{v.full, v.pageRows, v.opened, v.titleRead}
			b.room.Draw(b.screen)
			b.room.DrawAsk(b.Ink(b.screen), ink.Rect{Y: 11, W: 50, H: 1}, ink.Rect{W: 50, H: 12})
			require.Equal(t, arranged, v.arranged)
			require.Equal(t, read, v.read)
			require.Equal(t, spots, v.spots)
			require.Equal(t, confirm, v.confirm)
			require.Equal(t, scrolled, []any{v.full, v.pageRows, v.opened, v.titleRead})
		})
	}
}

func TestWithoutAScreenOfItsOwnTheRoomFillsItsRectangle(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(database(), shop())
	require.Contains(t, b.Picture(b.room), "─ shop · claude (main) ")
	require.Contains(t, b.Picture(b.room), "▸1 ● PostgreSQL")
}

func TestTheEditorTakesOwnWordsElseTheCommentElseSaysWhyNot(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.calm()
	lending := &lender{host: b.host, lends: true}
	saves := func(_ context.Context, text string) (string, error) { return text + "from the editor", nil }
	room := New(lending, Options{Edit: saves})
	press := func(a action.Name) {
		room.Keyboard().Act(action.Input{Action: a}, b.Clock.T)
	}
	press(action.EditorHere)
	require.Equal(t, "from the editor", b.View().Form().CommentText())
	press(action.EditorHere)
	require.Equal(t, "from the editorfrom the editor", b.View().Form().CommentText())
	lending.lends = false
	press(action.EditorHere)
	require.Equal(t, "another program is using the terminal", b.Said)
	b.View().Form().EndTyping()
	room = New(&lender{host: b.host, lends: true}, Options{Edit: func(context.Context, string) (string, error) {
		return "", errors.New("vi: not found")
	}})
	press(action.EditorHere)
	require.Equal(t, "the editor: vi: not found", b.Said)
}

// lender is a host with a terminal to lend.
type lender struct {
	*host
	lends bool
}

func (l *lender) Lend(use func(context.Context)) bool {
	if l.lends {
		use(context.Background())
	}
	return l.lends
}

func TestAPasteIsOneLineWhereALineIsTyped(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.calm()
	b.paste("nowhere")
	require.Nil(t, b.room.Field())
	b.press("x")
	b.paste("two\r\nlines")
	require.Equal(t, "two lines", b.room.Field().Text())
	b.press("esc", "n")
	b.paste("a\r\nb\rc\x1b[31m")
	require.Equal(t, "a\nb\nc[31m", b.room.Field().Text())
}

func TestACallerThatIsGoneIsSaid(t *testing.T) {
	b := newBench(t, 120, 40)
	b.AskGone(database(), shop())
	b.calm()
	require.Contains(t, b.picture(), "claude disconnected; if it asks again within 10 min it gets this answer")
	require.Contains(t, b.picture(), " agent gone · 5:00 left ")
	for w, want := range map[int]string{80: "agent gone · 5:00 left", 60: "gone · 5:00 left", 40: "5:00 left"} {
		now := time.Now().Truncate(time.Second)
		words, _ := countdown{session: queue.Session{Deadline: now.Add(5 * time.Minute)}, now: now, gone: true}.endWords(w)
		require.Equal(t, want, words)
	}
	b.press("x")
	require.Contains(t, b.footer(), "⏎ Cancel; claude disconnected")
}

func TestAKeyOfTheQuestionWithoutEffectSaysWhy(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Max = 2 }), shop())
	b.calm()
	for key, want := range map[string]string{
		"9": "there is no option 9 here", "v": "no option is hidden here",
		"right": "there is only one question", "u": "there is nothing to take back",
	} {
		b.press(key)
		require.Equal(t, want, b.Said)
	}
	b.SettleElsewhere(s, queue.SurfaceCLI, "lite")
	why := b.room.Words(b.room.Keyboard().At().WhyNot(action.Cancel))
	require.Equal(t, "this question is closed; there is nothing to cancel or to wait for", why)
}

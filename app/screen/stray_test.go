package screen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/widen"
)

// sentences are what people type to the agent in the pane beside this one. Each is ended by Enter. The evidence of
// app/e2e types those of typed.txt.
var sentences = func() []string {
	raw, err := os.ReadFile("../../testdata/evidence/sentences.txt")
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSpace(string(raw)), "\n")
}()

// strayPlace is a place where such typing may land. A place or a key that is added to the key table joins by its name:
// the test fails until a row of this table reaches it.
type strayPlace struct {
	name  string
	place action.Place
	reach func(b *strayBench)
}

var strayPlaces = []strayPlace{
	{"a single question", action.PlaceQuestion, func(b *strayBench) { b.ask(database(), shop()) }},
	{"a question that submits at once", action.PlaceQuestion, func(b *strayBench) {
		b.ask(one(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true }), shop())
	}},
	{"only the text of a question", action.PlaceQuestion, func(b *strayBench) {
		b.ask(one(queue.ModeMulti, nil), shop())
		b.calm()
		b.press("z")
	}},
	{"only the text of an approval", action.PlaceApproval, func(b *strayBench) {
		b.ask(roomtest.ApproveDiff(), shop())
		b.calm()
		b.press("z")
	}},
	{"several", action.PlaceQuestion, func(b *strayBench) { b.ask(one(queue.ModeMulti, nil), shop()) }},
	{"hybrid", action.PlaceQuestion, func(b *strayBench) { b.ask(endpoints(), shop()) }},
	{"hybrid, one answer", action.PlaceQuestion, func(b *strayBench) {
		b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Max = 1 }), shop())
	}},
	{"own words", action.PlaceQuestion, func(b *strayBench) {
		b.ask(one(queue.ModeText, func(q *queue.Question) { q.Options = nil }), shop())
	}},
	{"a form", action.PlaceQuestion, func(b *strayBench) { b.ask(authRework(), web()) }},
	{"the review of a form", action.PlaceReview, func(b *strayBench) {
		b.ask(authRework(), web())
		b.calm()
		b.press("right", "right", "right")
	}},
	{"a confirmation", action.PlaceConfirm, func(b *strayBench) {
		b.ask(dropTable(), infra())
		b.calm()
		b.press("enter")
	}},
	{"an approval", action.PlaceApproval, func(b *strayBench) { b.ask(roomtest.ApproveDiff(), shop()) }},
	{"an approval of which a rule can be made", action.PlaceApproval, func(b *strayBench) {
		o := infra()
		o.Source = "codex:t1/1"
		b.ask(roomtest.ApproveTest(), o)
		_, err := b.desk.Rule(b.view.Session())
		require.NoError(b.t, err)
	}},
	{"an approval of which its agent keeps a rule", action.PlaceApproval, func(b *strayBench) {
		o := infra()
		o.Source = "codex:t1/1"
		b.ask(approveOwn(), o)
	}},
	{"approvals that are alike", action.PlaceBatch, func(b *strayBench) { b.toBatch("npm test") }},
	{"approvals that are alike, and marked", action.PlaceBatch, func(b *strayBench) {
		b.toBatch("npm test")
		b.slowly("y")
	}},
	{"one of those that are alike", action.PlaceBatch, func(b *strayBench) {
		b.toBatch(longCommand)
		b.slowly("enter")
	}},
	{"an approval that is marked", action.PlaceApproval, func(b *strayBench) { b.ask(roomtest.ApproveCommand(), shop()) }},
	{"an answer that is held back", action.PlacePostponed, func(b *strayBench) {
		b.settings.S.UndoSeconds = 86400
		b.desk.SetSettings(b.settings.S)
		b.ask(small("Deploy?", 86400), infra())
		b.calm()
		b.press("enter")
	}},
	{"the queue", action.PlaceQueue, func(b *strayBench) {
		b.ask(database(), shop())
		b.ask(small("Deploy?", 900), infra())
		b.calm()
		b.press("tab")
	}},
	{"a question that is over", action.PlaceOver, func(b *strayBench) {
		s := b.ask(one(queue.ModeHybrid, nil), shop())
		b.calm()
		b.press("t")
		b.write("slowly")
		b.press("esc")
		b.settleElsewhere(s, queue.SurfaceCLI, "lite")
	}},
	{"the empty screen", action.PlaceEmpty, func(*strayBench) {}},
	{"the empty screen with an agent", action.PlaceEmpty, func(b *strayBench) { b.yesterday() }},
	{"the settings", action.PlaceSettings, func(b *strayBench) { b.press("s") }},
	{"the settings beside a question", action.PlaceSettings, func(b *strayBench) {
		b.ask(database(), shop())
		b.calm()
		b.lay()
		b.press("backtab")
	}},
	{"history", action.PlaceHistory, func(b *strayBench) { b.yesterday(); b.press("h") }},
	{"one of the history", action.PlaceHistory, func(b *strayBench) { b.yesterday(); b.press("h", "enter") }},
	{"the peek", action.PlacePeek, func(b *strayBench) { b.ask(database(), shop()); b.calm(); b.press("P") }},
	{"a question that can go to the team", action.PlaceQuestion, func(b *strayBench) { b.ask(database(), shop()); b.calm() }},
	{"a question with the team", action.PlaceQuestion, func(b *strayBench) { b.toTeam(toTeam) }},
	{"a parked question", action.PlaceQuestion, func(b *strayBench) {
		b.toTeam(toTeam)
		b.press("c")
		b.calm()
		b.press("enter")
	}},
	{"what the team will read", action.PlaceQuestion, func(b *strayBench) { b.toTeam(toMessage) }},
	{"before the team is asked", action.PlaceQuestion, func(b *strayBench) { b.toTeam(toUntil) }},
	{"the team's review", action.PlaceQuestion, func(b *strayBench) { b.toTeam(toReview) }},
	{"the team's review without a summary", action.PlaceQuestion, func(b *strayBench) {
		b.team.Summary = nil
		b.toTeam(toReview)
	}},
	{"while the agent sums up", action.PlaceQuestion, func(b *strayBench) {
		b.toTeam(toReview)
		b.stays(widen.Summing)
	}},
	{"help", action.PlaceHelp, func(b *strayBench) { b.ask(database(), shop()); b.press("?") }},
}

// strayBench is a wide screen where everything that lasts leaves a trace.
type strayBench struct {
	pocket pocket
	*bench
	chat *panesFake
	team *roomtest.Team
	did  []string // what was done that lasts
}

func newStrayBench(t *testing.T) *strayBench {
	b := &strayBench{chat: &panesFake{at: map[string]desk.Reached{"claude-code": {Alive: true, Where: "2:1"},
		"codex-mcp-client": {Alive: true, Where: "3:0"}}},
		team: &roomtest.Team{Said: roomtest.Talk(), Summary: roomtest.Agreed()}}
	b.bench = newBenchWith(t, 120, 40, func(o *Options) {
		o.Chat, o.Rules = b.chat, &b.pocket
		withTeam(b.team)(o)
		o.Peek = (&agentPane{text: paneText, clock: &roomtest.Clock{}}).look
		o.Demo = func(context.Context) { b.note("the demo") }
		o.Edit = func(context.Context, string) (string, error) { b.note("the editor"); return "", errors.New("no") }
		o.EditFile = func(context.Context, string) error { b.note("the editor"); return nil }
		o.Copy = func(context.Context, string) (bool, error) { b.note("the clipboard"); return true, nil }
		o.SetUp = func(context.Context) { b.note("the setup") }
		o.Browse = func(context.Context, string) (string, bool, error) { b.note("the browser"); return "", true, nil }
		o.GoToPane = func(context.Context, queue.Origin) error { b.note("the agent's pane"); return nil }
	})
	b.stop = func() { b.note("quit") }
	return b
}

// ask asks with time enough for a long conversation.
func (b *strayBench) ask(a queue.Ask, o queue.Origin) queue.Session {
	a.TimeoutSeconds = 36000
	return b.bench.ask(a, o)
}

func (b *strayBench) note(what string) { b.did = append(b.did, what) }

// toBatch lists two approvals of a command, with time enough.
func (b *strayBench) toBatch(command string) {
	for _, source := range []string{"codex:t1/1", "codex:t1/2"} {
		o, a := infra(), roomtest.ApproveTest()
		o.Source, a.Approval.Parts[0].Text = source, command
		b.ask(a, o)
	}
	b.calm()
	b.lay()
	b.press("*")
}

// toTeam reaches a place of the team's, with time enough.
func (b *strayBench) toTeam(reach func(*bench)) { reach(b.bench); b.settle() }

// yesterday has one session of an agent that still runs in the history.
func (b *strayBench) yesterday() {
	b.past(24*time.Hour, database(), shop(), time.Minute, queue.Settle{Answer: chose("pg")}, false)
	b.settle()
}

// typeStray types a sentence and Enter, so many milliseconds a key, and waits for what a key may do later.
func (b *strayBench) typeStray(sentence string, pace time.Duration) {
	key := func(name string) {
		b.Key(event(name))
		b.look()
		b.let(pace)
	}
	for _, r := range sentence {
		key(string(r))
	}
	key("enter")
	b.let(2 * time.Second)
	b.settle()
}

// look notes that the terminal was asked for: a test has none to give.
func (b *strayBench) look() {
	if b.message.text == say.TerminalLent {
		b.note("the editor, or the demo")
	}
}

// let lets time go by, with the clock's turns at their own instants.
func (b *strayBench) let(d time.Duration) {
	until := b.now().Add(d)
	for at := b.nextTick(); !at.IsZero() && !at.After(until) && at.After(b.now()); at = b.nextTick() {
		b.clock.Pass(at.Sub(b.now()))
		b.tick()
		b.look()
	}
	b.clock.Pass(until.Sub(b.now()))
}

// lasting is everything that must be as it was.
func (b *strayBench) lasting() string {
	var sessions string
	for _, s := range b.everySession() {
		sessions += fmt.Sprintln(s.ID, s.Ask.Kind, s.Ask.Title, s.Status(), s.Deadline.Format(time.TimeOnly))
		if s.Widen != nil {
			sessions += fmt.Sprintln(s.Widen.State, s.Widen.Request, s.Widen.Candidate)
		}
	}
	return fmt.Sprintf("%s%+v\ndid %v\nsent %v", sessions, b.settings.S, b.did, b.desk.Settings().HiddenOptions) +
		fmt.Sprint(b.chat.pasted, b.team.Calls, b.team.Summarising, b.pocket.list)
}

func (b *strayBench) everySession() []queue.Session {
	var list []queue.Session
	watched, err := b.o.Queue.Store.Watch(b.t.Context(), queue.AllNews)
	require.NoError(b.t, err)
	defer watched.Close()
	ch, err := watched.Next(b.t.Context())
	require.NoError(b.t, err)
	list = append(list, ch.Sessions...)
	slices.SortFunc(list, func(a, b queue.Session) int { return strings.Compare(a.ID, b.ID) })
	return list
}

func TestStrayTypingChangesNothingThatLasts(t *testing.T) {
	paces := []time.Duration{45 * time.Millisecond, 120 * time.Millisecond}
	for i, at := range strayPlaces {
		for _, pace := range slices.Concat(paces[i%2:], paces[:i%2])[:storetest.Rounds(len(paces))] {
			t.Run(fmt.Sprintf("%s at %v a key", at.name, pace), func(t *testing.T) {
				for _, sentence := range sentences {
					b := reachStray(t, at)
					was := b.lasting()
					b.typeStray(sentence, pace)
					assert.Equal(t, was, b.lasting(), sentence)
				}
				b := reachStray(t, at)
				was := b.lasting()
				for _, sentence := range sentences { // a whole conversation
					b.typeStray(sentence, pace)
					require.Equal(t, was, b.lasting(), "after %q", sentence)
				}
			})
		}
	}
}

func reachStray(t *testing.T, at strayPlace) *strayBench {
	t.Helper()
	b := newStrayBench(t)
	at.reach(b)
	b.clock.Pass(time.Minute)
	b.settle()
	b.lay()
	require.Equal(t, at.place, b.room().Place())
	return b
}

func TestEveryPlaceWithoutAFieldIsAmongThoseForStrayTyping(t *testing.T) {
	reached := map[action.Place]bool{}
	for _, at := range strayPlaces {
		reached[at.place] = true
	}
	fields := []action.Place{action.PlaceTyping, action.PlaceReason, action.PlaceFind, action.PlaceValue, action.PlaceChat}
	for _, b := range action.Keys {
		for _, p := range b.In {
			assert.True(t, reached[p] || slices.Contains(fields, p), "place %d of %s", p, b.Name)
		}
	}
}

func TestTheSettingsFileIsOpenedByALetterThatComesAlone(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		behindS, behind time.Duration // from s to e, and from there to a t; zero if there is none
		opens           bool
	}{
		{140 * ms, 250 * ms, false}, {140 * ms, 400 * ms, false}, {480 * ms, 520 * ms, false}, {140 * ms, 0, false},
		{700 * ms, 250 * ms, false}, {500 * ms, 0, true}, {700 * ms, 520 * ms, true},
	} {
		b := newStrayBench(t)
		b.Key(event("s"))
		b.let(c.behindS)
		b.Key(event("e"))
		refused := b.said()
		if c.behind > 0 {
			b.let(c.behind)
			b.look()
			b.Key(event("t"))
		}
		b.let(time.Second)
		b.look()
		assert.Equal(t, c.opens, len(b.did) > 0, "%v, %v", c.behindS, c.behind)
		if c.behindS < desk.Settle {
			assert.Equal(t, "e was ignored (typed too fast), press it again", refused)
		}
	}
}

func TestTheLetterThatWasRefusedIsNoLetterBeforeItself(t *testing.T) {
	b := newStrayBench(t)
	for _, wait := range []time.Duration{140, 200, 200} {
		b.Key(event(map[bool]string{true: "s", false: "e"}[wait == 140]))
		b.let(wait * time.Millisecond)
	}
	b.Key(event("e"))
	b.let(time.Second)
	b.look()
	assert.NotEmpty(t, b.did)
}

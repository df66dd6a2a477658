package screen

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/widen"
)

// words returns an ask that takes only words.
func words() queue.Ask { return one(queue.ModeText, func(q *queue.Question) { q.Options = nil }) }

// keysAt presses keys one after the other, so far apart.
func (b *bench) keysAt(pace time.Duration, text string) {
	for _, r := range text {
		b.clock.Pass(pace)
		b.Key(event(string(r)))
	}
}

// gainFocus has the terminal report the focus.
func (b *bench) gainFocus() {
	at := b.now()
	b.keyboard.gained = func() time.Time { return time.Now().Add(-b.now().Sub(at)) }
}

func TestMeant_TheButtonCountsEachEnter(t *testing.T) {
	const pace = 140 * time.Millisecond
	steps := func(b *bench) queue.Session {
		b.ask(database(), shop())
		b.calm()
		s := b.ask(words(), infra())
		b.calm()
		return s
	}
	for name, c := range map[string]struct {
		reach  func(b *bench) queue.Session
		enters int
	}{
		"came up on its own": {func(b *bench) queue.Session { return b.ask(words(), shop()) }, 2},
		"stood there":        {func(b *bench) queue.Session { s := b.ask(words(), shop()); b.clock.Pass(time.Minute); return s }, 2},
		"answered the one before": {func(b *bench) queue.Session {
			s := steps(b)
			b.press("enter")
			return s
		}, 1},
		"stepped to it": {func(b *bench) queue.Session {
			s := steps(b)
			b.press("J")
			return s
		}, 1},
		"opened it from the queue": {func(b *bench) queue.Session {
			s := steps(b)
			b.lay()
			b.press("tab", "down")
			b.calm()
			b.press("enter")
			return s
		}, 1},
		"came back from a page": {func(b *bench) queue.Session {
			s := b.ask(words(), shop())
			b.calm()
			b.press("?")
			b.lay()
			b.press("esc")
			b.lay()
			return s
		}, 2},
		"the terminal got the focus": {func(b *bench) queue.Session {
			s := b.ask(words(), shop())
			b.clock.Pass(time.Millisecond)
			b.gainFocus()
			b.clock.Pass(600 * time.Millisecond)
			b.keyboard.noteFocus() // as before each frame
			return s
		}, 1},
		"the terminal got the focus and lost it": {func(b *bench) queue.Session {
			s := b.ask(words(), shop())
			b.clock.Pass(time.Millisecond)
			b.gainFocus()
			b.clock.Pass(600 * time.Millisecond)
			b.keyboard.noteFocus()
			b.keyboard.gained = func() time.Time { return time.Time{} }
			b.keyboard.noteFocus()
			return s
		}, 2},
		"the terminal had the focus": {func(b *bench) queue.Session {
			b.gainFocus()
			b.clock.Pass(time.Minute)
			return b.ask(words(), shop())
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 100, 30)
			s := c.reach(b)
			b.settle()
			b.calm()
			require.Equal(t, s.ID, b.shown())
			require.Equal(t, map[int]string{1: "Type your answer; Enter sends it",
				2: "Type your answer; Enter twice sends it"}[c.enters], b.footer())
			b.keysAt(pace, "MIT")
			if c.enters == 2 {
				require.Equal(t, "⏎ twice: send “MIT”", b.footer())
				b.press("enter")
				require.True(t, b.get(s.ID).Pending())
				require.Equal(t, "Was this meant for claude? ⏎ Send it", b.footer())
				b.calm()
			} else {
				require.Equal(t, "⏎ Send “MIT”", b.footer())
			}
			b.press("enter")
			require.Equal(t, "MIT", b.get(s.ID).Outcome.Answer.Replies[0].Text)
		})
	}
}

func TestMeant_OwnWordsBesideOptionsFollowTheSameRule(t *testing.T) {
	for _, here := range []bool{false, true} {
		b := newBench(t, 80, 24)
		s := b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Max = 1 }), shop())
		b.calm()
		if here {
			b.gainFocus()
			b.clock.Pass(time.Second)
		}
		b.press("t")
		b.clock.Pass(300 * time.Millisecond)
		b.keysAt(100*time.Millisecond, "neither")
		if !here {
			require.Equal(t, "⏎ twice: send “neither”", b.footer())
			b.press("enter")
			require.Equal(t, "Was this meant for claude? ⏎ Send it", b.footer())
			b.calm()
		}
		b.press("enter")
		require.Equal(t, "neither", b.get(s.ID).Outcome.Answer.Replies[0].Text)
	}
}

// typedSentences are 30 English and 30 German sentences that somebody types to an agent.
func typedSentences(t *testing.T) []string {
	t.Helper()
	raw, err := os.ReadFile("../../testdata/evidence/typed.txt")
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(raw)), "\n")
}

var strays = flag.Int("strays", 40, "how many pairs of stray sentences are typed in each place")

func TestMeant_NoStraySentenceIsSentAsAnAnswer(t *testing.T) {
	text := words()
	text.TimeoutSeconds = 86400
	form := text
	form.Questions = append(form.Questions[:1:1], form.Questions[0])
	form.Questions[1].ID = "q2"
	places := map[string]func(b *bench){
		"words":              func(b *bench) { b.ask(text, shop()) },
		"a form of words":    func(b *bench) { b.ask(form, shop()) },
		"beside options":     func(b *bench) { b.ask(one(queue.ModeHybrid, nil), shop()) },
		"one of the options": func(b *bench) { b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Max = 1 }), shop()) },
		"words behind a choice": func(b *bench) {
			b.ask(database(), shop())
			b.ask(text, infra())
		},
		"words before a choice": func(b *bench) {
			b.ask(text, infra())
			b.ask(database(), shop())
		},
		"several options": func(b *bench) { b.ask(one(queue.ModeMulti, nil), shop()) },
		"nothing yet":     func(*bench) {},
		"an approval":     func(b *bench) { b.ask(roomtest.ApproveDiff(), shop()) },
		"approvals that are alike": func(b *bench) {
			b.askAlike("npm test", "go test ./...", longCommand)
			b.slowly("*")
		},
		"one of those that are alike": func(b *bench) {
			b.askAlike(longCommand, longCommand+"\n")
			b.slowly("*", "enter")
		},
	}
	all := typedSentences(t)
	for name, reach := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range storetest.Rounds(*strays) {
				pace := []time.Duration{30, 60, 90, 140, 220, 300, 400}[i%7] * time.Millisecond
				stood := []time.Duration{0, 3, 10, 60}[i%4] * time.Second
				first, second := all[i%len(all)], all[(i*7+3)%len(all)]
				b := newBench(t, 100, 30)
				reach(b)
				b.clock.Pass(stood)
				b.lay()
				for j, sentence := range []string{first, second, "OK, tell them"} {
					b.keysAt(pace, sentence[:len(sentence)/2])
					if j == i%3 {
						b.ask(text, web())
					}
					b.keysAt(pace, sentence[len(sentence)/2:])
					b.clock.Pass(pace)
					b.Key(event("enter"))
					b.settle()
					b.clock.Pass(700 * time.Millisecond)
				}
				for _, s := range b.everySession() {
					assert.True(t, s.Pending(), "%q, %q at %v a key, after %v: %+v", first, second, pace, stood, s.Outcome)
				}
			}
		})
	}
}

// everySession returns all sessions of the store that are not archived.
func (b *bench) everySession() []queue.Session {
	watched, err := b.o.Queue.Store.Watch(b.t.Context(), queue.AllNews)
	require.NoError(b.t, err)
	defer watched.Close()
	ch, err := watched.Next(b.t.Context())
	require.NoError(b.t, err)
	return ch.Sessions
}

func TestMeant_ALetterThatIsAKeyIsAskedAbout(t *testing.T) {
	ask := words()
	ask.Comment = ""
	for letter, asks := range map[string]string{
		"w": "Ask the team (Esc, then w), or send “w” (Enter)?",
		"x": "Cancel the question (Esc, then x), or send “x” (Enter)?",
		"m": "Ask for more detail (Esc, then m), or send “m” (Enter)?",
		"L": "Set it aside for ten minutes (Esc, then L), or send “L” (Enter)?",
		"t": "Answer in your own words (Esc, then t), or send “t” (Enter)?",
		"s": "Open the settings (Esc, then s), or send “s” (Enter)?",
		"J": "Next question (Esc, then J), or send “J” (Enter)?",
		"K": "Previous question (Esc, then K), or send “K” (Enter)?",
		"n": "", "y": "", "j": "", "d": "", "é": "", "7": "", "W": "",
	} {
		t.Run(letter, func(t *testing.T) {
			b := newBenchWith(t, 80, 24, withTeam(&roomtest.Team{}))
			b.ask(database(), shop())
			s := b.ask(ask, infra())
			b.calm()
			b.press("enter")
			b.settle()
			b.ask(small("And then?", 600), web())
			require.Equal(t, s.ID, b.shown())
			b.keysAt(time.Second, letter)
			if asks == "" {
				require.Equal(t, "⏎ Send “"+letter+"”", b.footer())
			} else {
				require.Equal(t, "⏎ twice: send “"+letter+"”", b.footer())
				b.press("enter")
				require.Equal(t, asks, b.footer())
				require.True(t, b.get(s.ID).Pending())
				b.calm()
			}
			b.press("enter")
			require.Equal(t, letter, b.get(s.ID).Outcome.Answer.Replies[0].Text)
		})
	}
}

func TestMeant_TheQuestionAboutALetterFitsASmallPane(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(words(), shop())
	b.calm()
	b.keysAt(time.Second, "x")
	b.press("enter")
	require.Equal(t, "Cancel (Esc x), or send “x” (Enter)?", b.footer())
	require.Contains(t, b.picture(), "\nEsc puts it aside\n")
}

func TestMeant_AfterEscTheLetterIsTheKey(t *testing.T) {
	b := newBenchWith(t, 80, 24, withTeam(&roomtest.Team{}))
	b.ask(database(), shop())
	b.ask(words(), infra())
	b.calm()
	b.press("enter")
	b.settle()
	b.keysAt(time.Second, "w")
	require.Contains(t, b.picture(), "Esc, then:  w ask the team  m more detail  L later  x cancel  ? keys")
	b.press("enter", "esc")
	require.Empty(t, b.form().Here().Words(), "the letter is no answer")
	require.Contains(t, b.picture(), "put aside: w")
	b.press("w")
	b.asksOfTeam(widen.Asking)
}

func TestMeant_ATextThatContinuesBehindTheLetterIsMeant(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	s := b.ask(words(), infra())
	b.calm()
	b.press("enter")
	b.settle()
	b.keysAt(time.Second, "x")
	b.press("enter")
	b.keysAt(time.Second, "ylem")
	require.Equal(t, "⏎ Send “xylem”", b.footer())
	b.press("enter")
	require.Equal(t, "xylem", b.get(s.ID).Outcome.Answer.Replies[0].Text)
}

func TestMeant_APasteGoesIntoTheOpenField(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(words(), shop())
	b.calm()
	b.Paste("@acme/tokens")
	require.Equal(t, form.FieldText, b.form().Typing())
	require.Equal(t, "⏎ twice: send “@acme/tokens”", b.footer())
	b.press("enter")
	b.calm()
	b.press("enter")
	require.Equal(t, "@acme/tokens", b.get(s.ID).Outcome.Answer.Replies[0].Text)
}

func TestMeant_TheOpenFieldHasACaretAndNoKey(t *testing.T) {
	ask := words()
	ask.Questions[0].Placeholder = "@acme/…"
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		b := newBench(t, size[0], size[1])
		b.ask(ask, shop())
		b.calm()
		for range 2 { // also after Enter
			row := b.rowWith("nswer ", "│@acme/…")
			require.NotEmpty(t, row, b.picture())
			require.NotContains(t, row, "▸t")
			x, y, visible := b.screen.GetCursor()
			require.True(t, visible)
			c, _, _ := b.screen.Get(x, y)
			require.Equal(t, "│", c, "the terminal's cursor is where the text begins")
			b.press("enter")
		}
		b.press("esc")
		require.Contains(t, b.picture(), "▸t   @acme/…")
	}
}

func TestMeant_AKeyOfTheOpenFieldWorksBeforeTheFirstCharacter(t *testing.T) {
	b := newBenchWith(t, 80, 24, func(o *Options) {
		o.Edit = func(context.Context, string) (string, error) { return "from the editor", nil }
	})
	b.ask(words(), shop())
	b.calm()
	b.press("ctrl+j")
	require.Equal(t, form.FieldText, b.form().Typing())
	require.Equal(t, "\n", b.room().Field().Text())
}

// TestMeant_ProposedWordsAreInAnOpenField shows a step of an interview with an answer in words that is proposed.
func TestMeant_ProposedWordsAreInAnOpenField(t *testing.T) {
	ask := func(b *bench) queue.Session {
		a, o := words(), shop()
		a.Questions[0].DefaultText, o.Dialect = "a default of the interview", queue.DialectInterview
		s := b.ask(a, o)
		b.calm()
		return s
	}
	t.Run("as a field", func(t *testing.T) {
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
			b := newBench(t, size[0], size[1])
			ask(b)
			require.Regexp(t, `nswer  a default of`, b.picture())
			require.NotContains(t, b.picture(), "▸t")
			require.Contains(t, b.footer(), "⏎")
			x, y, shown := b.screen.GetCursor()
			require.True(t, shown, b.picture())
			line := []rune(strings.Split(b.picture(), "\n")[y])
			require.Regexp(t, `interview$`, string(line[:min(x, len(line))]), b.picture())
		}
	})
	t.Run("Enter sends it", func(t *testing.T) {
		b := newBench(t, 80, 24)
		s := ask(b)
		b.press("enter")
		require.Equal(t, "a default of the interview", b.get(s.ID).Outcome.Answer.Replies[0].Text)
	})
	t.Run("typing continues it", func(t *testing.T) {
		b := newBench(t, 80, 24)
		ask(b)
		b.press("!")
		require.Equal(t, "a default of the interview!", b.room().Field().Text())
	})
	t.Run("a key deletes from it", func(t *testing.T) {
		b := newBench(t, 80, 24)
		ask(b)
		b.Key(tcell.NewEventKey(tcell.KeyBackspace, 0, tcell.ModNone))
		require.Equal(t, "a default of the intervie", b.room().Field().Text())
	})
	t.Run("Esc leads to keys", func(t *testing.T) {
		b := newBench(t, 80, 24)
		ask(b)
		b.press("esc")
		require.Contains(t, b.picture(), "▸t")
	})
}

func TestMeant_TheFooterNamesWhatEscLeadsTo(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{34, 12, "Esc, then:  m  L  x cancel  ? keys"},
		{40, 12, "Esc, then:  m  L later  x cancel  ? keys"},
		{50, 20, "Esc, then:  m detail  L later  x cancel  ? keys"},
		{80, 24, "Esc, then:  m more detail  L later  x cancel  ? keys"},
	} {
		b := newBench(t, c.w, c.h)
		b.ask(words(), shop())
		b.calm()
		require.Contains(t, b.picture(), c.want, fmt.Sprint(c.w))
	}
}

func TestMeant_AHeldEnterIsNoAnswerToTheQuestion(t *testing.T) {
	for _, delay := range []time.Duration{250, 500, 660} {
		for _, hertz := range []int{11, 25, 30} {
			b := newBench(t, 80, 24)
			s := b.ask(words(), shop())
			b.calm()
			b.keysAt(140*time.Millisecond, "do it")
			b.hold("enter", delay*time.Millisecond, hertz, nil)
			require.True(t, b.get(s.ID).Pending(), "%d ms, then %d a second", delay, hertz)
		}
	}
}

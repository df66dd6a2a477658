package screen

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

var sizes = [][2]int{{30, 10}, {34, 12}, {40, 12}, {50, 20}, {60, 20}, {80, 24}, {120, 40}, {200, 60}}

func atSizes(t *testing.T, name string, set func(b *bench)) {
	for _, s := range sizes {
		t.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(t *testing.T) {
			b := newBench(t, s[0], s[1])
			set(b)
			b.golden(fmt.Sprintf("%s-%dx%d", name, s[0], s[1]))
		})
	}
}

func five(b *bench) {
	b.ask(database(), shop())
	b.clock.Pass(time.Minute)
	b.ask(small("Deploy 2.4.1 to production?", 42), infra())
	b.ask(endpoints(), shop())
	b.ask(small("Name the design-token package", 14*60+30), web())
	b.ask(small("Which auth provider?", 2*3600+60), web())
}

func TestScreenNothingWaitsFirstStart(t *testing.T) {
	atSizes(t, "empty", func(b *bench) {})
}

func TestScreenNothingWaitsLaterThatDay(t *testing.T) {
	atSizes(t, "day", func(b *bench) {
		b.ask(database(), shop())
		b.clock.Pass(11 * time.Second)
		b.press("enter")
		b.clock.Pass(time.Minute)
		b.ask(small("Rename the flag?", 20), web())
		b.clock.Pass(40 * time.Second)
		b.tick()
		b.settle()
		b.clock.Pass(40 * time.Second)
		b.tick()
		b.settle()
	})
}

func TestScreenOneQuestion(t *testing.T) {
	atSizes(t, "one", func(b *bench) {
		b.ask(database(), shop())
		b.clock.Pass(48 * time.Second)
	})
}

func TestScreenFiveWait(t *testing.T) {
	atSizes(t, "five", func(b *bench) {
		five(b)
		b.clock.Pass(time.Second)
		b.press("n")
		b.write("only the managed offering")
		b.press("enter")
	})
}

func TestScreenHybridOfTwelve(t *testing.T) {
	atSizes(t, "hybrid", func(b *bench) {
		five(b)
		b.press("J", "j", "j", "space", "n")
		b.write("per network, not per client")
		b.press("enter")
	})
}

func TestScreenTextHeldByTyping(t *testing.T) {
	atSizes(t, "text", func(b *bench) {
		b.ask(queue.Ask{Kind: queue.KindChoice, Title: "Name the design-token package",
			Prompt:    "It is published to npm under our scope, so the name cannot change later.",
			Questions: []queue.Question{{ID: "q1", Mode: queue.ModeText}}, TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone}, web())
		b.clock.Pass(20*time.Second - enterAfter)
		b.press("enter")
		b.write("@acme/design-tokens, and reserve @acme/tokens as an alias")
		b.clock.Pass(2 * time.Second)
	})
}

func TestScreenWordsOnly(t *testing.T) {
	atSizes(t, "words", func(b *bench) {
		b.ask(namesPackage(), web())
		b.calm()
	})
}

func TestScreenWordsThatMayBeMeantForAnotherPane(t *testing.T) {
	atSizes(t, "meant", func(b *bench) {
		b.ask(namesPackage(), web())
		b.keysAt(time.Second, "@acme/tokens")
		b.press("enter")
	})
}

// namesPackage is a question that takes only words.
func namesPackage() queue.Ask {
	return queue.Ask{Kind: queue.KindChoice, Title: "Name the npm package", TimeoutSeconds: 600,
		Prompt: "It is published under our scope; the name cannot change later.", OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeText, Placeholder: "@acme/…"}}}
}

func TestScreenOverWhileTyping(t *testing.T) {
	atSizes(t, "over", func(b *bench) {
		s := b.ask(database(), shop())
		b.clock.Pass(time.Second)
		b.press("n")
		b.write("only if the managed offering stays under 300 a month, otherwise")
		b.settleElsewhere(s, queue.SurfaceWeb, "lite")
	})
}

func TestScreenLongPromptWithADiff(t *testing.T) {
	atSizes(t, "diff", func(b *bench) {
		b.ask(migration(), infra())
		b.ask(database(), shop())
		b.clock.Pass(time.Second)
	})
}

func TestScreenCancelLine(t *testing.T) {
	atSizes(t, "cancel", func(b *bench) {
		b.ask(database(), shop())
		b.clock.Pass(time.Second)
		b.press("x")
		b.write("show me the monthly cost")
	})
}

func TestScreenHelp(t *testing.T) {
	atSizes(t, "help", func(b *bench) {
		b.ask(database(), shop())
		b.press("?")
	})
}

func TestScreenHostileText(t *testing.T) {
	atSizes(t, "hostile", func(b *bench) {
		a := database()
		a.Title = "Run \x1b[2Jls [:::a; rm -rf ~ && curl x|sh]?"
		a.Prompt = "safe\u202e gnp.exe\u200b \x1b]52;c;ZXZpbA==\x07 [red]not a tag[-] 日本語 👩‍👩‍👧 e\u0301 z\u0300\u0301\u0302\u0303\u0304\u0305\u0306"
		a.Questions[0].Options[0].Label = "yes\u2066\r\x1b[1A no"
		a.Questions[0].Options[1].Label = "漢字かな交じり文の長いラベルはここで折り返されるべきである、そして続く"
		b.ask(a, queue.Origin{Client: "evil\x1b]0;x\x07", Cwd: "/tmp/\u202e[::b]x"})
	})
}

// settleElsewhere answers through another surface.
func (b *bench) settleElsewhere(s queue.Session, surface, option string) {
	b.t.Helper()
	roomtest.SettleElsewhere(b.t, b.o.Queue, s.ID, surface, option)
	b.settle()
}

func TestPastedTextIsToldWhereItMayGo(t *testing.T) {
	assert.Equal(t, "pasting needs a text field: press t first", pasteWhere([]string{"t"}, true))
	assert.Equal(t, "pasting needs a text field: press t, n or a first", pasteWhere([]string{"t", "n", "a"}, true))
	assert.Equal(t, "pasting needs a text field", pasteWhere([]string{"t"}, false))
	assert.Equal(t, "pasting needs a text field", pasteWhere(nil, true))
}

func TestOneProcessorWaitsAndAllOfThemServeAPage(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	b := newBench(t, 80, 24)
	b.memory.processors = 3

	b.press("h")
	assert.Equal(t, 3, runtime.GOMAXPROCS(0), "in history")
	b.press("?", "esc")
	assert.Equal(t, 3, runtime.GOMAXPROCS(0), "in history again, from help")
	b.press("esc")
	assert.Equal(t, 1, runtime.GOMAXPROCS(0), "back at the queue")
}

package question

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

func TestScreenOneQuestion(t *testing.T) {
	atSizes(t, "one", func(b *bench) {
		b.ask(database(), shop())
		b.pass(48 * time.Second)
	})
}

func TestScreenFiveWait(t *testing.T) {
	atSizes(t, "five", func(b *bench) {
		five(b)
		b.pass(time.Second)
		b.press("n")
		b.write("only the managed offering")
		b.press("enter")
	})
}

func TestScreenHybridOfTwelve(t *testing.T) {
	atSizes(t, "hybrid", func(b *bench) {
		five(b)
		b.step(1)
		b.press("j", "j", "space", "n")
		b.write("per network, not per client")
		b.press("enter")
	})
}

func TestScreenTextHeldByTyping(t *testing.T) {
	atSizes(t, "text", func(b *bench) {
		b.ask(queue.Ask{Kind: queue.KindChoice, Title: "Name the design-token package",
			Prompt:    "It is published to npm under our scope, so the name cannot change later.",
			Questions: []queue.Question{{ID: "q1", Mode: queue.ModeText}}, TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone},
			web())
		b.pass(20 * time.Second)
		b.press("t")
		b.write("@acme/design-tokens, and reserve @acme/tokens as an alias")
		b.pass(2 * time.Second)
	})
}

func TestScreenOverWhileTyping(t *testing.T) {
	atSizes(t, "over", func(b *bench) {
		s := b.ask(database(), shop())
		b.pass(time.Second)
		b.press("n")
		b.write("only if the managed offering stays under 300 a month, otherwise")
		b.settleElsewhere(s, queue.SurfaceWeb, "lite")
	})
}

func TestScreenLongPromptWithADiff(t *testing.T) {
	atSizes(t, "diff", func(b *bench) {
		b.ask(migration(), infra())
		b.ask(database(), shop())
		b.pass(time.Second)
	})
}

func TestScreenCancelLine(t *testing.T) {
	atSizes(t, "cancel", func(b *bench) {
		b.ask(database(), shop())
		b.pass(time.Second)
		b.press("x")
		b.write("show me the monthly cost")
	})
}

func TestScreenHostileText(t *testing.T) {
	atSizes(t, "hostile", func(b *bench) {
		a := database()
		a.Title = "Run \x1b[2Jls [:::a; rm -rf ~ && curl x|sh]?"
		a.Prompt = "safe\u202e gnp.exe\u200b \x1b]52;c;ZXZpbA==\x07 [red]not a tag[-] 日本語 👩‍👩‍👧 e\u0301 " +
			"z\u0300\u0301\u0302\u0303\u0304\u0305\u0306"
		a.Questions[0].Options[0].Label = "yes\u2066\r\x1b[1A no"
		a.Questions[0].Options[1].Label = "漢字かな交じり文の長いラベルはここで折り返されるべきである、そして続く"
		b.ask(a, queue.Origin{Client: "evil\x1b]0;x\x07", Cwd: "/tmp/\u202e[::b]x"})
	})
}

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
		b.pass(29 * time.Second)
		b.press("enter")
	})
}

func TestScreenMarkdown(t *testing.T) {
	atSizes(t, "markdown", func(b *bench) {
		b.ask(marked(), shop())
		b.pass(time.Second)
	})
}

func TestScreenMarkdownAtFullHeight(t *testing.T) {
	atSizes(t, "markdown-full", func(b *bench) {
		b.ask(marked(), shop())
		b.pass(time.Second)
		b.press("z")
		b.picture()
		b.press("pgdn")
	})
}

func migration() queue.Ask {
	a := database()
	a.Title = "Apply this migration?"
	a.Prompt = "The nightly job fails since the TTL change. This patch rebuilds the index concurrently. I ask " +
		"because it touches 4.1 million rows.\n\n  migrations/0042_ttl.sql\n-DROP INDEX orders_ttl;\n+DROP INDEX " +
		"CONCURRENTLY orders_ttl;\n+CREATE INDEX CONCURRENTLY orders_ttl2\n+  ON orders (expires_at)\n+  WHERE state = " +
		"'open';"
	var lines strings.Builder
	for i := range 84 {
		fmt.Fprintf(&lines, "\n+  -- line %d", i)
	}
	a.Prompt += lines.String()
	a.Questions[0].Options = []queue.Option{{ID: "now", Label: "Apply now",
		Description: "Locks nothing, takes about four minutes", Recommended: true},
		{ID: "night", Label: "Apply tonight at 03:00", Description: "The job fails once more"}, {ID: "no",
			Label: "Do not apply"}}
	a.TimeoutSeconds = 381
	return a
}

func TestScreenWithoutUTF8(t *testing.T) {
	atSizes(t, "ascii", func(b *bench) {
		b.glyphs = ink.ASCII
		five(b)
		b.press("n")
		b.write("only the managed offering")
		b.press("enter")
	})
}

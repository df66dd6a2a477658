package screen

import (
	"testing"
	"time"
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

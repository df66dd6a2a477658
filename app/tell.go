package app

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// tellAgent opens a line to an agent with words quoted above it; what was typed for that agent before stays.
func (d *Dashboard) tellAgent(o queue.Origin, quote string) {
	if d.chatOff() {
		d.openChat() // says why not
		return
	}
	d.chat.to = d.meetOrigin(o, time.Time{})
	text := "> " + oneLine(quote) + "\n"
	if old := d.chat.texts[d.chat.to]; old != "" {
		text = old + "\n" + text
	}
	d.chat.texts[d.chat.to] = text
	d.compose()
	if a := d.addressed(); a == nil || a.key != d.chat.to {
		d.message = o.Name() + " is not here any more"
	}
}

package app

import (
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// tellAgent opens a line to an agent with words quoted above it; what was typed for that agent before stays. The
// composer stays with that agent, also when it is gone: its line must not go to another one unseen.
func (d *Dashboard) tellAgent(o queue.Origin, words string) {
	if d.chatOff() {
		d.openChat() // says why not
		return
	}
	to, key := d.chat.to, d.meetOrigin(o, time.Time{})
	text := "> " + say.OneLine(words) + "\n"
	before := d.chat.texts[key]
	if before != "" {
		text = before + "\n" + text
	}
	d.chat.texts[key] = text
	d.compose(d.chat.agents[key])
	d.chat.quote = quote{key: key, text: text, before: before, to: to}
	d.chat.fresh = before == "" // its agent may have come back as another one: Tab takes the quote along
}

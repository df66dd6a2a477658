package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// chatRight says at the rule's right end, in room cells, what the addressed agent does, which of how many it is, and
// for whom else a text is kept.
func (d *Dashboard) chatRight(room int) string {
	count := d.chatCount()
	kept, few := d.keptElsewhere()
	for _, parts := range [][]string{{d.chatState(), count, kept}, {count, kept}, {kept}, {few}, {count}} {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		if words := strings.Join(parts, " "+d.glyphs.Dot+" "); words != "" && ink.Width(words) <= room {
			return words
		}
	}
	return ""
}

// closedName says in the composer's rule that chat is closed, and always to whom the text would go.
func (d *Dashboard) closedName(room int) string {
	to := ""
	if a := d.addressed(); a != nil {
		to = " " + d.glyphs.Dot + " to " + d.agentName(a)
	}
	name := ""
	for _, closed := range []string{chatClosed + ": " + d.waitWords(), "closed: " + d.waitWords(), "closed"} {
		if name = closed + to; ink.Width(name) <= room {
			break
		}
	}
	return name
}

func (d *Dashboard) chatState() string {
	a := d.addressed()
	if a == nil {
		return ""
	}
	state := "working"
	switch {
	case !d.here(a):
		state = ""
	case d.waitsFor(a):
		state = "waiting"
	}
	if n := len(d.unfetched(a)); n > 0 {
		state = strings.TrimPrefix(fmt.Sprintf("%s %s %d not fetched", state, d.glyphs.Dot, n), " "+d.glyphs.Dot+" ")
	}
	return state
}

func (d *Dashboard) chatCount() string {
	all := d.choices()
	if at := slices.Index(all, d.addressed()); at >= 0 && len(all) > 1 {
		return fmt.Sprintf("%d of %d agents", at+1, len(all))
	}
	return ""
}

// keptElsewhere says for which other agent a text is kept, or for how many, and the same in few cells.
func (d *Dashboard) keptElsewhere() (words, few string) {
	list := d.keeping()
	list = slices.DeleteFunc(list, func(a *chatAgent) bool { return a == d.addressed() })
	few = fmt.Sprintf("%s %d kept", d.glyphs.Note, len(list))
	switch len(list) {
	case 0:
		return "", ""
	case 1:
		return d.glyphs.Note + " for " + d.agentName(list[0]), few
	}
	return fmt.Sprintf("%s for %d others", d.glyphs.Note, len(list)), few
}

// keptLine is the composer's line while it is closed: the first words that were typed and not sent, and for whom.
func (d *Dashboard) keptLine() string {
	g, list := d.glyphs, d.keeping()
	if len(list) == 0 || d.chatOff() {
		return g.Prompt
	}
	a, w := list[0], d.size.w
	tail := " " + g.Note + " " + d.agentName(a)
	if ink.Width(tail) > w/2 {
		tail = " " + g.Note + " " + a.origin.Dir()
	}
	if n := len(list) - 1; n > 0 {
		tail += fmt.Sprintf(" +%d", n)
	}
	text := say.OneLine(queue.Headline(d.chat.texts[a.key]))
	return g.Prompt + " " + ink.Cut(text, max(w-ink.Width(g.Prompt+" "+tail), 4), g.Ellipsis) + tail
}

// chatFoot says what Enter would do in the composer, or why nothing, and its keys.
func (d *Dashboard) chatFoot() panes.FootView {
	v := d.chatEnter()
	a := d.addressed()
	v.Keys = d.keys.Hints(keys.PlaceChat, func(b keys.Binding) keys.Word {
		switch {
		case b.Action == keys.ActChatNext && !d.another(), b.Action == keys.ActTakeBack && (a == nil || len(d.unfetched(a)) == 0):
			return keys.Word{}
		}
		return b.Word()
	})
	v.Keys = append(v.Keys, d.escHint(keys.PlaceChat, "leave, text kept", "leave"))
	return v
}

// another reports whether Tab leads to another agent.
func (d *Dashboard) another() bool {
	all := d.choices()
	return len(all) > 1 || len(all) == 1 && all[0] != d.addressed()
}

func (d *Dashboard) chatEnter() panes.FootView {
	g, a := d.glyphs, d.addressed()
	closing, first := d.closing()
	blank := queue.Blank(d.chat.editor.Text())
	switch {
	case d.chat.busy != "":
		return panes.FootView{Line: "sending " + g.Ellipsis}
	case closing > 0:
		return panes.FootView{Line: panes.ChatRefusal(g, first, closing-1, d.size.w)}
	case a == nil && len(d.chat.agents) > 0:
		return d.chatRefused(d.keys.KeyOf(keys.PlaceChat, keys.ActChatNext) + " picks an agent")
	case a == nil:
		return d.chatRefused("no agent is known yet")
	}
	switch why := d.unreachable(a); {
	case why != "":
		return d.chatRefused(why)
	case blank:
		return panes.FootView{Line: "type a line to " + d.agentName(a)}
	}
	name := d.agentName(a)
	return panes.FootView{Line: g.Enter + " send to " + name, Parts: []ink.Part{{Text: name, Least: 8}}, Tails: d.chatTails(a)}
}

const textStays = ". The text stays."

// chatRefused is the Enter line where nothing is sent.
func (d *Dashboard) chatRefused(why string) panes.FootView {
	if queue.Blank(d.chat.editor.Text()) {
		return panes.FootView{Line: "nothing can be sent: " + why, Parts: []ink.Part{{Text: "nothing can be sent: ", Short: []string{""}, Nice: true}}}
	}
	return panes.FootView{Line: d.glyphs.Enter + " not sent: " + why + textStays, Parts: []ink.Part{{Text: textStays, Short: []string{""}, Nice: true}}}
}

// chatTails say that the line is not typed into the agent's pane.
func (d *Dashboard) chatTails(a *chatAgent) []ink.Tail {
	mode := d.settings.Chat.Deliver
	if d.chat.listen[a.key] || mode == deliverTmux || a.at.Where != "" && mode != deliverMCP {
		return nil
	}
	tail := ink.Tail{"kept until it calls next_message", "kept for next_message", "kept"}
	if a.at.Shared && mode != deliverMCP { // the person may see the pane, and wonders
		tail = append(ink.Tail{tail[0] + ": no pane is surely its own"}, tail...)
	}
	return []ink.Tail{tail}
}

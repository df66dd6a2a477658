package talk

import (
	"io"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// writePrompt writes the prompt before the typed line. A prompt of several lines ends with a line of its own.
func (t *voice) writePrompt(prompt string) {
	switch {
	case prompt == "":
	case t.o.Echo && !strings.Contains(prompt, "\n"):
		t.write(prompt + " ")
	default:
		t.sayLine(prompt)
	}
}

// sayLine writes what is visible already.
func (t *voice) sayLine(text string) { t.write(text + "\n") }

// apart writes a blank line between new text and the text above it.
func (t *voice) apart() {
	if t.begun {
		t.write("\n")
	}
}

// sgr are the tones as a terminal has them.
var sgr = map[say.Tone]string{say.ToneDim: "2", say.ToneRed: "31", say.ToneYellow: "33", say.ToneGreen: "32"}

func (t *voice) toned(line say.Toned) {
	text := line.Text
	if code := sgr[line.Tone]; t.o.Colour && code != "" {
		text = "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	t.sayLine(text + line.Rest)
}

func (t *voice) box(b say.TalkBox) {
	t.apart()
	t.write(Box(b))
}

func (t *voice) write(text string) {
	t.begun = true
	_, _ = io.WriteString(t.o.Out, text) // nobody reads it any more: the input ends as well
}

// boxWidth is the width of a frame, in cells.
const boxWidth = 70

// Box returns a framed text, boxWidth cells wide whatever it holds.
func Box(b say.TalkBox) string {
	var out strings.Builder
	title := ink.Cut(b.Title, boxWidth-6, "…")
	out.WriteString("╭─ " + title + " " + strings.Repeat("─", boxWidth-5-ink.Width(title)) + "╮\n")
	for _, row := range b.Rows {
		for _, line := range ink.Wrap(row.Text, boxWidth-4-row.Indent) {
			line = strings.Repeat(" ", row.Indent) + line
			out.WriteString("│ " + line + strings.Repeat(" ", max(boxWidth-4-ink.Width(line), 0)) + " │\n")
		}
	}
	out.WriteString("╰" + strings.Repeat("─", boxWidth-2) + "╯\n")
	return out.String()
}

package talk

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/widen"
)

// await waits for a line. It fails with errEnded at the end of the lines, with errStopped after Ctrl-C, with errChanged
// when the question changed elsewhere, and with errLate when due came first; a nil due never comes.
func (t *Talk) await(ctx context.Context, due <-chan time.Time) (string, error) {
	if !t.asked && t.o.Want != nil {
		t.o.Want()
	}
	t.asked = true
	for {
		select {
		case text, more := <-t.o.In:
			if !more {
				return "", errEnded
			}
			t.asked = false
			return strings.TrimSuffix(text, "\r"), nil
		case s := <-t.changes:
			switch now := t.c.Session; {
			case s.Revision < now.Revision: // from before our own command
			case !sameFor(s, now):
				return "", errChanged
			default:
				t.c.See(s)
			}
		case <-t.o.Interrupt:
			return "", errStopped
		case <-due:
			return "", errLate
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// ask writes a prompt and waits for a line of text, as read does.
func (t *Talk) ask(ctx context.Context, prompt string) (string, error) {
	return t.read(ctx, prompt, nil)
}

// fresh notes that something new is on view: for a moment no line answers it.
func (t *Talk) fresh() { t.shown = time.Now() }

// read writes a prompt and waits for a line, as await does; !cancel is like Ctrl-C. It says that the input ended, and
// refuses lines with keys that are no text. Where an agent says that the question is one for the team, that line is
// shown and never is the answer.
func (t *Talk) read(ctx context.Context, prompt string, due <-chan time.Time) (string, error) {
	for {
		t.writePrompt(prompt)
		text, err := t.await(ctx, due)
		if err != nil && t.o.Echo {
			t.write("\n") // what was typed so far stays alone on its line
		}
		words, hinted := widen.CutHint(text)
		switch {
		case errors.Is(err, errEnded):
			t.sayLine("The input ended.")
			return "", err
		case err != nil:
			return "", err
		case hinted:
			t.toned(agentsHint(words))
		case keyed(text):
			t.sayLine(say.NotText)
		case time.Since(t.shown) < t.o.Guard:
			t.sayLine(say.LineTooSoon(text))
			t.fresh() // what follows at once belongs to it
		case strings.TrimSpace(text) == typedCancel:
			return "", errStopped
		default:
			return text, nil
		}
	}
}

// dropEarly refuses what was typed or written before the question changed, and says so: it was meant for what stood
// there before. A line that is still being typed is dropped without a word, as nobody can know it.
func (t *Talk) dropEarly() {
	early := t.arrived()
	if t.o.Drop != nil {
		early = append(early, t.o.Drop()...)
	}
	for _, text := range append(early, t.arrived()...) {
		t.sayLine(say.LineTooSoon(text))
	}
}

// arrived returns the line that was asked for, if it is there already.
func (t *Talk) arrived() []string {
	select {
	case text, more := <-t.o.In:
		if more {
			t.asked = false
			return []string{text}
		}
	default:
	}
	return nil
}

// keyed reports whether a line holds keys that a line of text cannot take: arrows, Esc.
func keyed(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && unicode.IsControl(r) })
}

// forgetInterrupt drops a Ctrl-C that was the editor's.
func (t *Talk) forgetInterrupt() {
	select {
	case <-t.o.Interrupt:
	default:
	}
}

// writePrompt writes the prompt before the typed line. A prompt of several lines ends with a line of its own.
func (t *Talk) writePrompt(prompt string) {
	switch {
	case prompt == "":
	case t.o.Echo && !strings.Contains(prompt, "\n"):
		t.write(prompt + " ")
	default:
		t.sayLine(prompt)
	}
}

// sayLine writes what is visible already.
func (t *Talk) sayLine(text string) { t.write(text + "\n") }

// apart writes a blank line between new text and the text above it.
func (t *Talk) apart() {
	if t.begun {
		t.write("\n")
	}
}

// sgr are the tones as a terminal has them.
var sgr = map[tone]string{toneDim: "2", toneRed: "31", toneYellow: "33", toneGreen: "32"}

func (t *Talk) toned(line toned) {
	text := line.Text
	if code := sgr[line.Tone]; t.o.Colour && code != "" {
		text = "\x1b[" + code + "m" + text + "\x1b[0m"
	}
	t.sayLine(text + line.Rest)
}

func (t *Talk) box(b frame) {
	t.apart()
	t.write(framed(b))
}

func (t *Talk) write(text string) {
	t.begun = true
	_, _ = io.WriteString(t.o.Out, text) // nobody reads it any more: the input ends as well
}

// boxWidth is the width of a frame, in cells.
const boxWidth = 70

// framed returns a framed text, boxWidth cells wide whatever it holds.
func framed(b frame) string {
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

// tone is the colour of the beginning of a line, on a terminal that has colours.
type tone int

// The tones.
const (
	tonePlain tone = iota
	toneDim
	toneRed
	toneYellow
	toneGreen
)

// toned holds a line: its beginning has a tone, the rest has none.
type toned struct {
	Tone       tone
	Text, Rest string
}

// frame holds a framed text: a title, and rows that are wrapped inside the frame.
type frame struct {
	Title string
	Rows  []frameRow
}

// frameRow holds one row of a framed text. A text of several lines keeps them.
type frameRow struct {
	Indent int
	Text   string
}

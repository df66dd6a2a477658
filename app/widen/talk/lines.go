package talk

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/widen"
)

// await waits for a line. It fails with errEnded at the end of the lines, with errStopped after Ctrl-C, with errChanged
// when the question changed elsewhere, and with errLate when due fired first; due may be nil.
func (t *Talk) await(ctx context.Context, due <-chan time.Time) (string, error) {
	t.wantLine()
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

// wantLine requests the next line, unless a line was requested that has not come yet.
func (t *Talk) wantLine() {
	if !t.asked {
		t.o.Want()
	}
	t.asked = true
}

// ask writes a prompt and waits for a line, as read does, without a time limit.
func (t *Talk) ask(ctx context.Context, prompt string) (string, error) {
	return t.read(ctx, prompt, nil)
}

// noteNew records that something new was written. For a moment no line counts as an answer to it, because the person
// may have typed the line for the text before it.
func (t *Talk) noteNew() { t.shown = time.Now() }

// read writes a prompt and waits for a line, as await does. The line !cancel counts as Ctrl-C. If the input ends, read
// says so. It refuses lines with control keys. A line in which an agent recommends to ask the team is shown, and is
// never the answer.
func (t *Talk) read(ctx context.Context, prompt string, due <-chan time.Time) (string, error) {
	for {
		t.writePrompt(prompt)
		text, err := t.await(ctx, due)
		if err != nil && t.o.Echo {
			t.write("\n") // further output begins below the line that the person has begun
		}
		words, hinted := widen.CutHint(text)
		switch {
		case errors.Is(err, errEnded):
			t.sayLine("The input ended.")
			return "", err
		case err != nil:
			return "", err
		case hinted:
			t.sayToned(toneDim, say.OneLine(words), "")
		case say.HoldsKeys(text):
			t.sayLine(say.NotText)
		case time.Since(t.shown) < t.o.Guard:
			t.sayLine(say.LineTooSoon(text))
			t.noteNew() // a line that follows at once was typed for the same earlier text
		case strings.TrimSpace(text) == typedCancel:
			return "", errStopped
		default:
			return text, nil
		}
	}
}

// silence is the time after which no line that was typed before can still come.
const silence = 50 * time.Millisecond

// refuseEarly refuses the lines that arrived before the question changed, and says so, because they were typed for the
// question as it was. A line that is still being typed is dropped too; it cannot be shown, because it was not read yet.
func (t *Talk) refuseEarly() {
	t.o.Drop()
	for {
		t.wantLine()
		select {
		case text, more := <-t.o.In:
			if !more {
				return
			}
			t.asked = false
			t.sayLine(say.LineTooSoon(text))
		case <-time.After(silence):
			return
		}
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

// sayLine writes a line. Hidden characters of the text were made visible before.
func (t *Talk) sayLine(text string) { t.write(text + "\n") }

// separate writes a blank line between new text and the text above it.
func (t *Talk) separate() {
	if t.begun {
		t.write("\n")
	}
}

// The tones of the beginning of a line, as parameters of a terminal's colour sequences.
const (
	toneDim    = "2"
	toneRed    = "31"
	toneGreen  = "32"
	toneYellow = "33"
)

// sayToned writes a line whose beginning has a tone; the rest has none.
func (t *Talk) sayToned(tone, text, rest string) {
	if t.o.Colour {
		text = "\x1b[" + tone + "m" + text + "\x1b[0m"
	}
	t.sayLine(text + rest)
}

// writeBox writes a framed text.
func (t *Talk) writeBox(title string, rows ...string) {
	t.separate()
	t.write(framed(title, rows))
}

// write writes a text unchanged.
func (t *Talk) write(text string) {
	t.begun = true
	_, _ = io.WriteString(t.o.Out, text) // if the reader is gone, the input ends too
}

// boxWidth is the width of a frame, in cells.
const boxWidth = 70

// framed returns a title and rows in a frame that is always boxWidth cells wide. Rows are wrapped, and keep their line
// breaks. All lines of a row are indented like the first.
func framed(title string, rows []string) string {
	var out strings.Builder
	title = ink.Cut(title, boxWidth-6, "…")
	out.WriteString("╭─ " + title + " " + strings.Repeat("─", boxWidth-5-ink.Width(title)) + "╮\n")
	for _, row := range rows {
		text := strings.TrimLeft(row, " ")
		indent := row[:len(row)-len(text)]
		for _, line := range ink.Wrap(text, boxWidth-4-len(indent)) {
			line = indent + line
			out.WriteString("│ " + line + strings.Repeat(" ", max(boxWidth-4-ink.Width(line), 0)) + " │\n")
		}
	}
	return out.String() + "╰" + strings.Repeat("─", boxWidth-2) + "╯\n"
}

package term

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The times of the filter.
const (
	escapeGap  = 40 * time.Millisecond  // a lone escape is the Esc key after this time
	escapeMuch = 500 * time.Millisecond // the same behind much input, which may be torn anywhere and continue late
	unfinished = time.Second            // an unfinished sequence or paste is given up after this time
	alone      = 100 * time.Millisecond // the silence before and after a Ctrl-C that ends a paste
	sameEnter  = 50 * time.Millisecond  // a line feed that comes so soon behind a carriage return belongs to it
)

// The control characters that the filter treats in their own way.
const (
	ctrlC      = 0x03
	bell       = 0x07
	backspace  = 0x08
	cancel     = 0x18 // ends a string, as substitute does
	subst      = 0x1a
	escape     = 0x1b
	underscore = 0x1f // Ctrl-_
	del        = 0x7f
)

// mostParams is the most bytes of a control sequence that are kept. A longer one is no key, and is swallowed.
const mostParams = 64

// What the filter writes for a paste: tcell reads these as its beginning and its end.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// ctrlCAsCode is Ctrl-C as the filter writes it if a terminal sends keys by their numbers.
const ctrlCAsCode = "\x1b[99;5u"

// filter turns the bytes that a terminal sends into bytes that tcell cannot misread:
//
//	bytes ─► take ─┬► parse: text, keys, paste marks ─────────────────────────► ASCII for tcell
//	               ├► inString, mouse: replies and reports of the terminal ──► nothing
//	               └► held: an unfinished sequence or character ─► settle ───► Esc, U+FFFD or nothing
//
// Everything that it writes is ASCII, because tcell reads input in the character set of the locale. Each key is one
// whole sequence, so that tcell never waits for the rest of one. In a paste only text, tabs and line ends are written.
//
// The filter has no clock: the caller passes the time, and calls settle when due says so.
type filter struct {
	out      []byte    // for tcell
	held     []byte    // an unfinished character or sequence
	again    []byte    // pasted text that came as keys, to be read after the present sequence
	inner    *filter   // for bytes that came as keys; nil: none came
	began    time.Time // when the first byte of held, or of the string or mouse report, came
	last     time.Time // when the last byte came
	inString bool      // within a reply that is swallowed up to its end
	mouse    int       // how many bytes of a mouse report are still to come
	pasting  bool
	stop     time.Time // when a Ctrl-C came in the paste, after a silence; zero: none
	returned time.Time // when a carriage return came that ends the text so far; zero: other text has come since
	escaped  time.Time // when the last lone escape became the Esc key; zero: something came since
	stops    int       // how many times Ctrl-C was written since the last take
	torn     bool      // the escape of the held sequence was already the Esc key
	closes   bool      // the last escape came within a string, which a backslash ends
	burst    int       // how many bytes have come with no more than escapeGap between two reads
}

// muchRead is how many bytes in a burst are no keys of a person.
const muchRead = 256

// gap returns after what time a lone escape is the Esc key.
func (f *filter) gap() time.Duration {
	if f.burst >= muchRead {
		return escapeMuch
	}
	return escapeGap
}

// feed takes the bytes of one read, and returns what tcell gets.
func (f *filter) feed(b []byte, now time.Time) []byte {
	if !f.isEscape() || !continuesEscape(b) { // else what follows was only read late
		f.expire(now)
	}
	if now.Sub(f.last) > escapeGap {
		f.burst = 0
	}
	f.burst += len(b)
	recent := now.Sub(f.escaped) < unfinished
	if recent && len(b) > 0 && (f.closes && b[0] == '\\' || continuesEscape(b)) {
		f.held, f.torn, f.began = append(f.held, escape), true, now
	}
	f.escaped, f.closes = time.Time{}, false
	if f.pasting && now.Sub(f.last) >= alone && isCtrlC(b) {
		f.stop, f.last = now, now
		return f.taken()
	}
	for _, c := range b {
		f.stop, f.last = time.Time{}, now
		f.take(c, now)
	}
	return f.taken()
}

// isCtrlC reports whether the bytes of one read are Ctrl-C and nothing else, in any form in which terminals send it.
func isCtrlC(b []byte) bool {
	if len(b) == 1 {
		return b[0] == ctrlC
	}
	var one filter
	return len(b) < mostParams && string(one.feed(b, time.Time{})) == ctrlCAsCode
}

// due returns when settle has something to do if nothing comes before; zero: never.
func (f *filter) due() (at time.Time) {
	sooner := func(t time.Time) {
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	switch {
	case f.isEscape():
		sooner(f.began.Add(f.gap()))
	case len(f.held) > 0, f.inString, f.mouse > 0:
		sooner(f.began.Add(unfinished))
	}
	if !f.stop.IsZero() {
		sooner(f.stop.Add(alone))
	}
	if f.pasting {
		sooner(f.last.Add(unfinished))
	}
	if f.inner != nil {
		if t := f.inner.due(); !t.IsZero() {
			sooner(t)
		}
	}
	return at
}

// settle gives up what is overdue at now, and returns what tcell gets instead.
func (f *filter) settle(now time.Time) []byte {
	f.expire(now)
	return f.taken()
}

// reset forgets what is unfinished, and returns the end of an open paste.
func (f *filter) reset() []byte {
	f.giveUp()
	f.escaped, f.closes, f.stop = time.Time{}, false, time.Time{}
	if f.pasting {
		f.endPaste()
	}
	if f.inner != nil {
		f.out = append(f.out, f.inner.reset()...)
	}
	return f.taken()
}

// stopsTaken returns how many times Ctrl-C was written since the last call.
func (f *filter) stopsTaken() int {
	n := f.stops
	if f.stops = 0; f.inner != nil {
		n += f.inner.stopsTaken()
	}
	return n
}

// taken returns what was written since the last call.
func (f *filter) taken() []byte {
	out := f.out
	f.out = nil
	return out
}

// expire gives up what is overdue at now.
func (f *filter) expire(now time.Time) {
	if f.inner != nil {
		f.out = append(f.out, f.inner.settle(now)...)
	}
	for at := f.due(); !at.IsZero() && !now.Before(at); at = f.due() {
		switch {
		case !f.stop.IsZero() && !now.Before(f.stop.Add(alone)):
			f.endPaste()
			f.writeRune(ctrlC, 0)
		case f.pasting && !now.Before(f.last.Add(unfinished)):
			f.endPaste()
		case f.isEscape():
			f.held, f.began, f.escaped = f.held[1:], f.last, at
			f.writeEscape()
		default:
			f.giveUp()
		}
	}
}

// isEscape reports whether held begins with an escape that is the Esc key if nothing comes. In a paste it never is.
func (f *filter) isEscape() bool {
	h := f.held
	return !f.pasting && len(h) > 0 && h[0] == escape && (len(h) == 1 || h[1] == escape)
}

// giveUp ends what is unfinished: part of a character is one that cannot be shown, and part of a sequence is nothing.
func (f *filter) giveUp() {
	if len(f.held) > 0 && f.held[0] != escape {
		f.writeRune(utf8.RuneError, 0)
	}
	f.held, f.inString, f.mouse, f.torn = nil, false, 0, false
}

// endPaste ends a paste, and gives up what is unfinished in it.
func (f *filter) endPaste() {
	f.giveUp()
	f.pasting, f.stop = false, time.Time{}
	f.out = append(f.out, pasteEnd...)
}

// take takes one byte.
func (f *filter) take(c byte, now time.Time) {
	switch {
	case f.inString && c == escape: // its end, or the beginning of something else
		f.inString, f.closes = false, true
	case f.inString:
		f.inString = c != bell && c != cancel && c != subst && c != ctrlC
		if c != ctrlC {
			return
		}
	case f.mouse > 0 && c != escape && c != ctrlC:
		f.mouse--
		return
	}
	f.mouse = 0
	if len(f.held) == 0 {
		f.began = now
	}
	f.held = append(f.held, c)
	for len(f.held) > 0 {
		n := f.parse(f.held)
		if n == 0 {
			return
		}
		f.held, f.torn = f.held[n:], false
		f.began = now // of what is left
		again := f.again
		f.again = nil
		for _, c := range again {
			f.take(c, now)
		}
	}
	f.held = nil
}

// parse reads a character or a sequence at the beginning of h, and returns its length; 0: it is unfinished.
func (f *filter) parse(h []byte) int {
	switch {
	case h[0] != escape:
		return f.parseText(h, 0)
	case len(h) == 1:
		return 0
	}
	switch c := h[1]; c {
	case '[':
		return f.parseControl(h, 0)
	case 'O':
		return f.parseShift(h, 0)
	case ']', 'P', '_', '^', 'X':
		f.inString = true
		return 2
	case '\\': // the end of a string
		return 2
	case escape:
		return f.parseTwoEscapes(h)
	case ctrlC:
		f.writeEscape()
		return 1
	}
	if n := f.parseText(h[1:], alt); n > 0 {
		return n + 1
	}
	return 0
}

// parseTwoEscapes reads the escapes at the beginning of h. Some terminals send Alt with an arrow as an escape before
// the sequence of the arrow. Otherwise the first escape is the Esc key.
func (f *filter) parseTwoEscapes(h []byte) int {
	if len(h) == 2 {
		return 0
	}
	n := 0
	switch h[2] {
	case '[':
		i := slices.IndexFunc(h[3:], func(c byte) bool { return c < 0x20 || c >= 0x40 || c == '$' })
		if i < 0 && len(h) < mostParams {
			return 0
		}
		if i >= 0 && isArrow(h[3:3+i], h[3+i]) {
			n = f.parseControl(h[1:], alt)
		}
	case 'O':
		if len(h) == 3 {
			return 0
		}
		if isArrow(nil, h[3]) {
			n = f.parseShift(h[1:], alt)
		}
	}
	if n > 0 {
		return n + 1
	}
	f.writeEscape()
	return 1
}

// isArrow reports whether a control sequence is a key that moves, which terminals send with a further escape for Alt.
// rxvt has own ones for the same keys with Shift and Ctrl.
func isArrow(params []byte, final byte) bool {
	if strings.IndexByte("~$^@", final) >= 0 {
		return len(params) == 1 && params[0] >= '1' && params[0] <= '8'
	}
	return len(params) == 0 && strings.IndexByte("ABCDFHabcd", final) >= 0
}

// parseText reads a character. With Alt it is a key.
func (f *filter) parseText(h []byte, mods int) int {
	if !utf8.FullRune(h) {
		return 0
	}
	r, n := utf8.DecodeRune(h) // U+FFFD for a byte that is no UTF-8
	f.writeRune(r, mods)
	return n
}

// parseControl reads a control sequence.
func (f *filter) parseControl(h []byte, mods int) int {
	for i := 2; i < len(h); i++ {
		switch c := h[i]; {
		case c == '[' && i == 2: // a function key of the Linux console
			if len(h) == 3 {
				return 0
			}
			if h[3] >= 'A' && h[3] <= 'E' && !f.pasting && !f.torn {
				f.out = append(f.out, h[:4]...)
			}
			if h[3] < 0x20 || h[3] >= del {
				return 3
			}
			return 4
		case c >= 0x40 && c < del, c == '$' && isArrow(h[2:i], c):
			f.takeControl(string(h[2:i]), c, mods)
			return i + 1
		case c == escape, c == ctrlC, c > del:
			return i // the sequence was cut off
		case c < 0x20, c == del:
			return i + 1
		}
	}
	if len(h) > mostParams {
		f.held = append(f.held[:0], "\x1b[?"...)
	}
	return 0
}

// parseShift reads a key of the application mode, or one with which rxvt reports Ctrl.
func (f *filter) parseShift(h []byte, mods int) int {
	for i := 2; i < len(h); i++ {
		switch c := h[i]; {
		case c >= '0' && c <= '9', c == ';':
			if i > 4 {
				return i + 1
			}
		case c == escape, c == ctrlC, c >= del:
			return i
		case f.pasting, f.torn, c < 0x20:
			return i + 1
		case c >= 'a' && c <= 'd' && i == 2:
			f.takeKey("1;5", c-'a'+'A', mods)
			return i + 1
		case strings.IndexByte("ABCDFHPQRS", c) >= 0:
			params := strings.TrimPrefix(string(h[2:i]), "1;")
			if params != "" {
				f.takeKey("1;"+params, c, mods)
			} else if mods != 0 {
				f.takeKey("", c, mods)
			} else {
				f.out = append(f.out, escape, 'O', c)
			}
			return i + 1
		case i == 2 && strings.IndexByte("tuvlwx", c) >= 0:
			f.out = append(f.out, escape, 'O', c)
			return i + 1
		default:
			return i + 1
		}
	}
	return 0
}

// takeControl carries out a control sequence. Only keys, paste marks and the focus are passed on.
func (f *filter) takeControl(params string, final byte, mods int) {
	switch {
	case final == '~' && params == "200":
		if !f.pasting {
			f.pasting = true
			f.out = append(f.out, pasteStart...)
		}
	case final == '~' && params == "201":
		if f.pasting {
			f.pasting = false
			f.out = append(f.out, pasteEnd...)
		}
	case final == '_' && !f.torn:
		f.takeWindowsKey(params)
	case f.pasting:
	case final == 'M' && params == "":
		f.mouse = 3
	case f.torn, final == '_':
	case (final == 'I' || final == 'O') && params == "":
		f.out = append(f.out, escape, '[', final)
	default:
		f.takeKey(params, final, mods)
	}
}

// continuesEscape reports whether b, the bytes of one read, continue a sequence whose escape came in an earlier read.
func continuesEscape(b []byte) bool {
	if len(b) < 2 {
		return false
	}
	rest := b[1:]
	switch b[0] {
	case '[':
		return continuesControl(rest)
	case ']': // a number and a semicolon
		i := slices.IndexFunc(rest, func(c byte) bool { return c < '0' || c > '9' })
		return i != 0 && (i < 0 || rest[i] == ';')
	case 'P': // the replies with the name and the settings of the terminal
		return strings.HasPrefix(string(rest), ">|") || strings.HasPrefix(string(rest), "!|") ||
			len(rest) > 1 && rest[0] >= '0' && rest[0] <= '9' && (rest[1] == '+' || rest[1] == '$')
	case '_':
		return rest[0] == 'G'
	case 'O':
		return len(rest) == 1 && isArrow(nil, rest[0])
	}
	return false
}

// continuesControl reports whether rest, the bytes behind a bracket, continue a control sequence.
func continuesControl(rest []byte) bool {
	i := slices.IndexFunc(rest, func(c byte) bool { return c < 0x20 || c >= 0x40 })
	switch {
	case i < 0:
		return len(rest) > 1
	case rest[i] < 0x40 || rest[i] >= del:
		return false
	}
	return i > 0 && rest[0] >= '0' && rest[i] != ']' || rest[0] == 'M' && len(rest) > 1 || len(rest) == 1
}

// writeEscape writes the Esc key, which is nothing in a paste.
func (f *filter) writeEscape() {
	if !f.pasting {
		f.writeCode(escape, 0)
	}
}

// writeRune writes a character that was typed or pasted. With modifiers it is a key.
func (f *filter) writeRune(r rune, mods int) {
	if !f.pasting && mods == 0 && f.endsEnter(r) {
		return
	}
	switch {
	case f.pasting && (r < 0x20 && r != '\r' && r != '\n' && r != '\t' || r == del):
	case r < 0x80 && (f.pasting || mods == 0):
		f.out = append(f.out, byte(r))
	case f.pasting || mods == 0:
		f.writeKey(int(r), 0)
	case r == '\r', r == '\n':
		f.writeKey('\r', mods)
	case r == '\t':
		f.out = append(f.out, "\x1b[Z"...) // the Linux console sends Shift-Tab so
	case r == backspace:
		f.writeKey(del, mods)
	case r < 0x20:
		f.writeKey(int(r)+0x60, mods|ctrl)
	default:
		f.writeKey(int(r), mods)
	}
}

// endsEnter reports whether a typed character is the line feed of an Enter that came as CR LF. It notes a carriage
// return and Ctrl-C.
func (f *filter) endsEnter(r rune) bool {
	ends := r == '\n' && f.last.Sub(f.returned) < sameEnter
	switch f.returned = (time.Time{}); r {
	case '\r':
		f.returned = f.last
	case ctrlC:
		f.stops++
	}
	return ends
}

// writeKey writes a key by its number in Unicode. tcell takes some numbers for private use as keys of kitty's; those
// are written in the form of Windows.
func (f *filter) writeKey(code, mods int) {
	if code >= 0xe000 && code <= 0xf8ff {
		held := 0
		if mods&alt != 0 {
			held = 2
		}
		f.out = fmt.Appendf(f.out, "\x1b[0;1;%d;1;%d;1_", code, held)
		return
	}
	f.writeCode(code, mods)
}

// writeCode writes a key by its number in kitty's protocol.
func (f *filter) writeCode(code, mods int) {
	if mods == 0 {
		f.out = fmt.Appendf(f.out, "\x1b[%du", code)
		return
	}
	f.out = fmt.Appendf(f.out, "\x1b[%d;%du", code, mods+1)
}

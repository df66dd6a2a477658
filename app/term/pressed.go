package term

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The modifiers of a key, as xterm and kitty number them. A sequence carries their sum, plus one.
const (
	shift = 1 << iota
	alt
	ctrl
	super
	hyper
	meta

	locks = 1<<6 | 1<<7 // Caps Lock and Num Lock, which change no key
	far   = super | hyper | meta
)

const (
	releases    = 3 // the kind of event in kitty's protocol that is no press
	keypadEnter = 57414
	windowsCtrl = 0x0c // either Ctrl key, in the form of Windows
	mostTimes   = 20   // the most presses that one sequence of Windows may report
)

// takeKey passes on a key that came as a control sequence, in the form that tcell reads without doubt. Releases, and
// keys with Super, Hyper or Meta, are no presses, and sequences that are no keys are replies.
func (f *filter) takeKey(params string, final byte, mods int) {
	n, ok := numbers(params)
	if !ok {
		return
	}
	if at(n, 1, 1) == releases {
		return
	}
	mods |= max(at(n, 1, 0)-1, 0) &^ locks
	code := at(n, 0, 0)
	if final == '~' && code == 27 && len(n) > 2 { // xterm writes other keys than those of its own so
		code, final = at(n, 2, 0), 'u'
	}
	if final == 'u' {
		if shifted := at(n, 0, 1); shifted > 0 && mods == shift {
			code = shifted
		}
		f.takeCode(code, mods)
		return
	}
	if mods&far == 0 {
		f.takeNamed(params, n, code, mods, final)
	}
}

// takeNamed passes on a key that came as a control sequence with a last byte of its own, or of a group of keys.
func (f *filter) takeNamed(params string, n [][]int, code, mods int, final byte) {
	switch {
	case final == 'Z':
		f.out = append(f.out, "\x1b[Z"...)
	case strings.IndexByte("ABCDFHPQS", final) >= 0 && code <= 1:
		f.writeSequence(1, mods, final)
	case strings.IndexByte("abcd", final) >= 0 && params == "":
		f.writeSequence(1, mods|shift, final-'a'+'A')
	case final == 'L' && params == "":
		f.out = append(f.out, escape, '[', final)
	case strings.IndexByte("$^@", final) >= 0 && len(n) == 1 && isArrow([]byte(params), final):
		f.writeSequence(code, mods|rxvtMods[final], '~')
	case final == '~' && code > 0:
		f.writeSequence(code, mods, final)
	case strings.IndexByte("q^@z", final) >= 0 && code > 0 && len(n) == 1:
		f.writeSequence(code, 0, final)
	}
}

// rxvtMods holds what the last bytes of rxvt's sequences for Delete, Home and such say.
var rxvtMods = map[byte]int{'$': shift, '^': ctrl, '@': ctrl | shift}

// writeSequence writes a key as a control sequence.
func (f *filter) writeSequence(code, mods int, final byte) {
	switch {
	case mods != 0:
		f.out = fmt.Appendf(f.out, "\x1b[%d;%d%c", code, mods+1, final)
	case code == 1 && final != '~' && final != 'q':
		f.out = fmt.Appendf(f.out, "\x1b[%c", final)
	default:
		f.out = fmt.Appendf(f.out, "\x1b[%d%c", code, final)
	}
}

// takeCode passes on a key that came as a number of Unicode, or one of kitty's.
func (f *filter) takeCode(code, mods int) {
	if code == backspace {
		code = del
	}
	if code|0x20 == 'c' && mods&^shift == ctrl {
		f.stops++
	}
	isEnter := code == '\r' || code == keypadEnter
	switch {
	case isUnderscore(code, mods):
		f.out = append(f.out, underscore)
	case mods&far != 0 && !isEnter:
	case code <= 0, code > utf8.MaxRune, !utf8.ValidRune(rune(code)):
	case code >= 0xe000 && code <= 0xf8ff: // keys of kitty's; tcell takes those that it does not know for text
		if code >= 57358 && code <= 57363 || code >= 57376 && code <= 57426 {
			f.writeCode(code, mods)
		}
	case code < 0x20 && code != '\t' && code != '\r' && code != escape:
		f.writeCode(code+0x60, mods|ctrl)
	default:
		f.writeCode(code, mods)
	}
}

// isUnderscore reports whether a key is one of those that are all Ctrl-_ on a terminal that sends bytes.
func isUnderscore(code, mods int) bool {
	return mods&^shift == ctrl && (code == '_' || code == '/' || code == '-' && mods&shift != 0)
}

// takeWindowsKey passes on a key in the form of Windows: the key's number, its place, its character, whether it is
// pressed, what is held with it, and how often. Some terminals send each byte of a sequence as a character without a
// key.
func (f *filter) takeWindowsKey(params string) {
	n, ok := numbers(params)
	key, place, char := at(n, 0, 0), at(n, 1, 0), at(n, 2, 0)
	held := at(n, 4, 0)
	switch {
	case !ok, at(n, 3, 0) == 0, char > utf8.MaxRune: // a release, or no key
	case f.pasting:
		f.again = utf8.AppendRune(f.again, rune(char))
	case key == 0 && place == 0 && char > 0 && char < 0x80:
		if f.inner == nil {
			f.inner = new(filter)
		}
		f.out = append(f.out, f.inner.feed([]byte{byte(char)}, f.last)...)
	case char == 0 && key >= 'A' && key <= 'Z' && held&windowsCtrl == 0: // a letter with the Windows key
	default:
		times := min(max(at(n, 5, 0), 1), mostTimes)
		if char == ctrlC {
			f.stops += times
		}
		f.out = fmt.Appendf(f.out, "\x1b[%d;%d;%d;1;%d;%d_", key, max(place, 1), char, held, times)
	}
}

// numbers reads the parameters of a control sequence, each with its parts; an empty part is -1. It fails for what no
// key has.
func numbers(params string) (n [][]int, ok bool) {
	if params == "" {
		return nil, true
	}
	for param := range strings.SplitSeq(params, ";") {
		var parts []int
		for part := range strings.SplitSeq(param, ":") {
			number := -1
			if part != "" {
				read, err := strconv.ParseUint(part, 10, 31)
				if err != nil {
					return nil, false
				}
				number = int(read)
			}
			parts = append(parts, number)
		}
		n = append(n, parts)
	}
	return n, true
}

// at returns a part of a parameter; 0: there is none.
func at(n [][]int, param, part int) int {
	if param >= len(n) || part >= len(n[param]) || n[param][part] < 0 {
		return 0
	}
	return n[param][part]
}

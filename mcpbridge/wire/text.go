package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ReadText reads a string as a person reads it. Half a surrogate pair, which is no character, is written out like
// `<U+D800>`.
func ReadText(raw []byte) (s string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	if strings.ContainsRune(s, utf8.RuneError) {
		if shown, halves := writeHalvesOut(raw); halves {
			return s, json.Unmarshal(shown, &s) == nil
		}
	}
	return s, true
}

// ReadExactText reads a string that is sent back to the agent. ok is false also for half a surrogate pair, which cannot
// be repeated.
func ReadExactText(raw []byte) (s string, ok bool) {
	if s, ok = ReadText(raw); ok && strings.Contains(s, "<U+D") {
		_, halves := writeHalvesOut(raw)
		ok = !halves
	}
	return s, ok
}

// writeHalvesOut returns a string of JSON in which each half of a surrogate pair is written out, and whether there was
// one.
func writeHalvesOut(raw []byte) (shown []byte, found bool) {
	for i := 0; i < len(raw); {
		unit, isUnit := escapedUnit(raw[i:])
		next, isNext := uint64(0), false
		if isUnit && utf16.IsSurrogate(rune(unit)) {
			next, isNext = escapedUnit(raw[min(i+escapeLen, len(raw)):])
		}
		switch {
		case !isUnit && raw[i] == '\\': // an escape of two bytes; the second may be a backslash
			shown = append(shown, raw[i:min(i+2, len(raw))]...)
			i += 2
		case !isUnit:
			shown = append(shown, raw[i])
			i++
		case !utf16.IsSurrogate(rune(unit)):
			shown = append(shown, raw[i:i+escapeLen]...)
			i += escapeLen
		case isNext && utf16.DecodeRune(rune(unit), rune(next)) != utf8.RuneError:
			shown = append(shown, raw[i:i+2*escapeLen]...)
			i += 2 * escapeLen
		default:
			shown, found = fmt.Appendf(shown, "<U+%04X>", unit), true
			i += escapeLen
		}
	}
	return shown, found
}

// HasHalves reports whether a text in a value of JSON has half of a surrogate pair.
func HasHalves(raw []byte) bool {
	if !bytes.Contains(raw, []byte(`\u`)) {
		return false
	}
	_, found := writeHalvesOut(raw)
	return found
}

// escapeLen is the number of bytes of an escaped UTF-16 unit such as \ud800.
const escapeLen = 6

// escapedUnit reads an escaped UTF-16 unit at the beginning of a text.
func escapedUnit(raw []byte) (unit uint64, ok bool) {
	if len(raw) < escapeLen || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(raw[2:escapeLen]), 16, 16)
	return unit, err == nil
}

// mostIndented is the depth up to which JSON is indented for a reader. Deeper values would mostly be blanks.
const mostIndented = 30

// Indent returns JSON as a person reads it; ok is false if it is none.
func Indent(raw []byte) (text string, ok bool) {
	var b bytes.Buffer
	if depthOf(raw) > mostIndented {
		ok = json.Compact(&b, raw) == nil
	} else {
		ok = json.Indent(&b, raw, "", "  ") == nil
	}
	return b.String(), ok
}

// depthOf returns how deeply the values of valid JSON are nested.
func depthOf(raw []byte) (deepest int) {
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

package dialect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// shortName is the longest name of an agent's that our own sentences quote, in characters.
const shortName = 40

// describe says what a JSON value is, for "wrong": `is the text "abc"`, `is a list`.
func describe(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "is missing"
	}
	switch raw[0] {
	case '"':
		return "is the text " + queue.Quote(spelled(raw))
	case '[':
		return "is a list"
	case '{':
		return "is an object"
	case 't', 'f':
		return "is " + string(raw)
	case 'n':
		return "is null"
	}
	return "is the number " + short(string(raw))
}

// short shows an agent's field name as part of a path.
func short(s string) string {
	v, _ := queue.VisibleLine(queue.Shorten(s, shortName, "…"))
	return v
}

func orList(values []string) string {
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:len(values)-1], ", ") + " or " + values[len(values)-1]
}

// flawed looks for what Go's decoder would silently replace in a JSON string: bytes that are no UTF-8, and half a
// surrogate pair. It returns what is wrong, or nothing.
func flawed(raw []byte) string {
	if !utf8.Valid(raw) {
		return "is not valid UTF-8"
	}
	high := false // the escape just before was the first half of a pair
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 >= len(raw) {
			if high {
				break
			}
			continue
		}
		unit, ok := uint64(0), false
		if raw[i+1] == 'u' && i+6 <= len(raw) {
			n, err := strconv.ParseUint(string(raw[i+2:i+6]), 16, 16)
			unit, ok = n, err == nil
		}
		low := ok && unit >= 0xDC00 && unit <= 0xDFFF
		if high != low {
			high = true
			break
		}
		high = ok && unit >= 0xD800 && unit <= 0xDBFF
		i++
		if ok {
			i += 4
		}
	}
	if high {
		return "holds half of a surrogate pair"
	}
	return ""
}

// meant maps words other tools use to ours, where spelling alone would not find them; the first one offered is it.
var meant = map[string][]string{
	"mode": {"selection_mode"}, "type": {"selection_mode"},
	"multiselect": {"selection_mode"}, "multiple": {"selection_mode"},
	"message": {"prompt", "question"}, "question": {"prompt"},
	"text": {"prompt", "label", "title"}, "prompt": {"question"},
	"context": {"prompt", "question"}, "header": {"title", "question"},
	"title": {"question"}, "name": {"label", "title"},
	"choices": {"options"}, "items": {"options"}, "value": {"id", "title", "label"}, "label": {"title"},
	"default": {"default_selection_ids", "defaultOption"}, "defaults": {"default_selection_ids", "defaultOption"},
	"timeout": {"timeout_seconds", "timeoutMs"}, "timeoutms": {"timeout_seconds"}, "timeoutseconds": {"timeoutMs"},
	"wait": {"wait_seconds"}, "isrecommended": {"recommended"}, "recommended": {"isRecommended"},
	"note": {"annotation"}, "comment": {"global_annotation"}, "min": {"min_selections"}, "max": {"max_selections"},
	"singlesubmit": {"single_submit_mode"}, "autosubmit": {"single_submit_mode"},
	"session": {"session_id"}, "requestid": {"session_id"},
	"confirm": {"requireConfirmation"}, "confirmation": {"requireConfirmation"},
}

// instead says what to do with an unknown field: leave it out, or use the known field that was probably meant.
func instead(name string, offer []string) string {
	plain := plainName(queue.Shorten(name, shortName, "…"))
	for _, m := range meant[plain] {
		if slices.Contains(offer, m) {
			return fmt.Sprintf("%q, or it left out", m)
		}
	}
	best, least := "", shortName
	for _, k := range offer {
		if d := distance(plain, plainName(k)); d < least {
			best, least = k, d
		}
	}
	if least <= max(2, len(plain)/3) {
		return fmt.Sprintf("%q, or it left out", best)
	}
	return "it left out"
}

func plainName(s string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}

// distance returns the number of single letters to insert, delete or change to get from a to b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(y)]
}

package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

func orList(values []string) string {
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:len(values)-1], ", ") + " or " + values[len(values)-1]
}

// meant maps the words of other tools to ours, where the spelling alone would not find them. The first offered word
// counts.
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

// instead returns the remedy for an unknown field: leave it out, or use the known field that was probably meant.
func instead(name string, offer []string) string {
	plain := plainName(queue.Shorten(name, shortName, "…"))
	for _, m := range meant[plain] {
		if slices.Contains(offer, m) {
			return fmt.Sprintf("%q, or it left out", m)
		}
	}
	best, least := "", shortName
	for _, k := range offer {
		if d := widen.Edits([]rune(plain), []rune(plainName(k))); d < least {
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

package dialect

import (
	"encoding/json"
	"strings"
)

// Earlier generations of provide_choice called selection_mode type, and knew no recommended options. They keep working
// (docs/contract.md section 3.1); the result names the field to use now. Cancel switches, options without a label and
// session_id need nothing: they mean the same today.

// olderModes are the values that were called differently.
var olderModes = map[string]string{"single_select": "single", "multi_select": "multi"}

// older reads the fields of earlier generations into today's. byType says that the caller is of the first one.
func (o *object) older() (byType bool, deprecated []string) {
	if raw, there := o.fields["type"]; there && string(raw) != "null" {
		o.ignore("type")
		if now, both := o.fields["selection_mode"]; both && string(now) != "null" {
			o.r.add("type", "is the older name of selection_mode, which is there too", "it left out")
			return false, nil
		}
		byType = true
		o.called = map[string]string{"selection_mode": "type"}
		o.fields["selection_mode"] = raw
		deprecated = append(deprecated, "type is now called selection_mode")
	}
	if raw, there := o.fields["selection_mode"]; there && len(raw) > 0 {
		said := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(spelled(raw))))
		if now, older := olderModes[said]; older {
			o.fields["selection_mode"], _ = json.Marshal(now)
			deprecated = append(deprecated, said+" is now selection_mode "+now)
		}
	}
	return byType, deprecated
}

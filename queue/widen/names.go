package widen

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// cancelWord is typed instead of names to ask nobody.
const cancelWord = "cancel"

// IsCancel reports whether what was typed at the names means that nobody is to be asked.
func IsCancel(input string) bool { return strings.EqualFold(strings.TrimSpace(input), cancelWord) }

// Trim narrows the audience to the names that were typed, separated by commas, in any case; nothing typed is the
// whole audience. kept is in the audience's order and has nobody twice; two people of one name are both meant. unknown
// are the names that nobody has, as they were typed. Where kept is empty there is nobody to ask, unless ByName asks
// those.
func Trim(audience []queue.Member, input string) (kept []queue.Member, unknown []string) {
	var wanted []string
	for typed := range strings.SplitSeq(input, ",") {
		name := strings.TrimSpace(typed)
		if name == "" {
			continue
		}
		sameName := func(s string) bool { return strings.EqualFold(s, name) }
		switch {
		case slices.ContainsFunc(audience, func(m queue.Member) bool { return called(m, name) }):
			wanted = append(wanted, name)
		case !slices.ContainsFunc(unknown, sameName):
			unknown = append(unknown, name)
		}
	}
	everybody := len(wanted) == 0 && len(unknown) == 0
	for _, m := range audience {
		known := slices.Contains(kept, m)
		if !known && (everybody || slices.ContainsFunc(wanted, func(name string) bool { return called(m, name) })) {
			kept = append(kept, m)
		}
	}
	return kept, unknown
}

// ByName adds to those who are asked the people of whom only the name is known; there are MaxTeam at most.
func ByName(kept []queue.Member, unknown []string) []queue.Member {
	for _, name := range unknown[:min(len(unknown), queue.MaxTeam-len(kept))] {
		kept = append(kept, queue.Member{Name: Name(name)})
	}
	return kept
}

// called reports whether a person goes by a name: the one that they have, or as it is shown.
func called(m queue.Member, name string) bool {
	return strings.EqualFold(strings.TrimSpace(m.Name), name) || strings.EqualFold(Name(m.Name), name)
}

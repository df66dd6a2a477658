package widen

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// cancelWord is typed instead of names to ask nobody.
const cancelWord = "cancel"

// IsCancel reports whether the text in the line of names means that the person wants to ask nobody.
func IsCancel(input string) bool { return strings.EqualFold(strings.TrimSpace(input), cancelWord) }

// Trim returns the members of the audience whose names were typed, separated by commas, in any case. Without names it
// returns the whole audience. kept has the audience's order and contains each member once; of two members with the same
// name it contains both. unknown lists, as they were typed, the names of nobody in the audience; ByName can add people
// with these names.
func Trim(audience []queue.Member, input string) (kept []queue.Member, unknown []string) {
	var wanted []string
	for typed := range strings.SplitSeq(input, ",") {
		name := strings.TrimSpace(typed)
		if name == "" {
			continue
		}
		sameName := func(s string) bool { return strings.EqualFold(s, name) }
		switch {
		case slices.ContainsFunc(audience, func(m queue.Member) bool { return isCalled(m, name) }):
			wanted = append(wanted, name)
		case !slices.ContainsFunc(unknown, sameName):
			unknown = append(unknown, name)
		}
	}
	everybody := len(wanted) == 0 && len(unknown) == 0
	for _, m := range audience {
		known := slices.Contains(kept, m)
		if !known && (everybody || slices.ContainsFunc(wanted, func(name string) bool { return isCalled(m, name) })) {
			kept = append(kept, m)
		}
	}
	return kept, unknown
}

// ByName adds people of whom only the name is known to the members who are asked, up to queue.MaxTeam people in all.
func ByName(kept []queue.Member, unknown []string) []queue.Member {
	for _, name := range unknown[:min(len(unknown), queue.MaxTeam-len(kept))] {
		kept = append(kept, queue.Member{Name: Name(name)})
	}
	return kept
}

// isCalled reports whether a typed name is the member's name, as the server wrote it or as the person sees it.
func isCalled(m queue.Member, name string) bool {
	return strings.EqualFold(strings.TrimSpace(m.Name), name) || strings.EqualFold(Name(m.Name), name)
}

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/rules/book"
)

// checkRules tells whether the person's rules are applied. It tells nothing of a person without rules.
func checkRules(b *book.Book, err error) []finding {
	const check = "rules"
	if err != nil {
		return []finding{{check, isWarn, err.Error(), "set XDG_STATE_HOME or HOME"}}
	}
	if _, err := os.Lstat(b.Path()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	list, broken, err := b.Read()
	var unsafe *book.Unsafe
	switch {
	case errors.As(err, &unsafe):
		return []finding{{check, isFail, say.RulesUnsafe(unsafe.Path, unsafe.Problem),
			"look at what stands there, then run: " + unsafe.Repair}}
	case err != nil:
		return []finding{{check, isFail, err.Error() + ", so no rule is applied",
			"repair " + b.Path() + ", or take it away"}}
	case len(broken) > 0:
		first := broken[0]
		return []finding{{check, isWarn, say.RuleBroken(b.Path(), first.Line, first.Reason),
			"take that line out of " + b.Path()}}
	}
	return []finding{{check, isOK, fmt.Sprintf("%s in %s", say.Count(len(list), "rule"), b.Path()), ""}}
}

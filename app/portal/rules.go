package portal

import (
	"sync/atomic"

	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/rules"
)

// Rules is a rulebook that contains rules only while a page that lists all questions is open. Without such a page a
// portal is no dashboard, and permission rules apply only while a dashboard is open.
type Rules struct {
	desk.Rulebook
	pages atomic.Pointer[Pages]
}

// NewRules returns the rulebook of a desk with pages. book may be nil: then no rule applies.
func NewRules(book desk.Rulebook) *Rules { return &Rules{Rulebook: book} }

// Follow sets the pages. One of them must be open for a rule to apply.
func (r *Rules) Follow(p *Pages) { r.pages.Store(p) }

// Rules returns the rules that apply now.
func (r *Rules) Rules() ([]rules.Rule, error) {
	if p := r.pages.Load(); r.Rulebook == nil || p == nil || p.listing.Load() == 0 {
		return nil, nil
	}
	return r.Rulebook.Rules()
}

// Real returns a directory's path without symbolic links. It fails if no rule can be stored.
func (r *Rules) Real(dir string) (string, error) {
	if r.Rulebook == nil {
		return "", rules.ErrNowhere
	}
	return r.Rulebook.Real(dir)
}

package portal

import (
	"sync/atomic"

	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/rules"
)

// Rules applies the person's rules only while a page is open that may list all questions: a rule holds while a
// dashboard is open, and a portal without pages is none.
type Rules struct {
	desk.Rulebook
	pages atomic.Pointer[Pages]
}

// NewRules returns the rules of a desk with pages. book nil: their place is not known, and none holds.
func NewRules(book desk.Rulebook) *Rules { return &Rules{Rulebook: book} }

// Follow says whose pages have to be open.
func (r *Rules) Follow(p *Pages) { r.pages.Store(p) }

// Rules lists the rules that hold now.
func (r *Rules) Rules() ([]rules.Rule, error) {
	if p := r.pages.Load(); r.Rulebook == nil || p == nil || p.listing.Load() == 0 {
		return nil, nil
	}
	return r.Rulebook.Rules()
}

// Real returns a directory without symbolic links; it fails where no rule can be stored.
func (r *Rules) Real(dir string) (string, error) {
	if r.Rulebook == nil {
		return "", rules.ErrNowhere
	}
	return r.Rulebook.Real(dir)
}

package question

// What a layout asks of the question when it shares the rows of a screen.

// Confirming reports whether its confirmation is on view, which has no Fit.
func (r *Room) Confirming() bool {
	v := r.view()
	return v != nil && v.form.Confirming()
}

// Fit shares total rows, the question and the queue strip below it, at w cells, with a strip of up to strip rows. While
// the question stays on screen at one size its rows keep their places. Nothing changes until Arrange has the fit.
func (r *Room) Fit(w, total, strip int) Fit {
	v := r.view()
	if v == nil || v.form.Confirming() {
		return Fit{H: total - strip, Strip: strip}
	}
	return v.fit(w, total, strip)
}

// ConfirmStrip is how many of the strip's rows the confirmation leaves it.
func (r *Room) ConfirmStrip(w, total, strip int) int {
	if v := r.view(); v != nil {
		return confirmation{v}.strip(w, total, strip)
	}
	return strip
}

// Squeezed is a fit in fewer rows, as long as the queue has the focus: the question keeps its title and comes back
// as it was.
func (r *Room) Squeezed(whole Fit, w, rows int) Fit {
	v := r.view()
	if v == nil || v.form.Confirming() {
		return Fit{H: rows}
	}
	return v.squeezed(whole, w, rows)
}

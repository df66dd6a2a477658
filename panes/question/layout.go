package question

// What a layout asks of the question when it shares the rows of a screen.

// Fit shares total rows, the question and the queue strip below it, at w cells, with a strip of up to strip rows. While
// the question stays on screen at one size its rows keep their places. Nothing changes until Arrange has the fit.
func (r *Room) Fit(w, total, strip int) Fit {
	v := r.frame(fitted, fitted)
	if v == nil {
		return Fit{H: total - strip, Strip: strip}
	}
	left := total - suggested{v}.takes(total, r.o.Wide != nil && r.o.Wide())
	if v.resting != nil {
		return Fit{H: total - strip, Strip: strip}
	}
	if v.form.Confirming() {
		strip = confirmation{v}.strip(w, total, strip)
		if total-strip > left {
			return Fit{H: left}
		}
		return Fit{H: total - strip, Strip: strip}
	}
	whole := v.fit(w, total, strip)
	if whole.H > left {
		return v.squeezed(whole, w, left)
	}
	return whole
}

// Squeezed returns a fit in fewer rows, as long as the queue has the focus: the question keeps its title and comes back
// as it was.
func (r *Room) Squeezed(whole Fit, w, rows int) Fit {
	v := r.at()
	if v == nil || v.resting != nil || v.form.Confirming() {
		return Fit{H: rows}
	}
	return v.squeezed(whole, w, rows)
}

// OnlyText reports whether only the text of the question on view is on screen, so that a queue below it is not.
func (r *Room) OnlyText() bool {
	v := r.at()
	return v != nil && v.onlyText()
}

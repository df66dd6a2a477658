package keys

// Word names the effect of a key, in full and for little room.
type Word struct {
	Long  string // empty: nothing is said of the key
	Short string // empty: there is no shorter word
}

// Hint describes one key in the foot.
type Hint struct {
	Action      Action
	Keys        string
	Word, Short string // see Word
	Bare        bool
	Spot
}

// Spot is the position of a hint in the foot.
type Spot struct {
	Lead int // the highest comes first; among equals as in the table
	Rank int // the highest leaves first where there is no room; 0 never leaves
}

// Say gives the hint other words.
func (h Hint) Say(w Word) Hint {
	h.Word, h.Short = w.Long, w.Short
	return h
}

// Text returns the hint in full. A key without any word would say nothing.
func (h Hint) Text() string {
	if h.Word == "" {
		return h.Keys
	}
	return h.Keys + " " + h.Word
}

// Shorter returns the hint in few words.
func (h Hint) Shorter() Hint {
	switch {
	case h.Short != "":
		h.Word = h.Short
	case h.Bare:
		h.Word = ""
	}
	return h
}

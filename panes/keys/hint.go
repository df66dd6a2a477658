package keys

// Word is what a key is said to do, and the same where room is short.
type Word struct {
	Long  string // empty: nothing is said of the key
	Short string // empty: there is no shorter word
}

// Hint is one key in the foot. The highest Rank leaves first when there is no room; 0 never leaves.
type Hint struct {
	Action      Action
	Keys        string
	Word, Short string // see Word
	Bare        bool
	Lead, Rank  int // as the row has them
}

// Text is the hint in full. A key without any word would say nothing.
func (h Hint) Text() string {
	if h.Word == "" {
		return h.Keys
	}
	return h.Keys + " " + h.Word
}

// Shorter is the hint in few words.
func (h Hint) Shorter() Hint {
	switch {
	case h.Short != "":
		h.Word = h.Short
	case h.Bare:
		h.Word = ""
	}
	return h
}

package widen

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// MaterialDistance is the distance beyond which a change of the candidate is material.
const MaterialDistance = 0.30

// Source says where the text comes from that the person saved over a candidate. Empty text is manual, and so is any
// text where there was no candidate.
func Source(saved, candidate string) string {
	switch {
	case queue.Blank(saved), queue.Blank(candidate):
		return queue.SourceManual
	case Distance(saved, candidate) > MaterialDistance:
		return queue.SourceOwner
	}
	return queue.SourceTeam
}

// Distance returns the number of characters to insert, delete or replace between the two texts, over the length of the
// candidate: 0 is the same, and it may be more than 1. White space around a text does not count, since editors add a
// newline, and neither does how lines end. From an empty candidate anything but nothing is 1 away.
func Distance(saved, candidate string) float64 {
	a, b := compared(saved), compared(candidate)
	if len(b) == 0 {
		return float64(min(len(a), 1))
	}
	return float64(Edits(a, b)) / float64(len(b))
}

func compared(s string) []rune {
	return []rune(strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")))
}

// Edits returns the Levenshtein distance. It goes over the matrix 64 rows at a time (Myers 1999 in Hyyrö's form of
// 2003), so that two texts of 32 KiB take a moment and no second.
func Edits(a, b []rune) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		return max(len(a), len(b))
	}
	blocks := (len(a) + 63) / 64
	places := placesOf(a, blocks)
	nowhere := make([]uint64, blocks)
	column := make([]strip, blocks)
	for i := range column {
		column[i].up = ^uint64(0)
	}
	last := uint(len(a)-1) % 64
	score := len(a)
	for _, r := range b {
		at, ok := places[r]
		if !ok {
			at = nowhere
		}
		carry := 1 // the first row of the matrix grows by one each column
		for i := range column {
			edge := uint(63)
			if i == blocks-1 {
				edge = last
			}
			carry = column[i].advance(at[i], carry, edge)
		}
		score += carry
	}
	return score
}

// placesOf returns for each character its positions in the text, as bits.
func placesOf(text []rune, blocks int) map[rune][]uint64 {
	places := map[rune][]uint64{}
	for i, r := range text {
		if places[r] == nil {
			places[r] = make([]uint64, blocks)
		}
		places[r][i/64] |= 1 << (uint(i) % 64)
	}
	return places
}

// strip is 64 rows of a column of the matrix: in which the value is one more than in the row above, and one less.
type strip struct{ up, down uint64 }

// advance goes to the next column. carry is how the value changes in the row above the strip, 1, 0 or -1; it returns
// how it changes in the row of the strip that edge names.
func (s *strip) advance(equal uint64, carry int, edge uint) int {
	var above uint64
	if carry < 0 {
		above = 1
	}
	vertical := equal | s.down
	equal |= above
	diagonal := (((equal & s.up) + s.up) ^ s.up) | equal
	rises := s.down | ^(diagonal | s.up)
	falls := s.up & diagonal
	out := int(rises>>edge&1) - int(falls>>edge&1)
	rises, falls = rises<<1, falls<<1|above
	if carry > 0 {
		rises |= 1
	}
	s.up, s.down = falls|^(vertical|rises), rises&vertical
	return out
}

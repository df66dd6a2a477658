package say

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/form"
)

// plainSpeech is how a face speaks that has the table's keys.
func plainSpeech() Speech {
	return Speech{Keys: keys.Table, Enter: "Enter", Down: "v", Cut: func(text string, cells int) string {
		r := []rune(text)
		return string(r[:min(len(r), cells)])
	}}
}

func TestEveryReasonOfAFormHasWords(t *testing.T) {
	require.Empty(t, WhyNot(form.WhyNot{}, keys.ActMark, form.StepSend, plainSpeech()))
	for r := form.Free + 1; r <= form.ConfirmationNotShown; r++ {
		require.NotEmpty(t, WhyNot(form.WhyNot{Reason: r}, keys.ActMark, form.StepSend, plainSpeech()), r)
	}
}

func TestARefusalSpeaksOfWhatTheKeyIsFor(t *testing.T) {
	because := func(r form.Reason) form.WhyNot { return form.WhyNot{Reason: r} }
	for _, c := range []struct {
		why  form.WhyNot
		a    keys.Action
		step form.Step
		want string
	}{
		{because(form.NothingHere), keys.ActNote, form.StepSend, "a note is on an option: move to one first"},
		{because(form.NothingHere), keys.ActHide, form.StepSend, "move to the option first"},
		{because(form.OnOwnWords), keys.ActMark, form.StepSend, "there is nothing to mark here: t types your words"},
		{because(form.FollowsCursor), keys.ActMark, form.StepSend, "the dot follows the cursor: Enter sends it"},
		{because(form.FollowsCursor), keys.ActMark, form.StepTake, "the dot follows the cursor: Enter takes it"},
		{because(form.FollowsCursor), keys.ActMark, form.StepConfirm,
			"the dot follows the cursor: Enter goes on to the confirmation"},
		{because(form.NotesOff), keys.ActNote, form.StepSend, "notes are off for this question"},
		{because(form.NotesOffInSettings), keys.ActComment, form.StepSend, "comments are off in the settings: s"},
		{form.WhyNot{Reason: form.TooManyRecommended, Have: 4, Most: 3}, keys.ActRecommended, form.StepSend,
			"4 are recommended, at most 3 may be marked"},
		{form.WhyNot{Reason: form.TooLong, Field: form.FieldNote, Have: 8002, Most: 8000}, keys.ActEnter, form.StepNothing,
			"a note: 2 characters too many: at most 8000"},
	} {
		require.Equal(t, c.want, WhyNot(c.why, c.a, c.step, plainSpeech()))
	}
}

func TestALineOfEnterHasWordsForEveryStepAndPiece(t *testing.T) {
	for step := form.StepNothing; step <= form.StepCancel; step++ {
		l := Enter(form.Plan{Step: step, Object: "PostgreSQL", WhyNot: form.WhyNot{Reason: form.NothingYet}}, form.FieldNone,
			"claude", plainSpeech())
		require.False(t, l.Blank(), step)
	}
	said := func(p form.Piece) Line {
		step := form.StepSend
		switch p.Kind {
		case form.PieceTooLong, form.PieceRoom, form.PieceMatches, form.PieceThenSend:
			step = form.StepEnd
		case form.PieceMissing:
			step = form.StepOpen
		}
		plan := form.Plan{Step: step, Object: "PostgreSQL", Pieces: []form.Piece{p}}
		return Enter(plan, form.FieldText, "claude", plainSpeech())
	}
	none := said(form.Piece{})
	for kind := form.PieceMarked; kind <= form.PieceCloses; kind++ {
		switch kind {
		case form.PieceAgain, form.PieceUnseenHere: // said with another piece, and by the confirmation
		default:
			require.NotEqual(t, none, said(form.Piece{Kind: kind, N: 2, Of: 9, Text: "Cache"}), kind)
		}
	}
}

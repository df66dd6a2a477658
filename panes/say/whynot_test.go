package say

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// plainSpeech returns how a frontend speaks that has the table's keys.
func plainSpeech() Speech {
	return Speech{Keys: action.Table, Enter: "Enter", Down: "v", Cut: func(text string, cells int) string {
		r := []rune(text)
		return string(r[:min(len(r), cells)])
	}}
}

func TestEveryReasonOfAFormHasWords(t *testing.T) {
	require.Empty(t, WhyNot(form.WhyNot{}, action.Mark, form.StepSend, plainSpeech()))
	for r := form.Free + 1; r <= form.ConfirmationNotShown; r++ {
		require.NotEmpty(t, WhyNot(form.WhyNot{Reason: r}, action.Mark, form.StepSend, plainSpeech()), r)
	}
}

func TestARefusalSpeaksOfWhatTheKeyIsFor(t *testing.T) {
	because := func(r form.Reason) form.WhyNot { return form.WhyNot{Reason: r} }
	for _, c := range []struct {
		why  form.WhyNot
		a    action.Name
		step form.Step
		want string
	}{
		{because(form.NothingHere), action.Note, form.StepSend, "a note belongs to an option; move to one first"},
		{because(form.NothingHere), action.Hide, form.StepSend, "move to the option first"},
		{because(form.OnOwnWords), action.Mark, form.StepSend, "there is nothing to mark here; t types your words"},
		{because(form.FollowsCursor), action.Mark, form.StepSend, "Enter sends the option under the cursor"},
		{because(form.FollowsCursor), action.Mark, form.StepTake, "Enter takes the option under the cursor"},
		{because(form.FollowsCursor), action.Mark, form.StepConfirm,
			"Enter continues with the option under the cursor"},
		{because(form.NotesOff), action.Note, form.StepSend, "notes are off for this question"},
		{because(form.NotesOffInSettings), action.Comment, form.StepSend, "comments are off in the settings: s"},
		{form.WhyNot{Reason: form.TooManyRecommended, Have: 4, Most: 3}, action.Recommended, form.StepSend,
			"4 are recommended, at most 3 may be marked"},
		{form.WhyNot{Reason: form.TooLong, Field: form.FieldNote, Have: 8002, Most: 8000}, action.Enter, form.StepNothing,
			"a note is 2 characters too long (at most 8000)"},
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
		case form.PieceTooLong, form.PieceRoom, form.PieceMatches:
			step = form.StepEnd
		case form.PieceUntold, form.PieceRefuses:
			step = form.StepCancel
		case form.PieceMissing:
			step = form.StepOpen
		}
		plan := form.Plan{Step: step, Object: "PostgreSQL", Pieces: []form.Piece{p}}
		return Enter(plan, form.FieldText, "claude", plainSpeech())
	}
	none := said(form.Piece{})
	for kind := form.PieceMarked; kind <= form.PieceCloses; kind++ {
		switch kind {
		case form.PieceAgain, form.PieceUnseenHere, form.PieceAllows: // said with another piece, and by the confirmation
		case form.PieceNotes: // of more than one there is no text
			require.NotEqual(t, none, said(form.Piece{Kind: kind, N: 2}), kind)
		default:
			require.NotEqual(t, none, said(form.Piece{Kind: kind, N: 2, Of: 9, Text: "Cache"}), kind)
		}
	}
}

func TestLinesRefuseInSentencesThatNameCommandsWhereAScreenNamesKeys(t *testing.T) {
	lines := Speech{Frontend: InLines, Wanted: "choose 2 or 3 of 4",
		Command: func(a action.Name) string { return "the word " + string(a) }}
	for _, c := range []struct {
		why           form.WhyNot
		a             action.Name
		screen, lines string
	}{
		{form.WhyNot{}, action.Mark, "", ""},
		{form.WhyNot{Reason: form.OptionsOnly}, action.Text, "only the listed options are allowed; x cancels with a reason",
			"Only the listed options are allowed; the word cancel cancels with a reason."},
		{form.WhyNot{Reason: form.WordsOnly}, action.All, "this question has no options; type your own words",
			"This question has no options; type your own words."},
		{form.WhyNot{Reason: form.OneAnswerOnly}, action.Digit, "only one option can be chosen here",
			"Only one option can be chosen here; type one number."},
		{form.WhyNot{Reason: form.OneAnswerOnly}, action.All, "only one option can be chosen here",
			"Only one option can be chosen here."},
		{form.WhyNot{Reason: form.NoSuchOption, Have: 9, Of: 4}, action.Digit, "there is no option 9 here",
			"There is no option 9; choose 1 to 4."},
		{form.WhyNot{Reason: form.OptionHidden, Have: 2}, action.Digit, "option 2 is hidden",
			"Option 2 is hidden; type hidden to show it."},
		{form.WhyNot{Reason: form.TooMany, Have: 4, Most: 3, Of: 4}, action.All, "at most 3 of 4 may be marked",
			"4 are too many: choose 2 or 3 of 4."},
		{form.WhyNot{Reason: form.TooManyRecommended, Have: 4, Most: 3}, action.Recommended,
			"4 are recommended, at most 3 may be marked", "4 are too many: choose 2 or 3 of 4."},
		{form.WhyNot{Reason: form.NotesOffInSettings}, action.Note, "notes are off in the settings: s",
			"Notes are off in your settings: choicetui config set annotations_enabled true."},
	} {
		require.Equal(t, c.screen, WhyNot(c.why, c.a, form.StepSend, plainSpeech()))
		require.Equal(t, c.lines, WhyNot(c.why, c.a, form.StepSend, lines))
	}
}

func TestHowManyAreWantedIsSaidOfEveryQuestion(t *testing.T) {
	options := make([]queue.Option, 12)
	for _, c := range []struct {
		mode, screen, lines string
		least, most         int
	}{
		{queue.ModeMulti, "Mark 2 or 3 of 12. 1 marked.", "choose 2 or 3 of 12", 2, 3},
		{queue.ModeMulti, "Mark 2 of 12. 1 marked.", "choose 2 of 12", 2, 2},
		{queue.ModeMulti, "Mark any of 12. 1 marked.", "choose any of 12", 0, 12},
		{queue.ModeMulti, "Mark up to 3 of 12. 1 marked.", "choose up to 3 of 12", 0, 3},
		{queue.ModeMulti, "Mark 2 or more of 12. 1 marked.", "choose 2 or more of 12", 2, 12},
		{queue.ModeHybrid, "Mark 2 or 3 of 12. 1 marked.", "choose 2 or 3 of 12; you may add your own words", 2, 3},
		{queue.ModeHybrid, "Mark up to 3 of 12. 1 marked.", "choose up to 3 of 12, or type your own words", 0, 3},
	} {
		q := queue.Question{Mode: c.mode, Min: c.least, Max: c.most, Options: options}
		require.Equal(t, c.screen, Marking(q, len(q.Options), 1, 0, "v"))
		require.Equal(t, c.lines, Wanted(q))
	}
	single := queue.Question{Mode: queue.ModeSingle, Max: 1, Min: 1, Options: options}
	require.Equal(t, "choose one", Wanted(single))
	require.Equal(t, "Mark up to 3 of 12. 2 marked. 1 of them hidden (v).",
		Marking(queue.Question{Max: 3, Options: options}, 12, 2, 1, "v"))
}

func TestHowManyAreWantedIsSaidOfTheOptionsOnScreen(t *testing.T) {
	five := make([]queue.Option, 5)
	require.Equal(t, "Mark 1 or more of 4. 1 marked.",
		Marking(queue.Question{Min: 1, Max: 5, Options: five}, 4, 1, 0, "v"))
	require.Equal(t, "Mark any of 4. 0 marked.", Marking(queue.Question{Max: 5, Options: five}, 4, 0, 0, "v"))
	require.Equal(t, "Mark 2 or 3 of 4. 0 marked.", Marking(queue.Question{Min: 2, Max: 3, Options: five}, 4, 0, 0, "v"))
}

func TestTheEnterLineSaysHowManyToMarkInTheWordsOverTheOptions(t *testing.T) {
	options := []queue.Option{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	for _, c := range []struct {
		least, most int
		want        string
	}{{2, 3, "2 or more"}, {1, 2, "1 or 2"}, {3, 3, "3"}, {1, 3, "1 or more"}} {
		over := Marking(queue.Question{Options: options, Min: c.least, Max: c.most}, len(options), 0, 0, "")
		why := form.WhyNot{Reason: form.TooFew, Least: c.least, Most: c.most, Of: len(options)}
		require.Equal(t, "Mark "+c.want+" of 3. 0 marked.", over)
		require.Equal(t, "mark "+c.want+" (0 marked)", WhyNot(why, action.Enter, form.StepSend, plainSpeech()))
	}
}

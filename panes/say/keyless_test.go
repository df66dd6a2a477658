package say

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

func TestAPersonWithoutKeysIsToldOfNone(t *testing.T) {
	in := Speech{Face: FaceScreen, Keys: keys.Map{}, Enter: "the button", Keyless: true,
		Cut: func(s string, _ int) string { return s }}
	for want, got := range map[string]string{
		"Not yet: press the button again":      NotYet("", "", false, true, in).In("·"),
		"Not attached: the button attaches it": NotAttached(form.FieldNote, in).In("·"),
		"Not yet: nothing is marked":           Enter(form.Plan{WhyNot: form.WhyNot{Reason: form.NothingMarked}}, form.FieldNone, "claude", in).In("·"),
		"Not yet: confirm “pg”": Enter(form.Plan{Object: "pg", WhyNot: form.WhyNot{Reason: form.ConfirmationWaits}},
			form.FieldNone, "claude", in).In("·"),
		"twice: cancel and tell claude":           Enter(form.Plan{Step: form.StepArm}, form.FieldReason, "claude", in).In("·"),
		"once more forgets all answers and notes": WhyNot(form.WhyNot{Reason: form.PressAgain}, deed.StartOver, form.StepSend, in),
		"it never goes under 1:00":                clockLeast(in),
		"hidden in all future questions":          hiddenOption(true, in),
	} {
		require.Equal(t, want, got)
	}
}

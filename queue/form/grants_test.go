package form

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// permissions returns an approval of two rows, for a turn or for the session.
func permissions() queue.Session {
	return approvalOf(func(a *queue.Ask) {
		a.Confirm = true
		a.Questions[0] = queue.Question{ID: "q", Mode: queue.ModeMulti, Min: 1, Max: 3, Annotate: true,
			Options: []queue.Option{{ID: "net", Label: "Network"}, {ID: "dir", Label: "Write /srv"},
				{ID: "turn", Label: "Turn", Act: queue.ActOnce}, {ID: "session", Label: "Session", Act: queue.ActSession},
				{ID: "no", Label: "No", Act: queue.ActRefuse}}}
	})
}

func TestAMarkInAnApprovalWithRowsBringsWhatItNeeds(t *testing.T) {
	for name, c := range map[string]struct {
		digits []int
		want   []string
	}{
		"a decision takes all rows":           {[]int{4}, []string{"net", "dir", "session"}},
		"a row is allowed once":               {[]int{2}, []string{"dir", "turn"}},
		"a second row":                        {[]int{2, 1}, []string{"net", "dir", "turn"}},
		"a row is left out":                   {[]int{4, 1}, []string{"dir", "session"}},
		"another decision for the same rows":  {[]int{2, 4}, []string{"dir", "session"}},
		"a refusal leaves no row":             {[]int{4, 5}, []string{"no"}},
		"a row after a refusal":               {[]int{5, 1}, []string{"net", "turn"}},
		"without rows nothing is decided":     {[]int{1, 1}, nil},
		"without a decision there is no row":  {[]int{4, 4}, nil},
		"a refusal that is taken back":        {[]int{5, 5}, nil},
		"one row of a decision is taken back": {[]int{3, 1, 2}, nil},
	} {
		f := New(permissions(), Options{Points: true})
		for _, n := range c.digits {
			_, why := f.Here().Digit(n)
			require.True(t, why.OK(), name)
		}
		require.Equal(t, c.want, f.Here().Selected(), name)
		_, err := f.Ask().Accept(f.Answer())
		require.Equal(t, c.want == nil, err != nil, name)
	}
}

func TestAnApprovalWithRowsIsAllowedOrRefusedByItsKeys(t *testing.T) {
	f := New(permissions(), Options{Points: true})
	require.True(t, f.Approves())
	require.Equal(t, NothingMarked, f.Plan(Facts{}).WhyNot.Reason)
	require.True(t, f.Here().Points(), "one can look at the rows before")
	require.True(t, f.Here().Move(1))
	require.Empty(t, f.Here().Selected(), "and that marks nothing")
	require.True(t, f.Allow().OK())
	require.Equal(t, []string{"net", "dir", "turn"}, f.Here().Selected())
	plan := f.Plan(Facts{})
	require.Equal(t, StepConfirm, plan.Step)
	require.Equal(t, "Turn, Network, Write /srv", plan.Object, "the decision is read first")
	require.True(t, f.Refuse().OK())
	require.Equal(t, []string{"no"}, f.Here().Selected())
	require.Equal(t, StepSend, f.Plan(Facts{}).Step, "a refusal is not confirmed")
	require.Equal(t, OneAnswerOnly, f.Here().All().Reason)
}

func TestRowsAreChosenByTheirNumbersTogetherWithADecision(t *testing.T) {
	f := New(permissions(), Options{})
	for _, c := range []struct {
		numbers []int
		want    []string
	}{{[]int{2, 4}, []string{"dir", "session"}}, {[]int{1}, []string{"net", "turn"}}, {[]int{5}, []string{"no"}},
		{[]int{3}, []string{"net", "dir", "turn"}}} {
		require.True(t, f.Here().Choose(c.numbers...).OK())
		require.Equal(t, c.want, f.Here().Selected())
	}
	for _, both := range [][]int{{3, 4}, {1, 5}} {
		require.Equal(t, OneAnswerOnly, f.Here().Choose(both...).Reason)
		require.Equal(t, []string{"net", "dir", "turn"}, f.Here().Selected())
	}
}

func TestAnAnswerThatDecidesNothingIsNoneForAnApprovalWithRows(t *testing.T) {
	a := permissions().Ask
	for _, ids := range [][]string{{"net"}, {"turn"}, {"net", "no"}, {"net", "turn", "session"}} {
		_, err := a.Accept(queue.Answer{Replies: []queue.Reply{{Question: "q", Selected: ids}}})
		require.ErrorContains(t, err, "one decision with what it allows", ids)
	}
}

package queue_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestAPersonIsCalledByTheWholeNameOrTheUsers(t *testing.T) {
	for name, is := range map[string]bool{"ana": true, " ANA ": true, "@ana": true, "ana@laptop": true,
		"ana@desk": false, "laptop": false, "": false, "an": false} {
		require.Equal(t, is, queue.Called("ana@laptop", name), name)
	}
	for name, is := range map[string]bool{"ana": true, "@Ana": true, "ana@laptop": true, "ana@desk": true, "@laptop": false,
		"bob@laptop": false, "": false, "@": false} {
		require.Equal(t, is, queue.Called("ana", name), name)
	}
	require.Equal(t, "ana@laptop", queue.NamePerson("ana", "laptop"))
	require.Equal(t, "ana", queue.NamePerson("ana", ""))
}

func TestAQuestionThatIsMeantForSomebodyStandsFirstThereAndLastElsewhere(t *testing.T) {
	ask := func(id string, until time.Duration, audience ...string) queue.Session {
		s := queue.Session{ID: id, AskedAt: noon, Deadline: noon.Add(until)}
		s.Ask.Kind, s.Ask.Audience = queue.KindChoice, audience
		s.Claim = &queue.Claim{Instance: "bridge"}
		return s
	}
	live := []queue.Session{ask("soon", time.Minute), ask("anas", time.Hour, "Ana"), ask("bobs", time.Second, "bob")}
	order := func(person string) (ids []string) {
		for _, w := range queue.WaitingOrder(live, func(string) bool { return true }, person, noon) {
			ids = append(ids, w.ID)
		}
		return ids
	}
	require.Equal(t, []string{"anas", "soon", "bobs"}, order("ana@laptop"))
	require.Equal(t, []string{"bobs", "soon", "anas"}, order("bob@desk"))
	require.Equal(t, []string{"bobs", "soon", "anas"}, order(""), "one person has the queue: the clock alone counts")
}

func TestWhoAnsweredStandsInTheOutcomeAndTheTrail(t *testing.T) {
	q := queue.New(storetest.NewMemory())
	q.Person = "ana@laptop"
	draft := queue.Session{Ask: storetest.Ask()}
	s, err := q.Create(context.Background(), draft)
	require.NoError(t, err)
	done, err := q.Do(context.Background(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
	require.NoError(t, err)
	require.Equal(t, "ana@laptop", done.Outcome.Person)
	settled, _ := done.Last(queue.EventSettled)
	require.Equal(t, "ana@laptop", settled.Person)
}

func TestAnAgentOnAnotherMachineIsCalledWithIt(t *testing.T) {
	here := queue.Origin{Client: "codex", Cwd: "/src/shop", Host: "laptop"}
	there := here
	there.Host = "dev1"
	shared := queue.Names{Host: "laptop"}
	shared.Add(here)
	shared.Add(there)
	require.Equal(t, "shop · codex @dev1", shared.Of(there))
	require.NotContains(t, shared.Of(here), "on ")
	alone := queue.Names{}
	require.Equal(t, "shop · codex", alone.Of(there), "where nobody shares the queue a machine says nothing")
}

package door

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// letIn returns an access with a browser of these rights, which has an open page. ended receives a value when the
// access ends the page.
func letIn(t *testing.T, may Rights) (a *access, ended chan bool) {
	t.Helper()
	a = newAccess(time.Now, nil, kept{}, t.TempDir()+"/kept")
	_, cookie, secret, err := a.enter(t.Context(), a.newLink(Session{May: may, Path: "/"}), "", false)
	require.NoError(t, err)
	ended = make(chan bool, 1)
	_, _, err = a.admit([]string{cookie}, secret, false, func() { ended <- true })
	require.NoError(t, err)
	return a, ended
}

func TestAccess_EndsAnOpenPageThoughNobodyComes(t *testing.T) {
	for may, last := range map[Rights]time.Duration{RightsAll: sessionFor, RightsDevice: deviceFor} {
		synctest.Test(t, func(t *testing.T) {
			a, ended := letIn(t, may)
			go a.keepSwept(t.Context())
			time.Sleep(last - time.Second)
			require.Empty(t, ended, may)
			time.Sleep(time.Second + sweepEvery)
			require.Len(t, ended, 1, may)
		})
	}
}

func TestAccess_TheOldestOfItsKindGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, ended := letIn(t, RightsAll)
		one := queue.Session{ID: "k7f3m2qx"}
		for may, most := range map[Rights]int{RightsDevice: mostDevices, RightsQuestion: mostGiven} {
			for range most + 5 {
				time.Sleep(time.Second)
				a.add(Session{ID: queue.NewID(), May: may, Question: one.ID, Since: time.Now()})
			}
		}
		require.Empty(t, ended)
		require.Len(t, a.kept.Sessions, 1+mostDevices+mostGiven)
		for range mostOwn {
			time.Sleep(time.Second)
			a.add(Session{ID: queue.NewID(), May: RightsAll, Since: time.Now()})
		}
		require.Len(t, ended, 1, "the page of the browser that was not used for the longest time")
		for range mostLinks + 5 {
			a.newLink(Session{May: RightsQuestion, Question: one.ID})
		}
		require.Len(t, a.kept.Sessions, mostOwn+mostDevices+mostGiven+mostLinks, "links let no browser give way")
	})
}

func TestSession_RightsOtherThanOursOpenNothing(t *testing.T) {
	r := newRig(t)
	s := r.ask()
	for _, may := range []Rights{"", "ALL", "all ", "everything"} {
		in := Session{May: may, Question: s.ID}
		require.False(t, in.MayOpen(s) || in.MayList() || in.MaySettings(), "%q", may)
	}
	b := r.entered()
	r.stop()
	raw, err := os.ReadFile(r.files.kept)
	require.NoError(t, err)
	for _, may := range []string{`"all"`, `"everything"`} { // the first is what the portal wrote
		raw = []byte(strings.Replace(string(raw), `"may":"all"`, `"may":`+may, 1))
		require.True(t, json.Valid(raw))
		require.NoError(t, os.WriteFile(r.files.kept, raw, 0o600))
		r.start()
		_, status := b.dial()
		r.stop()
		want := map[string]int{`"all"`: http.StatusSwitchingProtocols, `"everything"`: http.StatusUnauthorized}[may]
		require.Equal(t, want, status, may)
	}
	r.start()
}

package opencode

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// readable has two sessions of opencode ask one question each. It returns the first one's origin.
func (r *opencodeRig) readable(more string) (o queue.Origin) {
	r.Helper()
	for _, id := range []string{"1", "2"} {
		r.says(fmt.Sprintf(`{"type":"question","id":"que_%[1]s","directory":"/src/work",%[2]s"properties":{"id":"que_%[1]s",`+
			`"sessionID":"ses_%[1]s","questions":[{"question":"Go?","header":"Go","options":[{"label":"Yes","description":""}]}]}}`,
			id, more))
		require.Eventually(r, func() bool {
			s, err := r.q.Store.Get(r.Context(), queue.SourceID("opencode:ses_"+id+"/que_"+id))
			if id == "1" {
				o = s.Origin
			}
			return err == nil
		}, 10*time.Second, time.Millisecond)
	}
	return o
}

// answersReads has the plugin answer one read with messages, and returns for which session it was.
func (r *opencodeRig) answersReads(answer string) (body chan string) {
	body = make(chan string, 1)
	go func() {
		told := <-r.told
		body <- told.Action + " " + string(told.Body)
		r.says(fmt.Sprintf(answer, told.ID))
	}()
	return body
}

func TestADashboardReadsOnlyASessionThatAsks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := serveRigIn(t, dir)
	defer r.leaves()
	o := r.readable(`"reads":true,`)
	body := r.answersReads(`{"type":"read","id":%q,"properties":[{"info":{"role":"user"}}]}`)
	raw, err := ReadSession(t.Context(), dir, o)
	require.NoError(t, err)
	require.JSONEq(t, `[{"info":{"role":"user"}}]`, string(raw))
	require.Equal(t, `read {"session":"ses_1","directory":"/src/work","text":""}`, <-body)

	other := o
	other.Thread = "ses_3"
	_, err = ReadSession(t.Context(), dir, other)
	require.ErrorIs(t, err, ErrUnread, "it never asked")
	r.says(`{"type":"closed","id":"que_1"}`)
	require.Eventually(t, func() bool {
		_, err := ReadSession(t.Context(), dir, o)
		return err != nil
	}, 10*time.Second, 10*time.Millisecond)
	require.Empty(t, r.told, "its question is over, so the plugin is not asked")
}

func TestWhatAPluginCannotTellIsNotRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := serveRigIn(t, dir)
	defer r.leaves()
	o := r.readable(`"reads":true,`)
	for _, answer := range []string{`{"type":"done","id":%q}`,
		`{"type":"read","id":%q,"properties":"` + strings.Repeat("x", MaxSession) + `"}`} {
		r.answersReads(answer)
		_, err := ReadSession(t.Context(), dir, o)
		require.ErrorIs(t, err, ErrUnread)
	}
	for _, instance := range []string{"", "../x", "none"} {
		o.Instance = instance
		_, err := ReadSession(t.Context(), dir, o)
		require.ErrorIs(t, err, ErrUnread)
	}
}

func TestADirectoryThatOthersCanUseHasNoSocket(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))
	r := serveRigIn(t, dir)
	o := r.readable(`"reads":true,`)
	_, err := ReadSession(t.Context(), dir, o)
	require.ErrorIs(t, err, ErrUnread)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
	r.leaves()

	dir = filepath.Join(t.TempDir(), "run")
	r = serveRigIn(t, dir)
	o = r.readable("")
	_, err = ReadSession(t.Context(), dir, o)
	require.ErrorIs(t, err, ErrUnread, "an older plugin does not say that it can tell")
	r.leaves()
}

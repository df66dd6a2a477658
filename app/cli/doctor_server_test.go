package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/jetstream"
)

// healthy returns a server with nothing to say about it, as a person's credentials find it.
func healthy() jetstream.Health {
	h := jetstream.Health{Version: "2.15.2", Want: 1, Copies: map[string]int{"KV_choicetui_pending": 1}, SyncKnown: true,
		SyncAlways: true, Hosts: map[string]time.Duration{"devbox": time.Second}, May: map[jetstream.Right]bool{},
		Encrypted: true, CertEnds: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}
	for right := range rightWords {
		h.May[right] = true
	}
	return h
}

func TestDoctorNamesEachTroubleOfAServerWithItsRemedy(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name                string
		change              func(*jetstream.Health)
		check, says, remedy string
	}{
		{"too few copies", func(h *jetstream.Health) { h.Want = 3 }, "queue's copies",
			"KV_choicetui_pending is kept on 1 server, and queue_replicas is 3", "nats stream edit NAME --replicas 3"},
		{"an old server", func(h *jetstream.Health) { h.Version = "2.12.5" }, "queue's server",
			"NATS 2.12.5 lets a user bypass the permissions", "2.11.15, 2.12.6 or newer"},
		{"an older server", func(h *jetstream.Health) { h.Version = "2.11.14" }, "queue's server",
			"NATS 2.11.14 lets", "2.11.15, 2.12.6 or newer"},
		{"a server before its release", func(h *jetstream.Health) { h.Version = "2.12.6-RC.1" }, "queue's server",
			"NATS 2.12.6-RC.1 lets", "2.11.15, 2.12.6 or newer"},
		{"a server that names no version", func(h *jetstream.Health) { h.Version = "\x1b[31mnew" }, "queue's server",
			"lets a user bypass", "2.11.15, 2.12.6 or newer"},
		{"a server of the cluster is away", func(h *jetstream.Health) { h.Away = []string{"n3\x1b[31m"} },
			"queue's copies", "1 server of the cluster: n3", "start it again"},
		{"syncs now and then", func(h *jetstream.Health) { h.SyncAlways, h.SyncEvery = false, 2*time.Minute },
			"queue's disk", "the server syncs every 2m0s only", "jetstream { sync_interval: always }"},
		{"does not tell when it syncs", func(h *jetstream.Health) { h.SyncKnown, h.SyncAlways = false, false },
			"queue's disk", "does not tell how often it syncs", "jetstream { sync_interval: always }"},
		{"this clock is wrong", func(h *jetstream.Health) { h.Ahead = 30 * time.Second }, "clocks",
			"the clock of this machine is 30s ahead of the server's", "NTP"},
		{"another clock is wrong", func(h *jetstream.Health) { h.Hosts["ci\x1b[31m"] = -time.Minute }, "clocks",
			"is 1m0s behind the server's", "NTP"},
		{"may do too much", func(h *jetstream.Health) { h.Wide = []string{"delete streams", "empty streams"} },
			"permissions", "may delete streams, empty streams on the server", "docs/team.md"},
		{"may do too little", func(h *jetstream.Health) { h.May[jetstream.Announce] = false }, "permissions",
			"may not say that they run", "docs/team.md"},
		{"the certificate ends", func(h *jetstream.Health) { h.CertEnds = now.Add(13 * 24 * time.Hour) }, "certificate",
			"ends on 2026-12-05", "--signal reload"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := healthy()
			c.change(&h)
			var named []finding
			for _, f := range checkHealth(h, now) {
				if f.Status != isOK {
					named = append(named, f)
				}
			}
			require.Len(t, named, 1, "that and nothing else")
			require.Equal(t, c.check, named[0].Check)
			require.Equal(t, isWarn, named[0].Status)
			require.Contains(t, named[0].Detail, c.says)
			require.NotContains(t, named[0].Detail, "\x1b")
			require.Contains(t, named[0].Remedy, c.remedy)
		})
	}
}

func TestDoctorSaysOfCopiesOnlyWhatIsTrueWhereNothingWasMadeYet(t *testing.T) {
	h := healthy()
	h.Copies, h.Want = map[string]int{}, 3
	f := checkCopies(h)
	require.Equal(t, finding{"queue's copies", isOK,
		"nothing is kept there yet; what is asked is to be kept on 3 servers, as set", ""}, f)

	h.Alone = true
	f = checkCopies(h)
	require.Equal(t, isFail, f.Status, "nobody can ask there")
	require.Equal(t, "nothing is kept there yet, and the server is not one of several: it cannot keep 3 copies", f.Detail)
	require.Contains(t, f.Remedy, "choicetui config set queue_replicas 1")

	h.Want = 1
	f = checkCopies(h)
	require.Equal(t, finding{"queue's copies", isOK,
		"nothing is kept there yet; what is asked is to be kept on 1 server, as set", ""}, f)
}

func TestDoctorIsContentWithEachRole(t *testing.T) {
	for words, lacks := range roles {
		h := healthy()
		for _, right := range lacks {
			h.May[right] = false
		}
		for _, f := range checkHealth(h, time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)) {
			require.Equal(t, isOK, f.Status, "%s: %v", words, f)
		}
	}
}

func TestDoctorTakesServersWithoutKnownHoles(t *testing.T) {
	for _, version := range []string{"2.11.15", "2.11.20", "2.12.6", "2.13.0", "2.15.2", "2.16.0-dev", "3.0.0"} {
		require.Equal(t, isOK, checkServerVersion(jetstream.Health{Version: version}).Status, version)
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/jetstream"
)

const (
	muchSkew   = 5 * time.Second     // two clocks that differ by more show other times to the people
	certNotice = 14 * 24 * time.Hour // before a certificate ends
)

// checkServer tells whether the queue's server answers, takes who asks for it, and keeps what it is given.
func checkServer(sh *shell, address string) []finding {
	ctx := context.Background()
	store, err := sh.serverStore(address)
	var h jetstream.Health
	if err == nil {
		defer store.Close()
		if _, _, err = store.Pending(ctx); err == nil {
			h, err = jetstream.Examine(ctx, store)
		}
	}
	if err == nil {
		if full := jetstream.TryRoom(ctx, store); full != nil {
			return append([]finding{{"queue", isFail, explain(full).say, makeRoom(full)}}, checkHealth(h, sh.now())...)
		}
	}
	if err != nil {
		remedy := "look at the settings that begin with queue, and at the server: it must run with JetStream, " +
			"and let you in"
		if errors.Is(err, jetstream.ErrNoConnection) {
			remedy = "see that the server runs, and that the setting queue has its name and port: " + address
		}
		return []finding{{"queue", isFail, explain(err).say, remedy}}
	}
	answers := "the server at " + address + " answers: NATS " + say.OneLine(h.Version)
	return append([]finding{{"queue", isOK, answers, ""}}, checkHealth(h, sh.now())...)
}

// makeRoom says what to do about a server that stores nothing more.
func makeRoom(full error) string {
	if errors.Is(full, jetstream.ErrTakesNothing) {
		return "whoever runs the server: look at its log; where its disk is full make room there, then start it again"
	}
	return "whoever runs the server: free some space on its disk, or raise the limits of its JetStream"
}

// checkHealth tells about a server that answers.
func checkHealth(h jetstream.Health, now time.Time) []finding {
	all := []finding{checkServerVersion(h), checkCopies(h), checkSyncing(h), checkClocks(h), checkRights(h)}
	if h.Encrypted && !h.CertEnds.IsZero() {
		all = append(all, checkCertificate(h, now))
	}
	return all
}

// checkServerVersion warns of a server whose permissions can be bypassed: NATS mended that (CVE-2026-33222 and others)
// in 2.11.15 and in 2.12.6.
func checkServerVersion(h jetstream.Health) finding {
	v := "v" + h.Version
	mended := "v2.12.6"
	if semver.MajorMinor(v) == "v2.11" {
		mended = "v2.11.15"
	}
	if semver.Compare(v, mended) < 0 { // also where it is no version
		return finding{"queue's server", isWarn, fmt.Sprintf("NATS %s lets a user bypass the permissions that the "+
			"server gives them", say.OneLine(h.Version)),
			"whoever runs the server: install NATS 2.11.15, 2.12.6 or newer"}
	}
	return finding{"queue's server", isOK, "no known way around its permissions", ""}
}

func checkCopies(h jetstream.Health) finding {
	if len(h.Copies) == 0 {
		return checkFutureCopies(h)
	}
	var few []string
	for _, name := range slices.Sorted(maps.Keys(h.Copies)) {
		if h.Copies[name] < h.Want {
			few = append(few, fmt.Sprintf("%s is kept on %s", name, say.Count(h.Copies[name], "server")))
		}
	}
	if len(few) > 0 {
		return finding{"queue's copies", isWarn,
			fmt.Sprintf("%s, and queue_replicas is %d", strings.Join(few, ", "), h.Want),
			fmt.Sprintf("whoever runs the server: nats stream edit NAME --replicas %d", h.Want)}
	}
	if len(h.Away) > 0 {
		names := make([]string, len(h.Away))
		for i, name := range h.Away {
			names[i] = say.OneLine(name)
		}
		return finding{"queue's copies", isWarn,
			fmt.Sprintf("%s of the cluster: %s cannot be reached, so there are fewer copies than the %d that are set",
				say.Count(len(names), "server"), strings.Join(names, ", "), h.Want),
			"start it again: nobody can ask or answer while more than half of them are away"}
	}
	return finding{"queue's copies", isOK, "all is kept on " + say.Count(h.Want, "server") + ", as set", ""}
}

// checkFutureCopies tells about a server where nothing was made yet.
func checkFutureCopies(h jetstream.Health) finding {
	if h.Alone && h.Want > 1 {
		return finding{"queue's copies", isFail, fmt.Sprintf("nothing is kept there yet, and the server is not one "+
			"of several: it cannot keep %d copies", h.Want),
			"name a server of a cluster as the queue, or: choicetui config set queue_replicas 1"}
	}
	return finding{"queue's copies", isOK, "nothing is kept there yet; what is asked is to be kept on " +
		say.Count(h.Want, "server") + ", as set", ""}
}

// syncAlways is the line of a server's configuration without which a power cut loses answers.
const syncAlways = "let the server's configuration say: jetstream { sync_interval: always }"

func checkSyncing(h jetstream.Health) finding {
	switch {
	case h.SyncAlways:
		return finding{"queue's disk", isOK, "the server syncs each write", ""}
	case h.SyncKnown:
		return finding{"queue's disk", isWarn, fmt.Sprintf("the server syncs every %v only: a power cut there loses "+
			"what was asked and answered since", h.SyncEvery), syncAlways}
	}
	return finding{"queue's disk", isWarn, "the server does not tell how often it syncs; by default it is every two " +
		"minutes, and a power cut there loses what was asked and answered since",
		syncAlways + "; docs/team.md says how doctor gets to see it"}
}

func checkClocks(h jetstream.Health) finding {
	var off []string
	tell := func(whose string, ahead time.Duration) {
		if ahead.Abs() > muchSkew {
			off = append(off, fmt.Sprintf("%s is %v %s", whose, ahead.Abs().Round(time.Second),
				map[bool]string{true: "ahead of", false: "behind"}[ahead > 0]))
		}
	}
	tell("the clock of this machine", h.Ahead)
	for _, host := range slices.Sorted(maps.Keys(h.Hosts)) {
		tell("the clock of "+say.OneLine(host), h.Hosts[host])
	}
	if len(off) > 0 {
		return finding{"clocks", isWarn, strings.Join(off, ", ") + " the server's: this version goes by the " +
			"server's time, but an older one shows other times and ends questions by them",
			"switch on the system's time service there (NTP), and on the server"}
	}
	return finding{"clocks", isOK, fmt.Sprintf("no more than %v from the server's", muchSkew), ""}
}

// rightWords are the rights as a person reads them.
var rightWords = map[jetstream.Right]string{
	jetstream.ReadQuestions: "read what waits", jetstream.WriteQuestions: "ask and answer",
	jetstream.ReadDrafts: "read drafts", jetstream.WriteDrafts: "keep drafts",
	jetstream.ReadHistory: "read the history", jetstream.WriteHistory: "write the history",
	jetstream.Announce: "say that they run",
}

// roles are the sets of missing rights that docs/team.md gives names to.
var roles = map[string][]jetstream.Right{
	"a person's: they ask, answer and read": {},
	"an agent's: they ask, and read neither the history nor drafts": {jetstream.ReadDrafts, jetstream.WriteDrafts,
		jetstream.ReadHistory},
	"an auditor's: they read, and write nothing": {jetstream.WriteQuestions, jetstream.WriteDrafts,
		jetstream.WriteHistory, jetstream.Announce},
}

func checkRights(h jetstream.Health) finding {
	var missing []jetstream.Right
	for right, may := range h.May {
		if !may {
			missing = append(missing, right)
		}
	}
	slices.Sort(missing)
	if len(h.Wide) > 0 {
		return finding{"permissions", isWarn, "these credentials may " + strings.Join(h.Wide, ", ") +
			" on the server, which no queue needs",
			"who runs the server may; give everybody else the permissions in docs/team.md"}
	}
	for words, lacks := range roles {
		if slices.Equal(missing, lacks) {
			return finding{"permissions", isOK, "these credentials are " + words, ""}
		}
	}
	var may []string
	for _, right := range missing {
		may = append(may, rightWords[right])
	}
	return finding{"permissions", isWarn, "these credentials may not " + strings.Join(may, ", "),
		"docs/team.md lists what a person, an agent and an auditor need"}
}

func checkCertificate(h jetstream.Health, now time.Time) finding {
	left, day := h.CertEnds.Sub(now), h.CertEnds.Format(time.DateOnly)
	if left < certNotice {
		return finding{"certificate", isWarn, "the server's ends on " + day + ": from then on nobody gets in",
			"give the server a new one; it reads it when it is told to reload: nats-server --signal reload"}
	}
	by := "this system trusts who issued it"
	if h.Authority != "" {
		by = "who issued it is in " + say.OneLine(h.Authority)
	}
	return finding{"certificate", isOK, "the server's is good until " + day + "; " + by, ""}
}

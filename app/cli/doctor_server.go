package cli

import (
	"context"

	"golang.org/x/mod/semver"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/jetstream"
)

// checkServer tells whether the queue's server answers, lets these credentials in, and stores what it is given.
func checkServer(sh *shell, address string) []finding {
	version, err := tryServer(context.Background(), sh, address)
	if err != nil {
		f := explain(err)
		return []finding{{"queue", isFail, f.say, f.hint}}
	}
	all := []finding{{"queue", isOK, "the server at " + address + " answers: NATS " + say.OneLine(version), ""}}
	if isOpenServer(version) {
		all = append(all, finding{"queue's server", isWarn, "NATS " + say.OneLine(version) + " is too old: it lets a " +
			"user bypass the permissions that the server gives them",
			"whoever runs the server: install NATS 2.11.15, 2.12.6 or newer"})
	}
	return all
}

// tryServer reads what is pending on a server, and tries whether it stores something.
func tryServer(ctx context.Context, sh *shell, address string) (version string, err error) {
	store, err := sh.serverStore(address)
	if err != nil {
		return "", err
	}
	defer store.Close()
	if _, _, err = store.Pending(ctx); err != nil {
		return "", err
	}
	if err = jetstream.TryRoom(ctx, store); err != nil {
		return "", err
	}
	return jetstream.Version(ctx, store)
}

// isOpenServer reports whether the permissions of a server can be bypassed: NATS fixed that (CVE-2026-33222 and others)
// in 2.11.15 and in 2.12.6. An invalid version counts as old.
func isOpenServer(version string) bool {
	v, fixed := "v"+version, "v2.12.6"
	if semver.MajorMinor(v) == "v2.11" {
		fixed = "v2.11.15"
	}
	return semver.Compare(v, fixed) < 0
}

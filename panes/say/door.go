package say

import "time"

// The portal's words for somebody whom it does not let in. A wrong token, a used one and a missing one sound the same:
// the words tell a stranger nothing.
const (
	LinkNeeded  = "This page needs a new link"
	LinkHow     = "A link works once, and not for long. On the machine where choicetui runs, type"
	LinkCommand = "choicetui web"
	LinkWanted  = "this page needs a new link: run " + LinkCommand
)

// Words of `choicetui web` about its links and the devices that were let in.
const (
	LinkOnce   = "the link works once, for a minute; choicetui web prints a new one"
	LinkOpened = "the page opens in the browser"
	PairOnce   = "the link lets one device in, within a minute"
	PairHere   = "other machines do not reach this portal: the device needs a tunnel, docs/security.md says how"
	NoDevices  = "no device is paired"
)

// ReachedAt says where other machines find the page.
func ReachedAt(address string) string {
	return "other machines reach it at " + address + ", once you have paired them: choicetui web --pair"
}

// PairClosed says that no device is paired for so long, and why.
func PairClosed(left time.Duration) string {
	return "five wrong tokens came within a minute, so no device is let in for another " + Spoken(left, time.Second)
}

// PairClosedHow tells the person what to do about that.
const PairClosedHow = "wait, and run choicetui web --pair again"

// PairedDevice returns a line about a device that was let in. name is made visible already.
func PairedDevice(name string, since, used, until, now time.Time) string {
	return name + ", paired " + Stamp(since, now) + ", last used " + Stamp(used, now) + ", ends " + Stamp(until, now)
}

// Revoked says how many devices were ended.
func Revoked(n int) string { return Count(n, "device") + " ended" }

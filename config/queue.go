package config

import "strings"

// isQueuePlace reports whether a name can be a queue's: a directory, or servers, whose address has no name and no
// password in it.
func isQueuePlace(name string) bool {
	if !strings.Contains(name, "://") {
		return true
	}
	for one := range strings.SplitSeq(name, ",") {
		scheme, rest, _ := strings.Cut(strings.TrimSpace(one), "://")
		if scheme != "nats" && scheme != "tls" || rest == "" || strings.ContainsAny(rest, "@ ") {
			return false
		}
	}
	return true
}

// isBucket reports whether a name can begin the names of buckets on a server.
func isBucket(name string) bool {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return name != "" && len(name) <= 64 && strings.Trim(name, safe) == ""
}

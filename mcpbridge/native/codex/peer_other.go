//go:build !linux && !darwin

package codex

import "errors"

// peer would be the process that listens on the other end. Where the system does not say, nothing is sent.
func peer(int) (process, error) { return process{}, errors.ErrUnsupported }

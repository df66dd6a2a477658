//go:build !linux && !darwin

package socket

import "errors"

// peer fails: on this system the process at the other end cannot be known, so nothing is sent to it.
func peer(int) (process, error) { return process{}, errors.ErrUnsupported }

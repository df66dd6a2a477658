//go:build !linux

package spool

import "errors"

func syscallMount(string, string, bool) error { return errors.ErrUnsupported }

func unmount(string) error { return nil }

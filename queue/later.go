package queue

import (
	"errors"
	"time"
)

// LaterFor is the time for which a question is set aside.
const LaterFor = 10 * time.Minute

// Why a question is not set aside. Match with errors.Is.
var (
	ErrLaterApproval = errors.New("an approval is not set aside")
	ErrLaterCall     = errors.New("its agent waits for a time of its own and no longer")
	ErrLaterStopped  = errors.New("its clock stands still, so it hurries nobody")
)

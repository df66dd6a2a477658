package cli

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAGateThatGotNoAnswerSaysSoInWords(t *testing.T) {
	t.Parallel()
	r := gateRun{sh: &shell{out: io.Discard, err: io.Discard, now: time.Now, queue: t.TempDir()}}
	_, err := r.lookWithin(t.Context(), func(ctx context.Context) (gateLook, error) {
		<-ctx.Done()
		return gateLook{}, ctx.Err()
	})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.EqualError(t, err, "it did not answer within 2s")
}

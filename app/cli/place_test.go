package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheSchemeOfAServersAddressMayBeInCapitals(t *testing.T) {
	t.Parallel()
	for given, place := range map[string]string{
		"NATS://127.0.0.1:4222": "nats://127.0.0.1:4222", "Tls://one:1,NATS://two:2": "tls://one:1,nats://two:2",
	} {
		got, err := placeNamed(given)
		require.NoError(t, err)
		require.Equal(t, place, got)
	}
}

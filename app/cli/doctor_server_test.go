package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDoctorKnowsWhichServersCanBeBypassed(t *testing.T) {
	for _, version := range []string{"2.11.15", "2.11.20", "2.12.6", "2.13.0", "2.15.2", "2.16.0-dev", "3.0.0"} {
		require.False(t, isOpenServer(version), version)
	}
	for _, version := range []string{"2.9.10", "2.11.14", "2.12.5", "2.12.6-RC.1", "\x1b[31mnew", ""} {
		require.True(t, isOpenServer(version), "%q", version)
	}
}

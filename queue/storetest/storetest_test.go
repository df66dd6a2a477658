package storetest_test

import (
	"testing"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestMemoryKeepsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) queue.Store { return storetest.NewMemory() })
}

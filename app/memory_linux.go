package app

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
)

// giveBack returns memory that is not in use: of the heap, and the pages of the program itself that only starting
// touched. The kernel has those in its cache, and maps what is needed again when it is.
func giveBack() {
	debug.FreeOSMemory()
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to uintptr
		var rights string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &rights); err != nil {
			continue
		}
		// What can be written is never touched: it would be lost.
		if (rights == "r-xp" || rights == "r--p") && strings.HasSuffix(lines.Text(), " "+exe) {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED)
		}
	}
}

//go:build unix

package convert_test

import (
	"syscall"
	"testing"
	"time"
)

// busy returns for how long this process has kept the processor busy. What other processes do at the same time, on a
// machine that tests many things at once, is not in it.
func busy(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

//go:build unix

// Command timed runs a command, and prints under a name how long it took, and for how many seconds it kept a core busy with all
// that it has started. On Linux, these are also processes that were left behind, such as the processes of a browser that was ended.
//
//	go run ./web/project/timed NAME COMMAND...
package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: timed NAME COMMAND...")
		os.Exit(2)
	}
	adopt()
	signal.Notify(make(chan os.Signal, 1), os.Interrupt) // the command has the same signal, and ends by it
	c := exec.Command(os.Args[2], os.Args[3:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	begun := time.Now()
	err := c.Run()
	fmt.Printf("== %s took %.1f s, and %.1f s of a core\n", os.Args[1], time.Since(begun).Seconds(), worked().Seconds())
	if c.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(127)
	}
	if err != nil {
		os.Exit(max(c.ProcessState.ExitCode(), 1))
	}
}

// worked returns the processor time of all children that have ended, and of theirs.
func worked() time.Duration {
	for { // those that were adopted count once somebody has waited for them
		if id, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err == syscall.EINTR {
			continue
		} else if err != nil || id <= 0 {
			break
		}
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

package main

import "syscall"

// adopt makes this process the parent of processes below it whose own parent has ended. Where the system refuses, they aren't
// counted.
func adopt() {
	const setChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER
	syscall.Syscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
}

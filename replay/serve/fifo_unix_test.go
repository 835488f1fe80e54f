//go:build unix

package serve

import "syscall"

func makeFIFO(name string) error { return syscall.Mkfifo(name, 0o600) }

//go:build unix

package serve

import "syscall"

const nonblock = syscall.O_NONBLOCK

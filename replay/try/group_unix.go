//go:build unix

package try

import (
	"os/exec"
	"syscall"
)

// ownGroup has a command begin a process group, so that what it starts ends with it. Ctrl-C of the terminal doesn't reach it.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end ends the group of a command.
func end(c *exec.Cmd, atOnce bool) {
	signal := syscall.SIGTERM
	if atOnce {
		signal = syscall.SIGKILL
	}
	syscall.Kill(-c.Process.Pid, signal)
}

//go:build unix && !linux

package kubectl

import (
	"os"
	"os/exec"
	"syscall"
)

// ownProcessGroup keeps the terminal's Ctrl-C away from kubectl, which is stopped last, so that
// its requests can end.
func ownProcessGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

package kubectl

import (
	"os"
	"os/exec"
	"syscall"
)

// ownProcessGroup keeps the terminal's Ctrl-C away from kubectl, which is stopped last, so that
// its requests can end. If this program is killed, kubectl ends, too.
func ownProcessGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

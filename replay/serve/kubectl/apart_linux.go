package kubectl

import (
	"os"
	"os/exec"
	"syscall"
)

// apart keeps the terminal's Ctrl-C away from kubectl: it is stopped last, so
// that what it carries can come to its end. If this program is killed, kubectl
// ends with it.
func apart(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

func end(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

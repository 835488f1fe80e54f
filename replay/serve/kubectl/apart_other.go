//go:build !unix

package kubectl

import (
	"os"
	"os/exec"
)

// apart does nothing on systems without process groups.
func apart(*exec.Cmd) {}

func end(p *os.Process) error { return p.Kill() }

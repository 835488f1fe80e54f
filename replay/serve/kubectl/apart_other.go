//go:build !unix

package kubectl

import (
	"os"
	"os/exec"
)

// ownProcessGroup does nothing on systems without process groups.
func ownProcessGroup(*exec.Cmd) {}

func terminate(p *os.Process) error { return p.Kill() }

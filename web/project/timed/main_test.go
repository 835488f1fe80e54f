//go:build linux

package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// TestMain is the command where a test runs it.
func TestMain(m *testing.M) {
	if os.Getenv("TIMED") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The work of a process counts whose parent has ended, and timed exits with the command's status.
func TestTimed(t *testing.T) {
	// What has ended stays a zombie until timed has waited for it.
	c := exec.Command(os.Args[0], "all of it", "bash", "-c", `
		left=$(bash -c '(for ((i = 0; i < 200000; i++)); do :; done) >/dev/null & echo $!')
		until read -r stat </proc/$left/stat && [[ $stat == *') Z '* ]]; do :; done
		exit 3`)
	c.Env = append(os.Environ(), "TIMED=1")
	out, err := c.Output()
	if c.ProcessState.ExitCode() != 3 {
		t.Errorf("it ends with %d: %v", c.ProcessState.ExitCode(), err)
	}
	m := regexp.MustCompile(`(?m)^== all of it took \d+\.\d s, and (\d+\.\d) s of a core$`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("it says %q", out)
	}
	if n, _ := strconv.ParseFloat(string(m[1]), 64); n < .1 {
		t.Errorf("what was left behind isn't counted: %q", out)
	}
}

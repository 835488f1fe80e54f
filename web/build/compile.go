package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// cold are packages that run seldom on the page, or only when a viewer does something.
// Without inlining they weigh a tenth less. The packages that read captures and run
// the engine are not listed, because they lose half their speed without it. (The API
// server has few steps of its own, so it is.) Nor is unicode/utf8: Valid, which sees
// every byte of a capture, takes 25 times as long. The engine is even inlined further,
// by a profile.
var cold = []string{
	"github.com/goccy/go-json/internal/encoder/...",
	"github.com/goccy/go-json/internal/errors",
	"github.com/goccy/go-json/internal/floatfmt",
	"github.com/goccy/go-json/internal/intfmt",
	"github.com/goccy/go-json/internal/jsonfields",
	"github.com/goccy/go-json/internal/jsonstring",
	"github.com/goccy/go-json/jsontext",
	"github.com/hack-pad/safejs/...",
	"github.com/informerscope/informerscope/engine/apiserver",
	"github.com/informerscope/informerscope/engine/ask",
	"github.com/informerscope/informerscope/engine/cause",
	"github.com/informerscope/informerscope/engine/controller/...",
	"github.com/informerscope/informerscope/engine/explore",
	"github.com/informerscope/informerscope/engine/fault",
	"github.com/informerscope/informerscope/engine/manager",
	"github.com/informerscope/informerscope/engine/metrics",
	"github.com/informerscope/informerscope/engine/script/...",
	"github.com/informerscope/informerscope/engine/tally",
	"github.com/informerscope/informerscope/replay/convert",
	"github.com/informerscope/informerscope/replay/convert/internal/har",
	"github.com/informerscope/informerscope/replay/convert/internal/k8shark",
	"github.com/informerscope/informerscope/replay/convert/internal/kwok",
	"github.com/informerscope/informerscope/replay/convert/remarks",
	"github.com/informerscope/informerscope/replay/feed",
	"github.com/informerscope/informerscope/replay/excerpt",
	"github.com/informerscope/informerscope/replay/findings/...",
	"github.com/informerscope/informerscope/replay/format/logged",
	"github.com/informerscope/informerscope/replay/minimise",
	"github.com/informerscope/informerscope/replay/record/...",
	"github.com/informerscope/informerscope/replay/report/...",
	"github.com/informerscope/informerscope/replay/trace/worker",
	"github.com/informerscope/informerscope/wasm/...",
	"honnef.co/go/js/dom/v2",
	"bufio", "encoding/base64", "encoding/json", "fmt", "internal/bisect", "internal/fmtsort", "internal/godebug", "internal/poll", "internal/reflectlite", "internal/strconv", "io/fs", "os", "reflect",
	"runtime", "sort", "strconv", "strings", "sync", "syscall", "syscall/js", "time",
}

// hottest has the compiler inline the calls that make up half of the profile, and not
// 99 % of it, which is usual. The engine is as fast, and the program 15 kB lighter.
const hottest = "-d=pgoinlinecdfthreshold=50"

// olderCollector has the runtime collect garbage as before Go 1.26. In WebAssembly the newer
// collector is no faster, and the program with it weighs 15 kB more.
const olderCollector = "GOEXPERIMENT=nogreenteagc"

// supportsSetting reports whether the go command takes a setting of its environment.
func supportsSetting(setting string) bool {
	c := exec.Command("go", "env", "GOEXPERIMENT")
	c.Env = append(os.Environ(), setting)
	return c.Run() == nil
}

// profile is by what the compiler inlines, in both programs alike: so each package is compiled once for the two.
const profile = "wasm/default.pgo"

// settings returns the flags by which the go command compiles the page's programs with a profile, and what its environment has
// beside them. Whatever else is compiled for WebAssembly by them, such as tests, shares the packages with the programs.
func settings(profile string) (flags, env []string, err error) {
	if profile, err = filepath.Abs(profile); err != nil {
		return nil, nil, err
	}
	// The page's version.json names the commit. Go would write it into the program as well, but not in every
	// checkout, and two builds of one commit have to be equal.
	flags = []string{"-trimpath", "-buildvcs=false", "-pgo=" + profile, "-gcflags=github.com/...=" + hottest}
	for _, pattern := range cold {
		flags = append(flags, "-gcflags="+pattern+"=-l")
	}
	env = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}
	if supportsSetting(olderCollector) {
		env = append(env, olderCollector)
	}
	return flags, env, nil
}

// exports writes the settings as a line for a shell, which gives them to all go commands.
func exports(w io.Writer) error {
	flags, env, err := settings(profile)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "export '%s' 'GOFLAGS=%s'\n", strings.Join(env, "' '"), strings.Join(flags, " "))
	return err
}

// compile builds a program of what the go command is given. The go command leaves an up-to-date file alone.
func compile(name, profile string, what ...string) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	flags, env, err := settings(profile)
	if err != nil {
		return nil, err
	}
	c := exec.Command("go", slices.Concat([]string{"build", "-ldflags=-s -w", "-o", name}, flags, what)...)
	c.Env = append(os.Environ(), env...)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("compiling %s: %w", name, err)
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return joinSegments(program)
}

// Package pages finds the page that commands serve, and opens it in a browser.
package pages

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"runtime"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/serve"
	"github.com/informerscope/informerscope/replay/serve/page"
)

// built is the folder of "make dist", seen from a checkout.
const built = "dist"

// Find returns a handler of the page in a folder. If dir is "", it is the page that the
// program carries, or else the one that was built in the checkout around it.
func Find(dir string) (h http.Handler, closed func(), err error) {
	if dir == "" {
		if files, version, ok := page.Site(); ok {
			return serve.Embedded(files, version), func() {}, nil
		}
		if _, err := os.Stat(built); err != nil {
			return nil, nil, fmt.Errorf("this informerscope (%s) carries no page: download the one for your system from %s, or build the page in a checkout with make dist and name its folder with --dir", cli.Version(), cli.Releases)
		}
		dir = built
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("%w (build the page with: make dist)", err)
	}
	if _, err := root.Stat("index.html"); err != nil {
		root.Close()
		return nil, nil, fmt.Errorf("no page in %s (build it with: make dist)", dir)
	}
	return serve.Static(root), func() { root.Close() }, nil
}

// Show opens an address in the browser. remove deletes what it takes for that. A program's
// arguments are no secret on a machine with several users, so the browser gets the address
// in a file.
func Show(ctx context.Context, address string) (remove func(), err error) {
	file, remove, err := serve.PrivateLink(address)
	if err != nil {
		return func() {}, err
	}
	name, args := opener(runtime.GOOS, file)
	c := exec.CommandContext(ctx, name, args...)
	if err := c.Start(); err != nil {
		return remove, err
	}
	go c.Wait() // so that no zombie stays
	return remove, nil
}

// opener is the command that opens a file with the program for its kind.
func opener(goos, file string) (name string, args []string) {
	switch goos {
	case "darwin":
		return "open", []string{file}
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", file}
	}
	return "xdg-open", []string{file}
}

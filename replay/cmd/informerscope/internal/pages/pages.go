// Package pages finds the page that commands serve, and opens it in a browser.
package pages

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/serve"
	"github.com/informerscope/informerscope/replay/serve/page"
)

// built is the folder of "make dist", seen from a checkout.
const built = "dist"

// Flag adds the flag that names the folder of the page.
func Flag(c *cobra.Command, dir *string) {
	c.Flags().StringVar(dir, "dir", "", "the `folder` of a page that make dist has built (default: the page inside this program, or dist)")
	c.MarkFlagDirname("dir")
}

// Find returns a handler of the page in a folder. If dir is "", it is the page that the
// program carries, or else the one that was built in the checkout around it. A page that is
// known to be of another version than the program is told so, and stderr, too.
func Find(dir string, stderr io.Writer) (h http.Handler, closed func(), err error) {
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
	return compared(serve.Static(root), root.FS(), dir, programNow(), stderr), func() { root.Close() }, nil
}

// program is what is known of a program: the page that it carries, if any, and what it was built
// from.
type program struct {
	page  serve.Stamp
	built cli.Versions
}

func programNow() (p program) {
	p.built = cli.Built()
	if files, _, ok := page.Site(); ok {
		p.page, _ = serve.ReadStamp(files)
	}
	return p
}

// compared returns the handler of a page in dir, which says where the program that serves it is of
// another version. Then stderr is told, too.
func compared(h http.Handler, files fs.FS, dir string, p program, stderr io.Writer) http.Handler {
	s, err := serve.ReadStamp(files)
	if err != nil {
		return h
	}
	if s.Program = p.otherVersion(s); s.Program == "" {
		return h
	}
	fmt.Fprintf(stderr, "the page in %s is of version %s, and this informerscope of version %s: one may lack what the other expects\n",
		dir, cli.Printable(cmp.Or(s.Release, s.Version)), s.Program)
	return serve.Stamped(h, s)
}

// otherVersion returns the version of a program if a page is of another one, and "" otherwise. A program
// that carries a page is of that page's version. Of any other, the tag or the commit must be known.
func (p program) otherVersion(s serve.Stamp) string {
	if p.page.Version != "" {
		if p.page.Version == s.Version {
			return ""
		}
		return cmp.Or(p.page.Release, p.page.Version)
	}
	// As git describe names it: a tag, a commit, or tag-commits-gcommit.
	release := strings.TrimSuffix(s.Release, "-dirty")
	commit := strings.TrimPrefix(release[strings.LastIndexByte(release, '-')+1:], "g")
	switch v := &p.built; {
	case release == "", v.Version == "devel" && v.Commit == "":
		return ""
	case release == v.Version, len(commit) >= 7 && strings.HasPrefix(v.Commit, commit):
		return ""
	case v.Version == "devel":
		return v.Commit[:min(len(v.Commit), 12)]
	default:
		return v.Version
	}
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

// opener returns the command that opens a file with the program for its kind.
func opener(goos, file string) (name string, args []string) {
	switch goos {
	case "darwin":
		return "open", []string{file}
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler", file}
	}
	return "xdg-open", []string{file}
}

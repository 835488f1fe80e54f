package opencmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/serve"
)

// fetchAll fetches each address among the names into a file, and puts the file's name in the address's place. The
// files are in a folder that only this user can read. Remove deletes them.
func (o *openOptions) fetchAll(ctx context.Context, stderr io.Writer) (remove func(), err error) {
	remove = func() {}
	var all []*string
	for _, names := range [][]string{o.names, o.against} {
		for i := range names {
			all = append(all, &names[i])
		}
	}
	dir := ""
	for i, name := range all {
		u, err := url.Parse(*name)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" {
			continue
		}
		if u.Host == "" {
			return remove, cli.UsageError("%s: the address has no host", cli.Printable(*name))
		}
		if dir == "" {
			if dir, err = os.MkdirTemp("", "informerscope-"); err != nil {
				return remove, err
			}
			remove = func() { os.RemoveAll(dir) }
		}
		from := fetch
		if runPath.MatchString(u.Path) {
			from = fetchRun
		}
		if *name, err = from(ctx, u, filepath.Join(dir, strconv.Itoa(i)), stderr); err != nil {
			return remove, fmt.Errorf("%s: %w", cli.Printable(u.Redacted()), err)
		}
	}
	return remove, nil
}

// fetch sends one GET request, for example to a controller's record.Ring behind a port-forward, and writes the
// answer to a file in a new folder of dir. If the connection is cut, it keeps what came.
func fetch(ctx context.Context, from *url.URL, dir string, stderr io.Writer) (file string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return "", err
	}
	shown := cli.Printable(from.Redacted())
	late := time.AfterFunc(slow, func() { fmt.Fprintln(stderr, "waiting for "+shown) })
	defer late.Stop()
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		if inside := new(url.Error); errors.As(err, &inside) {
			err = inside.Err // the caller names the address
		}
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		why, _ := bufio.NewReader(io.LimitReader(answer.Body, 500)).ReadString('\n')
		return "", errors.New(strings.TrimSpace("the answer is " + answer.Status + " " + cli.Printable(strings.TrimSpace(why))))
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	file = filepath.Join(dir, nameOf(from, answer.Header))
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	n, cut := io.Copy(out, answer.Body)
	if err := out.Close(); err != nil {
		return "", err
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case cut != nil && n == 0:
		return "", fmt.Errorf("the connection was cut before anything came: %w", cut)
	case cut != nil:
		fmt.Fprintf(stderr, "the connection to %s was cut after %s, which are opened: %v\n", shown, plain.Size(n), cut)
	}
	return file, nil
}

// nameOf returns the name of a fetched file: the one that the server gives, or else the host and the path.
func nameOf(from *url.URL, h http.Header) string {
	if _, says, err := mime.ParseMediaType(h.Get("Content-Disposition")); err == nil && says["filename"] != "" {
		return serve.OpenedName(says["filename"])
	}
	return serve.OpenedName(from.Host + strings.ReplaceAll(strings.TrimRight(from.Path, "/"), "/", "-"))
}

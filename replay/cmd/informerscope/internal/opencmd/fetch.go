package opencmd

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
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

// What is taken of an artifact at most. What an archive says of its files' sizes isn't believed.
const (
	mostArtifact = 512 << 20 // bytes of the archive
	mostTrace    = 2 << 30   // bytes of a trace in it
	mostFiles    = 10_000
)

// artifact is how the artifacts of .github/actions/traces begin.
const artifact = "informerscope-traces"

// runPath is the path of a run of GitHub Actions.
var runPath = regexp.MustCompile(`^/([\w.-]+/[\w.-]+)/actions/runs/(\d+)(/|$)`)

// fetchRun fetches a trace of the artifact that a run of GitHub Actions has left, with gh's own login. The address's
// fragment is the trace's name; without it, the first one is taken, and the others are told of.
func fetchRun(ctx context.Context, run *url.URL, dir string, stderr io.Writer) (file string, err error) {
	m := runPath.FindStringSubmatch(run.Path)
	var list bytes.Buffer
	if err := gh(ctx, run.Host, "repos/"+m[1]+"/actions/runs/"+m[2]+"/artifacts?per_page=100", &list, 1<<20); err != nil {
		return "", err
	}
	var all struct {
		Artifacts []struct {
			ID      int64
			Name    string
			Expired bool
		}
	}
	if err := json.Unmarshal(list.Bytes(), &all); err != nil {
		return "", fmt.Errorf("the list of the run's artifacts: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	var first *zip.File
	var others []string
	for _, a := range all.Artifacts {
		if a.Expired || !strings.HasPrefix(a.Name, artifact) {
			continue
		}
		name := filepath.Join(dir, fmt.Sprint(a.ID))
		z, err := archive(ctx, run.Host, fmt.Sprintf("repos/%s/actions/artifacts/%d/zip", m[1], a.ID), name)
		if err != nil {
			return "", err
		}
		defer z.Close()
		for _, f := range z.File {
			switch short := shortName(f); {
			case !strings.HasSuffix(short, ".trace.jsonl") && !strings.HasSuffix(short, ".trace.jsonl.gz"):
			case first == nil && (run.Fragment == "" || run.Fragment == short):
				first = f
			default:
				others = append(others, cli.Printable(short))
			}
		}
	}
	const shown = 20
	if len(others) > shown {
		others = append(others[:shown], fmt.Sprintf("and %d more", len(others)-shown))
	}
	switch {
	case first == nil && len(others) > 0:
		return "", fmt.Errorf("unknown trace %q; want %s", cli.Printable(run.Fragment), strings.Join(others, ", "))
	case first == nil:
		return "", fmt.Errorf("none of the run's %s is called %s and has a trace, or they have expired", plain.Plural(len(all.Artifacts), "artifact"), artifact)
	case len(others) > 0:
		fmt.Fprintf(stderr, "opened is %s; with # and its name behind the address, also %s\n", cli.Printable(shortName(first)), strings.Join(others, ", "))
	}
	return extract(first, filepath.Join(dir, serve.OpenedName(shortName(first))))
}

// shortName returns the last element of a file's name. What is before it, such as "..", is of no use here.
func shortName(f *zip.File) string { return path.Base(strings.ReplaceAll(f.Name, `\`, "/")) }

// archive fetches an archive into a file, and opens it.
func archive(ctx context.Context, host, repo, name string) (*zip.ReadCloser, error) {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(gh(ctx, host, repo, out, mostArtifact), out.Close()); err != nil {
		return nil, err
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("the artifact: %w", err)
	}
	if len(z.File) > mostFiles {
		z.Close()
		return nil, fmt.Errorf("the artifact has %d files, and at most %d are read", len(z.File), mostFiles)
	}
	return z, nil
}

// extract writes a file of an archive.
func extract(f *zip.File, name string) (string, error) {
	in, err := f.Open()
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	err = copyMost(out, in, mostTrace)
	return name, errors.Join(err, out.Close())
}

// copyMost copies at most so many bytes. More is an error.
func copyMost(to io.Writer, from io.Reader, most int64) error {
	n, err := io.Copy(to, io.LimitReader(from, most+1))
	if err == nil && n > most {
		err = fmt.Errorf("it is larger than %s", plain.Size(most))
	}
	return err
}

// gh writes what GitHub answers to gh, which knows the user's login.
func gh(ctx context.Context, host, path string, to io.Writer, most int64) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var said bytes.Buffer
	c := exec.CommandContext(ctx, "gh", "api", "--hostname", host, path)
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("gh fetches what a run has left, and it isn't installed here. Download the artifact by hand, and open the file")
	}
	if err != nil {
		return err
	}
	if err := copyMost(to, out, most); err != nil {
		cancel()
		c.Wait()
		return err
	}
	if err := c.Wait(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return fmt.Errorf("gh api %s: %w: %s", path, err, cli.Printable(line))
	}
	return nil
}

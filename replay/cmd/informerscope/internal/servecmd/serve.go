// Package servecmd is "informerscope serve".
package servecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/pages"
	"github.com/informerscope/informerscope/replay/serve"
	"github.com/informerscope/informerscope/replay/serve/kubectl"
)

// serveOptions are serve's flags.
type serveOptions struct {
	dir             string
	port            uint16
	open            bool
	public, answers bool
	clusterOptions
}

// Command returns "informerscope serve".
func Command() *cobra.Command {
	o := &serveOptions{}
	c, flags := cli.New("serve", "serve the page on this machine", cli.Args(0, ""), func(ctx context.Context, _ []string, stdout, stderr io.Writer) error {
		if err := o.check(); err != nil {
			return cli.Exit(cli.ExitUsage, err)
		}
		if o.public && (o.open || o.clusterOptions != clusterOptions{}) {
			return cli.UsageError("--public serves the page alone: leave out --open and everything about a cluster")
		}
		if o.answers {
			return serve.Answers(ctx, int(o.port))
		}
		page, closed, err := pages.Find(o.dir, stderr)
		if err != nil {
			return err
		}
		defer closed()
		if o.public {
			return serve.Public(ctx, int(o.port), page, func(at net.Addr) {
				fmt.Fprintf(stdout, "informerscope is at http://%s/, for everybody (Ctrl-C stops it)\n", at)
			})
		}
		return o.run(ctx, page, stdout, stderr)
	})
	pages.Flag(c, &o.dir)
	flags.Uint16Var(&o.port, "port", 8080, "the `port` on 127.0.0.1; 0 picks a free one")
	flags.BoolVar(&o.open, "open", false, "open the page in the browser")
	flags.StringVar(&o.context, "context", "", "the kubeconfig `context` whose cluster is shown (default: the current one)")
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "the kubeconfig `file` (default: kubectl's choice)")
	flags.StringVar(&o.server, "server", "", "reach the cluster at this `URL`, which needs no login, instead of through kubectl")
	flags.BoolVar(&o.secrets, "secrets", false, "let the page list and watch Secrets, too")
	flags.BoolVar(&o.noCluster, "no-cluster", false, "serve the page alone")
	flags.BoolVar(&o.public, "public", false, "serve the page alone, to everybody who reaches this machine, as in a container")
	flags.BoolVar(&o.answers, "answers", false, "serve nothing: exit with 0 if a page is served at the port, as a container's health check")
	kubectl := "kubectl"
	c.RegisterFlagCompletionFunc("context", cli.CompleteContexts(&kubectl, &o.kubeconfig))
	return c
}

// run serves the page until ctx is done, with a read-only proxy to a cluster beside it if there is one.
func (o *serveOptions) run(ctx context.Context, page http.Handler, stdout, stderr io.Writer) error {
	l, err := serve.Listen(int(o.port))
	if err != nil {
		if errors.Is(err, serve.ErrPortTaken) {
			return fmt.Errorf("port %d is taken by another program; choose another: make run PORT=%d, or informerscope serve --port %d", o.port, o.port+1, o.port+1)
		}
		return err
	}
	defer l.Close()
	handler, about, stop, err := o.addProxy(ctx, page, stderr)
	if err != nil {
		return err
	}
	defer stop()
	address := "http://" + l.Addr().String() + "/" + about.key
	fmt.Fprintf(stdout, "informerscope is at %s%s (Ctrl-C stops it)\n", address, about.cluster)
	if o.open {
		remove, err := pages.Show(ctx, address)
		defer remove()
		if err != nil {
			fmt.Fprintf(stderr, "could not open a browser: %v\n", err)
		}
	}
	return serve.Run(ctx, l, handler)
}

// clusterOptions say which cluster is served beside the page.
type clusterOptions struct {
	context, kubeconfig, server string
	secrets, noCluster          bool
}

func (o clusterOptions) check() error {
	switch named := o.context != "" || o.kubeconfig != ""; {
	case o.noCluster && (named || o.server != "" || o.secrets):
		return errors.New("--no-cluster excludes --context, --kubeconfig, --server and --secrets")
	case o.server != "" && named:
		return errors.New("--server excludes --context and --kubeconfig")
	}
	return nil
}

// clusterInfo is what there is to say of the cluster beside the page.
type clusterInfo struct {
	cluster string // a part of a sentence
	key     string // what the page's address ends with
}

// addProxy puts the proxy beside the page. Without a cluster the page is served
// alone; but if one was asked for, that is an error.
func (o clusterOptions) addProxy(ctx context.Context, page http.Handler, stderr io.Writer) (h http.Handler, about clusterInfo, stop func(), err error) {
	nothing := func() {}
	if o.noCluster {
		return page, clusterInfo{}, nothing, nil
	}
	c, stop, err := o.reach(ctx, stderr)
	if err != nil {
		if o.context != "" || o.kubeconfig != "" || o.server != "" || o.secrets || ctx.Err() != nil {
			return nil, clusterInfo{}, nil, err
		}
		fmt.Fprintf(stderr, "the page is served without a cluster: %v\n", err)
		return page, clusterInfo{}, nothing, nil
	}
	c.Secrets, c.Key = o.secrets, serve.NewKey()
	h, err = serve.Proxy(c, page)
	if err != nil {
		stop()
		return nil, clusterInfo{}, nil, err
	}
	about = clusterInfo{", with the cluster " + c.Context + ", read-only", c.KeyPath()}
	if o.secrets {
		about.cluster += ", Secrets included"
	}
	return h, about, stop, nil
}

// reach finds the cluster: its name for people, where it is, and the way there.
func (o clusterOptions) reach(ctx context.Context, stderr io.Writer) (c serve.Cluster, stop func(), err error) {
	if o.server != "" {
		c.Server, err = url.Parse(o.server)
		if err != nil {
			return c, nil, err
		}
		c.Context = c.Server.Host
		return c, func() {}, nil
	}
	options := kubectl.Options{
		Context: o.context, Kubeconfig: o.kubeconfig, NoSecrets: !o.secrets, Messages: stderr,
		Lost: func(err error) {
			fmt.Fprintf(stderr, "the cluster is out of reach: %s; it is tried again\n", cli.Printable(err.Error()))
		},
	}
	if c.Context = o.context; c.Context == "" {
		if c.Context, err = kubectl.CurrentContext(ctx, options); err != nil {
			return c, nil, err
		}
	}
	socket, stop, err := kubectl.Start(ctx, options)
	if err != nil {
		return c, nil, err
	}
	if c.Server, err = url.Parse(kubectl.Address); err != nil {
		stop()
		return c, nil, err
	}
	c.Dial = kubectl.Dial(socket)
	return c, stop, nil
}

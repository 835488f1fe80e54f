// Package doctorcmd is "informerscope doctor".
package doctorcmd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/doctor"
	"github.com/informerscope/informerscope/replay/plain"
	"github.com/informerscope/informerscope/replay/serve/kubectl"
)

// options are doctor's flags and arguments.
type options struct {
	cli.Cluster
	direct    string
	namespace string
	lasts     time.Duration
	dryRun    bool
	output    cli.Output
	user      string
	account   account
	resources []string
}

// Command returns "informerscope doctor".
func Command() *cobra.Command {
	o := &options{}
	c, flags := cli.New("doctor [RESOURCE…]", "ask a cluster what informers ask it, and say on which answer one would hang", nil, o.run)
	c.ValidArgsFunction = cli.OneOf(resourceNames()...)
	flags.StringVarP(&o.namespace, "namespace", "n", "", "ask for one `namespace` only")
	flags.DurationVar(&o.lasts, "for", 30*time.Second, "look at a watch for this `time`; a minute and more finds what cuts silent connections")
	flags.StringVar(&o.user, "as", "", "say which lists and watches this `service account` may not make: NAMESPACE/NAME")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print the requests, and send none of them")
	cli.OutputFlag(c, &o.output)
	o.Flags(c, "the `URL` of an API server or of what stands before it, instead of kubectl's ways")
	flags.StringVar(&o.direct, "around", "", "with --server, the `URL` of another way to the same API server")
	return c
}

// check finds mistakes.
func (o *options) check() error {
	if err := o.Check(); err != nil {
		return err
	}
	switch {
	case o.direct != "" && o.Server == "":
		return errors.New("--around goes with --server")
	case o.lasts < 2*time.Second || o.lasts > time.Hour:
		return fmt.Errorf("invalid --for %q; want 2s to 1h", o.lasts)
	}
	if o.user != "" {
		var err error
		if o.account, err = parseAccount(o.user); err != nil {
			return err
		}
		if o.direct != "" {
			return errors.New("--as goes without --around: rights are the same on each way")
		}
	}
	for _, at := range []string{o.Server, o.direct} {
		if u, err := url.Parse(at); at != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "") {
			return fmt.Errorf("invalid URL of a server %q; want, for example, http://127.0.0.1:8001", at)
		}
	}
	return nil
}

// run examines the cluster, and prints what it has found.
func (o *options) run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o.resources = cli.ResourceNames(args)
	if err := o.check(); err != nil {
		return cli.Exit(cli.ExitUsage, err)
	}
	hops, itself, stop, err := o.hops(ctx, stderr)
	if err != nil {
		return err
	}
	defer stop()
	x := doctor.Options{Hops: hops, Duration: o.lasts.Truncate(time.Second)}
	sent := 0
	if len(o.resources) == 0 {
		o.resources = []string{"pods"}
	}
	for _, name := range o.resources {
		r, asked, err := o.resolve(ctx, hops[0], name)
		if err != nil {
			return err
		}
		sent += asked
		x.Resources = append(x.Resources, r)
	}
	x.Sent = sent
	if o.user != "" {
		return o.examineRights(ctx, x, itself, stdout, stderr)
	}
	plan, err := doctor.Plan(x)
	if err != nil {
		return cli.Exit(cli.ExitUsage, err)
	}
	if o.dryRun {
		for _, line := range plan {
			fmt.Fprintln(stdout, line)
		}
		return nil
	}
	fmt.Fprintf(stderr, "sending %d requests at most; watches are looked at for %s\n", len(plan)+sent, plain.Duration(int64(x.Duration)))
	report, err := doctor.Examine(ctx, x)
	if err != nil {
		return err
	}
	err = o.output.Print(stdout, report, func(out *bufio.Writer) { out.WriteString(text(report)) })
	if err == nil && report.Hangs() {
		return cli.Exit(cli.ExitFailed, errors.New("an informer would hang"))
	}
	return err
}

// hops returns the ways to the cluster, and one on which nobody is impersonated. stop ends what was started for them.
func (o *options) hops(ctx context.Context, stderr io.Writer) (hops []doctor.Hop, itself doctor.Hop, stop func(), err error) {
	as := ""
	if o.user != "" {
		as = o.account.user()
	}
	to := func(name, base string, t *http.Transport) *doctor.HTTP {
		t.MaxIdleConnsPerHost = doctor.MaxRequests
		return &doctor.HTTP{Called: name, Base: base, Agent: cli.Agent(), Client: t}
	}
	plain := http.DefaultTransport.(*http.Transport)
	if o.Server != "" {
		asked := to(o.Server, o.Server, plain.Clone())
		mine := *asked
		asked.Impersonate = as
		hops = append(hops, asked)
		if o.direct != "" {
			hops = append(hops, to(o.direct, o.direct, plain.Clone()))
		}
		return hops, &mine, func() {}, nil
	}
	k := kubectl.Options{Program: o.Kubectl, Context: o.Context, Kubeconfig: o.Kubeconfig}
	itself = &doctor.Kubectl{Called: "kubectl get --raw", Options: k}
	k.Impersonate = as
	if o.dryRun {
		return []doctor.Hop{to("kubectl proxy", kubectl.Address, plain), itself}, itself, func() {}, nil
	}
	k.Messages = stderr
	socket, stop, err := kubectl.Start(ctx, k)
	if errors.Is(err, kubectl.ErrNotInstalled) {
		err = fmt.Errorf("%w: install it, or name a server with --server URL", err)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	proxied := plain.Clone()
	proxied.Proxy, proxied.DialContext = nil, kubectl.Dial(socket)
	return []doctor.Hop{to("kubectl proxy", kubectl.Address, proxied), itself}, itself, stop, nil
}

// builtIn are resources of Kubernetes that need not be looked up.
var builtIn = map[string]struct {
	groupVersion string // group and version
	whole        bool   // it is in no namespace
}{
	"pods": {groupVersion: "/api/v1"}, "services": {groupVersion: "/api/v1"}, "configmaps": {groupVersion: "/api/v1"}, "secrets": {groupVersion: "/api/v1"},
	"events": {groupVersion: "/api/v1"}, "endpoints": {groupVersion: "/api/v1"}, "serviceaccounts": {groupVersion: "/api/v1"}, "persistentvolumeclaims": {groupVersion: "/api/v1"},
	"nodes": {"/api/v1", true}, "namespaces": {"/api/v1", true}, "persistentvolumes": {"/api/v1", true},
	"deployments": {groupVersion: "/apis/apps/v1"}, "replicasets": {groupVersion: "/apis/apps/v1"}, "statefulsets": {groupVersion: "/apis/apps/v1"}, "daemonsets": {groupVersion: "/apis/apps/v1"},
	"jobs": {groupVersion: "/apis/batch/v1"}, "cronjobs": {groupVersion: "/apis/batch/v1"},
	"endpointslices": {groupVersion: "/apis/discovery.k8s.io/v1"}, "leases": {groupVersion: "/apis/coordination.k8s.io/v1"}, "ingresses": {groupVersion: "/apis/networking.k8s.io/v1"},
}

// resourceNames returns the names of builtIn.
func resourceNames() []string { return slices.Sorted(maps.Keys(builtIn)) }

// resolve finds a resource's path, and says how many requests that has taken.
func (o *options) resolve(ctx context.Context, h doctor.Hop, name string) (doctor.Resource, int, error) {
	where, within := "", ""
	if o.namespace != "" {
		where, within = "/namespaces/"+url.PathEscape(o.namespace), " in "+o.namespace
	}
	resource, group, _ := strings.Cut(name, ".")
	b, ok := builtIn[resource]
	switch {
	case strings.HasPrefix(name, "/"):
		u, err := url.Parse(name)
		if err != nil || u.RawQuery != "" || u.Fragment != "" || u.Host != "" {
			return doctor.Resource{}, 0, cli.UsageError("invalid path of a list %q; want, for example, /apis/example.com/v1/widgets", name)
		}
		return doctor.Resource{Name: name, Path: strings.TrimSuffix(u.EscapedPath(), "/")}, 0, nil
	case ok && b.whole && (group == "" || strings.HasPrefix(b.groupVersion, "/apis/"+group+"/")):
		return doctor.Resource{Name: name, Path: b.groupVersion + "/" + resource}, 0, nil
	case ok && (group == "" || strings.HasPrefix(b.groupVersion, "/apis/"+group+"/")):
		return doctor.Resource{Name: name + within, Path: b.groupVersion + where + "/" + resource}, 0, nil
	case group == "":
		return doctor.Resource{}, 0, cli.UsageError("unknown resource %q of Kubernetes; want NAME.GROUP, or a path such as /apis/example.com/v1/widgets", name)
	case o.dryRun:
		return doctor.Resource{Name: name + within, Path: "/apis/" + url.PathEscape(group) + "/<the preferred version>" + where + "/" + url.PathEscape(resource)}, 1, nil
	}
	version, err := preferred(ctx, h, group)
	if err != nil {
		return doctor.Resource{}, 1, fmt.Errorf("the group %s: %w", cli.Printable(group), err)
	}
	return doctor.Resource{Name: name + within, Path: "/apis/" + url.PathEscape(group) + "/" + url.PathEscape(version) + where + "/" + url.PathEscape(resource)}, 1, nil
}

// preferred asks which version of a group the server prefers.
func preferred(ctx context.Context, h doctor.Hop, group string) (string, error) {
	a, err := h.Get(ctx, "/apis/"+url.PathEscape(group))
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(io.LimitReader(a.Body, 1<<20))
	if err != nil {
		return "", err
	}
	var about struct {
		Message          string
		PreferredVersion struct{ Version string }
	}
	switch err := json.Unmarshal(text, &about); {
	case a.Code != 200:
		return "", fmt.Errorf("%d %s", a.Code, cli.Printable(about.Message))
	case err != nil:
		return "", err
	case about.PreferredVersion.Version == "":
		return "", fmt.Errorf("the server doesn't say which version it prefers")
	}
	return about.PreferredVersion.Version, nil
}

// proxyTimeout is after how long a silent connection is cut by nginx, HAProxy, and the load balancers of AWS, unless they are told otherwise, and some more.
const proxyTimeout = 65 * time.Second

// detailsOf returns what adds a line to what was found.
func detailsOf(b *strings.Builder) func(name, says string) {
	return func(name, says string) {
		b.WriteString(cli.Wrap(fmt.Sprintf("  %-7s ", name), cli.Printable(says), cli.TextWidth))
	}
}

// text prints a report for people.
func text(r *doctor.Report) string {
	var b strings.Builder
	for i := range r.Received {
		s := &r.Received[i]
		fmt.Fprintf(&b, "%s through %s\n", cli.Printable(s.Resource), cli.Printable(s.Hop))
		line := func(name, says string) { b.WriteString(cli.Wrap(fmt.Sprintf("  %-15s ", name), says, cli.TextWidth)) }
		line("list", page(&s.List))
		if s.List.Code != 200 || s.List.Error != "" {
			continue
		}
		if s.NextPage != nil {
			line("second page", page(s.NextPage))
		}
		line("streaming list", watch(&s.Stream))
		line("watch", watch(&s.Watch))
		line("watch from 1", watch(&s.Old))
	}
	for _, f := range r.Findings {
		b.WriteByte('\n')
		kind := "trouble: "
		if f.Hangs {
			kind = "hangs: "
		}
		b.WriteString(cli.Wrap(kind, f.Text, cli.TextWidth))
		line := detailsOf(&b)
		line("where", f.Resource+" through "+strings.Join(f.Hops, " and "))
		line("whom", "client-go "+f.Versions)
		line("asked", f.Asked)
		for _, came := range f.Evidence {
			line("came", came)
		}
		line("do", f.Advice)
	}
	watched, quiet := 0, 0
	for i := range r.Received {
		if w := &r.Received[i].Watch; w.Code == 200 {
			watched++
			if w.Events == 0 {
				quiet++
			}
		}
	}
	if len(r.Findings) == 0 {
		b.WriteString("\nno fault found: informers of all versions have their first list\n")
	}
	if quiet > 0 {
		fmt.Fprintf(&b, "\nno change came on %d of %d watches, so it isn't known whether changes come\n", quiet, watched)
	}
	if looked := time.Duration(r.Duration); looked < proxyTimeout && watched > 0 {
		fmt.Fprintf(&b, "\nwatches were looked at for %s; many proxies cut a silent one after 60 s, which --for 65s finds\n", durationText(looked))
	}
	fmt.Fprintf(&b, "\n%s, %s\n", plain.Plural(r.Requests, "request"), plain.Size(r.Bytes))
	return b.String()
}

// page says what came of a list.
func page(p *doctor.Page) string {
	if says := failed(&p.Head); says != "" {
		return says
	}
	says := fmt.Sprintf("version %s, %s, after %s", cli.Printable(p.Version), plain.Plural(p.Items, "object"), durationText(p.After))
	switch {
	case p.Remaining > 0:
		says += fmt.Sprintf(", %s more", plain.Count(p.Remaining))
	case p.Continue:
		says += ", and more"
	}
	return says
}

// watch says what came of a watch.
func watch(w *doctor.Watch) string {
	if says := failed(&w.Head); says != "" && w.Ending == "" {
		return says
	}
	says := fmt.Sprintf("%s and %s; ", plain.Plural(w.Events, "event"), plain.Plural(w.Bookmarks, "bookmark"))
	switch w.Ending {
	case doctor.Complete:
		says += "its end came"
	case doctor.Refused:
		says += fmt.Sprintf("then the error %d %s came", w.Status, cli.Printable(w.Reason))
	case doctor.Ended:
		says += "the server ended it"
	case doctor.Broke:
		says += "it was cut off: " + cli.Printable(w.Error)
	case doctor.TooLong:
		says += "no more was read"
	default:
		says += "it was still open"
	}
	return says + " after " + durationText(w.Lived)
}

// failed says how an answer that is no success began, or is "".
func failed(h *doctor.Head) string {
	switch {
	case h.Code == 0:
		return "no answer: " + cli.Printable(h.Error)
	case h.To != "":
		return fmt.Sprintf("%d, to %s", h.Code, cli.Printable(h.To))
	case h.Code != 200:
		return strings.TrimSpace(fmt.Sprintf("%d %s %s", h.Code, cli.Printable(h.Reason), cli.Printable(h.Error)))
	case h.Error != "":
		return "an answer that can't be read: " + cli.Printable(h.Error)
	}
	return ""
}

func durationText(d time.Duration) string { return plain.Duration(int64(d)) }

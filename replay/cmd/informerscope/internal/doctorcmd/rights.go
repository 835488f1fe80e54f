package doctorcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/doctor"
	"github.com/informerscope/informerscope/replay/trace"
)

// account is a service account.
type account struct{ namespace, name string }

// parseAccount reads the value of --as.
func parseAccount(text string) (a account, err error) {
	rest, ok := strings.CutPrefix(text, "system:serviceaccount:")
	sep := "/"
	if ok {
		sep = ":"
	}
	a.namespace, a.name, ok = strings.Cut(rest, sep)
	if !ok || a.namespace == "" || a.name == "" || strings.ContainsAny(a.namespace+a.name, ":/ \t\r\n") {
		return a, fmt.Errorf("invalid service account %q; want NAMESPACE/NAME or system:serviceaccount:NAMESPACE:NAME", text)
	}
	return a, nil
}

// user returns the name of the user that the account's token stands for.
func (a account) user() string { return "system:serviceaccount:" + a.namespace + ":" + a.name }

// rights is what is printed with -o json.
type rights struct {
	User   string         `json:"as"`
	Rights []doctor.Right `json:"rights"`
}

// examineRights says which lists and watches the account of --as may make.
func (o *options) examineRights(ctx context.Context, x doctor.Options, itself doctor.Hop, stdout, stderr io.Writer) error {
	a := o.account
	there := "/api/v1/namespaces/" + url.PathEscape(a.namespace) + "/serviceaccounts/" + url.PathEscape(a.name)
	h := x.Hops[0]
	if o.dryRun {
		fmt.Fprintf(stdout, "%s\n", itself.Name()+": "+there)
		for _, r := range x.Resources {
			fmt.Fprintf(stdout, "%s as %s: %s?limit=1\n%[1]s as %[2]s: %[3]s?watch=true\n", h.Name(), a.user(), r.Path)
		}
		return nil
	}
	fmt.Fprintf(stderr, "sending %d requests at most, as %s\n", 1+x.Sent+2*len(x.Resources), a.user())
	if missing(ctx, itself, there) {
		return fmt.Errorf("unknown service account %q: there is none of that name in the namespace %s (kubectl get serviceaccounts -n %[2]s)", a.namespace+"/"+a.name, a.namespace)
	}
	x.Sent++
	all, err := doctor.Rights(ctx, h, x)
	if doctor.Impersonates(err) {
		return fmt.Errorf(`%w
Somebody who administers the cluster can allow it:
  kubectl create role impersonate-%s -n %s --verb=impersonate --resource=serviceaccounts --resource-name=%[2]s
  kubectl create rolebinding impersonate-%[2]s -n %[3]s --role=impersonate-%[2]s --user=YOU
Or ask with the account's own token, from "kubectl create token %[2]s -n %[3]s", in a kubeconfig for --kubeconfig`, err, a.name, a.namespace)
	}
	if err != nil {
		return err
	}
	err = o.output.Print(stdout, rights{a.user(), all}, func(out *bufio.Writer) { out.WriteString(a.rightsText(all)) })
	for _, r := range all {
		if err == nil && r.Denied {
			return cli.Exit(cli.ExitFailed, errors.New("the service account lacks rights, and an informer would hang"))
		}
	}
	return err
}

// missing reports whether the server says that there is nothing at a path.
func missing(ctx context.Context, h doctor.Hop, path string) bool {
	answer, err := h.Get(ctx, path)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20))
	return answer.Code == 404 || doctor.CodeOf(err) == 404
}

// rightsText prints rights for people.
func (a account) rightsText(all []doctor.Right) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", cli.Printable(a.user()))
	for i, r := range all {
		says := "not known"
		switch {
		case r.Allowed:
			says = "allowed"
		case r.Denied:
			says = "denied"
		}
		name := ""
		if i%2 == 0 {
			name = cli.Printable(r.Resource)
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("  %-30s %-6s %s", name, r.Verb, says), " ") + "\n")
	}
	good := true
	for i := 0; i < len(all); i += 2 {
		var lacks, came []string
		for _, r := range all[i : i+2] {
			if !r.Allowed {
				good = false
				came = append(came, r.Asked+": "+r.Answer)
			}
			if r.Denied {
				lacks = append(lacks, r.Verb)
			}
		}
		if len(came) == 0 {
			continue
		}
		line := detailsOf(&b)
		b.WriteByte('\n')
		switch strings.Join(lacks, " and ") {
		case "list and watch":
			b.WriteString(cli.Wrap("lacks: ", "list and watch of "+cli.Printable(all[i].Resource)+". An informer has no first list as long as this is so.", cli.TextWidth))
		case "list":
			b.WriteString(cli.Wrap("lacks: ", "list of "+cli.Printable(all[i].Resource)+". An informer has its first list by a streaming list alone (client-go v0.35 and newer), and otherwise never.", cli.TextWidth))
		case "watch":
			b.WriteString(cli.Wrap("lacks: ", "watch of "+cli.Printable(all[i].Resource)+". An informer lists again and again, and hears of changes late.", cli.TextWidth))
		default:
			b.WriteString(cli.Wrap("not known: ", "what "+cli.Printable(all[i].Resource)+" was answered with is about something else than rights.", cli.TextWidth))
		}
		for _, c := range came {
			line("came", c)
		}
		if len(lacks) > 0 {
			line("do", a.grant(all[i].Path, lacks))
		}
	}
	if good {
		b.WriteString("\nnothing is lacking: the service account may list and watch all of these\n")
	}
	return b.String()
}

// grant returns the commands that give the account what it lacks. Names come from the command line.
func (a account) grant(path string, verbs []string) string {
	p, _ := trace.ParsePath(path)
	resource := trace.Qualified(p.Resource, p.Group)
	kind, where := "clusterrole", ""
	if p.Namespace != "" {
		kind, where = "role", " -n "+p.Namespace
	}
	name := a.name + "-" + strings.Join(verbs, "-") + "-" + p.Resource
	return fmt.Sprintf("kubectl create %s %s%s --verb=%s --resource=%s && kubectl create %sbinding %[2]s%[3]s --%[1]s=%[2]s --serviceaccount=%[7]s:%[8]s",
		kind, name, where, strings.Join(verbs, ","), resource, kind, a.namespace, a.name)
}

package files

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
)

// Formats are the formats of captures, with how to get one of each. The README of replay has a row
// for each, too.
var Formats = []struct {
	Name string
	IDs  []string // as a trace's header has them
	How  string
}{
	{"informerscope's own", []string{"trace"}, "informerscope record pods deployments.apps"},
	{"raw watch stream", []string{"watch"}, "kubectl get --raw '/api/v1/pods?watch=true&allowWatchBookmarks=true', or curl through kubectl proxy"},
	{"kubectl, with events", []string{"kubectl"}, "kubectl get pods -A -w --output-watch-events -o json (or yaml)"},
	{"kubectl, without", []string{"objects"}, "kubectl get pods -A -w -o json (or yaml)"},
	{"lists, dumps", []string{"list"}, "kubectl get pods -A -o json, now and then"},
	{"what a client prints", nil, "events and objects as JSON lines, an array or a list, with or without their kind, and with what happened in a field, as a field's name, or in a word before or above, in a log or alone, in one line or over several: Go's json.Marshal, Node's JSON.stringify, Python's json.dumps, print and pprint, Java's Gson"},
	{"archives of lists", nil, "kubectl cluster-info dump, must-gather, a support bundle, a Velero backup, as tar, tar.gz, zip or a folder"},
	{"audit log, EventList", []string{"audit"}, "the API server's, level RequestResponse, as it is or out of EKS, AKS, GKE (as gcloud prints it, in JSON or YAML), OpenShift, k3s, Fluentd, Fluent Bit, Loki, CloudWatch, journald, a container's runtime, or cells of CSV"},
	{"Table, PartialObjectMetadata", nil, "a watch that asks for these"},
	{"kwokctl", []string{"kwok"}, "kwokctl snapshot export --record"},
	{"k8shark", []string{"k8shark", "age"}, ".kshrk"},
	{"SimKube", []string{"simkube"}, ".sktrace"},
	{"kube-scheduler-simulator", []string{"scheduler"}, "its records"},
	{"HAR", []string{"har"}, "a browser's or a proxy's"},
	{"kubectl -v=9", []string{"klog"}, "its log"},
	{"a log", []string{"log"}, "a controller's, of klog, zap, slog, zerolog or logrus, or an access log of nginx, Apache or Traefik, or any text with times: kubectl logs --timestamps, stern, journalctl (also -o json and -o export), syslog, a container's runtime, or what collects them, such as Loki or OpenTelemetry"},
	{"a query of Prometheus", []string{"prometheus"}, "curl 'http://127.0.0.1:9090/api/v1/query_range?query=…&start=…&end=…&step=1s'"},
	{"metrics", []string{"metrics"}, "curl http://127.0.0.1:8080/metrics | ts '%Y-%m-%dT%H:%M:%.SZ', now and then, or informerscope report TRACE --metrics"},
}

// FormatsTopic returns "informerscope help formats".
func FormatsTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("The formats of captures, and how to get one of each:\n\n")
	for _, f := range Formats {
		b.WriteString("  " + f.Name + "\n" + cli.Wrap("      ", f.How, cli.TextWidth))
	}
	b.WriteString(`
A capture may be several files or a folder, compressed with gzip or zstd or not. The format is found
out from the content. What each has and what it can't tell is in the README of replay.`)
	return &cobra.Command{Use: "formats", Short: "the formats of captures, and how to get one of each", Long: b.String()}
}

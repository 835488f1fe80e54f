package convert_test

import (
	"io"
	"slices"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/remarks"
)

// bundle is what a support bundle has beside its objects, and what the collectors of one write of them: with kinds and without,
// as lists, arrays, and sequences of YAML.
var bundle = []packedFile{
	{"bundle/analysis.json", "[{\"name\":\"k8s.version\",\"labels\":{\"iconKey\":\"x\"},\"insight\":{\"name\":\"x\",\"labels\":{},\"primary\":\"ok\",\"detail\":\"fine\",\"severity\":\"debug\"},\"severity\":\"debug\",\"analyzerSpec\":\"\"}]"},
	{"bundle/kubeadm.yaml", "apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\nnetworking: {}\n"},
	{"bundle/kubeconfig.json", "{\"apiVersion\":\"v1\",\"kind\":\"Config\",\"clusters\":[],\"users\":[]}"},
	{"bundle/nm.json", "{\"apiVersion\":\"metrics.k8s.io/v1beta1\",\"kind\":\"NodeMetricsList\",\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"n1\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},\"timestamp\":\"2026-01-01T00:00:00Z\",\"window\":\"10s\",\"usage\":{}}]}"},
	{"bundle/results.yaml", "pass: ok\nmessage: x\n"},
	{"bundle/t.yaml", "kind: Table\napiVersion: meta.k8s.io/v1\nrows: []\n"},
	{"bundle/version.yaml", "apiVersion: troubleshoot.sh/v1beta2\nkind: SupportBundle\nspec:\n  versionNumber: v0.1\n"},
	{"bundle/y.json", "{\"cluster\":\"x\",\"version\":\"4.18\",\"metadata\":{\"name\":\"y\"}}"},
	{"bundle/app/secrets/x.json", "{\"name\":\"default\",\"key\":\"x\",\"secretExists\":false}"},
	{"bundle/cluster-info/cluster_version.json", "{\"info\":{\"major\":\"1\",\"minor\":\"30\",\"gitVersion\":\"v1.30.0\"},\"string\":\"v1.30.0\"}\n"},
	{"bundle/cluster-resources/forbidden.json", "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"forbidden\",\"reason\":\"Forbidden\",\"code\":403}"},
	{"bundle/cluster-resources/groups.json", "[{\"name\":\"apps\",\"versions\":[{\"groupVersion\":\"apps/v1\",\"version\":\"v1\"}],\"preferredVersion\":{\"groupVersion\":\"apps/v1\",\"version\":\"v1\"}}]\n"},
	{"bundle/cluster-resources/limitranges-errors.json", "{}\n"},
	{"bundle/cluster-resources/nodes.json", "{\"metadata\":{\"resourceVersion\":\"101\"},\"items\":[{\"metadata\":{\"name\":\"n1\",\"uid\":\"n1\",\"resourceVersion\":\"7\"},\"status\":{\"nodeInfo\":{\"kubeletVersion\":\"v1\"}}}]}\n"},
	{"bundle/cluster-resources/pods-errors.json", "[]\n"},
	{"bundle/cluster-resources/resources.json", "[{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"v1\",\"resources\":[{\"name\":\"pods\"}]},{\"kind\":\"APIResourceList\",\"groupVersion\":\"apps/v1\",\"resources\":[{\"name\":\"deployments\"}]}]\n"},
	{"bundle/cluster-resources/x-errors.json", "null\n"},
	{"bundle/cluster-resources/auth-cani-list/default.json", "{\"metadata\":{\"creationTimestamp\":null},\"spec\":{},\"status\":{\"resourceRules\":[{\"verbs\":[\"create\"],\"apiGroups\":[\"authorization.k8s.io\"],\"resources\":[\"x\"]}],\"nonResourceRules\":[],\"incomplete\":false}}\n"},
	{"bundle/cluster-resources/custom-resources/empty.x.io.yaml", "[]\n"},
	{"bundle/cluster-resources/custom-resources/webs.x.io.yaml", "- apiVersion: x.io/v1\n  kind: Web\n  metadata:\n    name: w\n    namespace: default\n    uid: w\n    resourceVersion: \"11\"\n"},
	{"bundle/cluster-resources/deployments/default.json", "[{\"metadata\":{\"name\":\"d\",\"namespace\":\"default\",\"uid\":\"d1\",\"resourceVersion\":\"9\"},\"spec\":{\"strategy\":{},\"template\":{}}}]\n"},
	{"bundle/cluster-resources/limitranges/default.json", "{\"kind\":\"LimitRangeList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"100\"},\"items\":[]}\n"},
	{"bundle/cluster-resources/limitranges/other.json", "{\"kind\":\"LimitRangeList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"100\"},\"items\":null}\n"},
	{"bundle/cluster-resources/pods/default.json", "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"100\"},\"items\":[{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\",\"uid\":\"u1\",\"resourceVersion\":\"5\"},\"spec\":{\"containers\":[{\"name\":\"x\"}]}}]}\n"},
	{"bundle/cluster-resources/pods/logs/default/a.log", "2026-01-01T10:00:00Z INFO hello\n"},
	{"bundle/cluster-resources/pods/logs/default/coredns.log", "[WARNING] x\n[INFO] y\n"},
	{"bundle/cluster-resources/pods/logs/default/nginx.log", "2026/01/01 10:00:00 [notice] 1#1: start\n"},
	{"bundle/cluster-resources/serviceaccounts/default.json", "[{\"metadata\":{\"name\":\"default\",\"namespace\":\"default\",\"uid\":\"s\",\"resourceVersion\":\"1\"}}]\n"},
	{"bundle/execution-data/summary.txt", "Duration:\n x: 1s\n"},
	{"bundle/host-collectors/system/memory.json", "{\"total\": 123, \"type\":\"memory\"}"},
	{"bundle/host-collectors/system/net.json", "[{\"name\":\"eth0\",\"type\":\"ether\"}]"},
	{"bundle/core", "\x7fELF\x02\x01\x01\x00\x00"},
}

// gathered is what must-gather writes beside its objects, and some of these.
func gathered(t *testing.T) []packedFile {
	sound := func(s string) string { return string(gzipped([]byte(s))) }
	return []packedFile{
		{"must-gather.logs", "[must-gather      ] OUT 2026-01-01T10:00:00.000Z Using must-gather plug-in image: x\nClientVersion: 4.18\n"},
		{"timestamp", "2026-01-01 10:00:00.123456789 +0000 UTC m=+0.123\n2026-01-01 10:05:00 +0000 UTC m=+300\n"},
		{"event-filter.html", "<!doctype html>\n<table><tr><td>{\"kind\":\"Event\"}</td></tr></table>\n"},
		{"x/version", "openshift/must-gather\n4.18.0\n"},
		{"x/cluster-scoped-resources/core/nodes/m0.yaml", "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: m0\n  uid: m0\n  resourceVersion: \"7\"\n"},
		{"x/namespaces/a/core/pods.yaml", "---\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p\n    namespace: a\n    uid: p\n    resourceVersion: \"9\"\nkind: PodList\nmetadata:\n  continue: \"\"\n  resourceVersion: \"10\"\n"},
		{"x/namespaces/a/apps/deployments.yaml", "---\napiVersion: apps/v1\nitems: []\nkind: DeploymentList\nmetadata:\n  resourceVersion: \"10\"\n"},
		{"x/namespaces/a/pods/p/p.yaml", "---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  namespace: a\n  uid: p\n  resourceVersion: \"9\"\n"},
		{"x/namespaces/a/pods/p/c/c/logs/current.log", "2026-01-01T10:00:00.000000000Z {\"level\":\"info\",\"ts\":\"2026-01-01T10:00:00.0Z\",\"msg\":\"x\"}\n"},
		{"x/namespaces/a/pods/p/c/c/logs/previous.log", ""},
		{"x/namespaces/a/pods/p/c/c/healthz/index", "{\"health\":\"true\"}\n"},
		{"x/audit_logs/kube-apiserver/m0-audit.log.gz", sound(converttest.AuditLine("create", "configmaps", "a", 1, 201, converttest.Answer(converttest.Pod("a", "1", "3"))))},
		{"x/audit_logs/kube-apiserver/m0-termination.log.gz", sound("I0101 10:00:00.000000       1 a.go:1] x\n")},
		{"x/audit_logs/oauth-server/m0-audit.log.gz", sound("")},
		{"x/audit_logs/kube-apiserver.audit_logs_listing", "m0 audit.log\n"},
		{"x/host_service_logs/masters/kubelet_service.log", "-- Logs begin at Thu 2026-01-01 --\nJan 01 10:00:00.123456 m0 kubenswrapper[1]: I0101 10:00:00.000000    1 x.go:1] y\n"},
		{"x/etcd_info/endpoint_status.json", "[{\"Endpoint\":\"https://x:2379\",\"Status\":{\"header\":{\"revision\":3},\"version\":\"3.5.1\"}}]\n"},
		{"x/etcd_info/member_list.json", "{\"header\":{\"cluster_id\":1},\"members\":[{\"ID\":1,\"name\":\"m0\"}]}\n"},
		{"x/monitoring/prometheus/rules.json", "{\"status\":\"success\",\"data\":{\"groups\":[{\"name\":\"x\",\"rules\":[{\"name\":\"z\",\"type\":\"alerting\"}]}]}}"},
		{"x/monitoring/prometheus/p/active-targets.json", "{\"status\":\"success\",\"data\":{\"activeTargets\":[{\"labels\":{\"job\":\"y\"},\"lastScrape\":\"2026-01-01T10:00:00Z\"}],\"droppedTargets\":[]}}"},
		{"x/monitoring/metrics/metrics.openmetrics", "# TYPE x gauge\nx{a=\"b\"} 1 1767261600\n# EOF\n"},
		{"x/insights-data/insights.tar.gz", string(gzipped(tarOf(t, []packedFile{
			{"insights-operator/gathers.json", "{\"status_reports\":[{\"name\":\"x\",\"errors\":[]}]}"}, {"config/metrics", "# TYPE x gauge\nx 1 1767261600000\n"}, {"config/id", "abc"},
			{"config/node/m0.json", "{\"metadata\":{\"name\":\"m0\",\"uid\":\"m0\",\"resourceVersion\":\"7\"},\"status\":{\"nodeInfo\":{\"kubeletVersion\":\"v1\"}}}"},
		})))},
		{"x/network_logs/m0_ovn_db.gz", sound("\x00\x01\x02\xff")},
		{"x/nodes/m0/sysinfo.tgz", string(gzipped(tarOf(t, []packedFile{{"sys/x", "1"}, {"proc/cpuinfo", "processor: 0\n"}})))},
		{"x/nodes/m0/pods_info.json", "[{\"name\":\"x\",\"namespace\":\"y\",\"containers\":[{\"name\":\"c\",\"cpu_ids\":[1]}]}]"},
		{"x/nodes/m0/cpu_affinities.json", "[{\"pid\":1,\"aff\":[0,1]}]"},
	}
}

// In a must-gather, too, packed or as a folder, nothing is damage, and an archive within it may be one of no captures.
func TestMustGather(t *testing.T) {
	files := gathered(t)
	var folder []convert.Input
	for _, f := range files {
		in := converttest.Text(f.name, f.text)
		in.Loose = true
		folder = append(folder, in)
	}
	for name, inputs := range map[string][]convert.Input{"tar.gz": {converttest.Text("x", string(gzipped(tarOf(t, files))))}, "folder": folder} {
		_, tr, err := converttest.Converted(t, convert.Options{}, inputs...)
		if err != nil || tr.ProblemCount != 0 {
			t.Fatalf("%s: %s", name, converttest.Summary(tr, err))
		}
		var got []string
		for _, r := range tr.Resources {
			got = append(got, r.Name())
		}
		slices.Sort(got)
		if want := []string{"configmaps", "deployments.apps", "nodes", "pods"}; !slices.Equal(got, want) {
			t.Errorf("%s: %s", name, converttest.Summary(tr, nil))
		}
	}
}

// Nothing that a bundle has beside its objects is damage, and all of its objects are read.
func TestSupportBundle(t *testing.T) {
	for name, b := range map[string][]byte{"tar.gz": gzipped(tarOf(t, bundle)), "zip": zipOf(t, bundle)} {
		sum, err := convert.Convert(io.Discard, []convert.Input{converttest.Text("x", string(b))}, convert.Options{})
		if err != nil || sum.ProblemCount != 0 {
			t.Errorf("%s: %v, %+v", name, err, sum)
		}
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", string(b)))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range tr.Resources {
			got = append(got, r.Name())
		}
		slices.Sort(got)
		want := []string{"deployments.apps", "limitranges", "nodemetricses.metrics.k8s.io", "nodes", "pods", "serviceaccounts", "webs.x.io"}
		if !slices.Equal(got, want) || converttest.Remarked(tr, remarks.LogsNamed) != 2 || converttest.Remarked(tr, remarks.PassedOver)+converttest.Remarked(tr, remarks.ValuesPassed) < 20 {
			t.Errorf("%s: %s", name, converttest.Summary(tr, nil))
		}
	}
}

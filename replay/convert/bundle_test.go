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

// Nothing that a bundle has beside its objects is damage, and all of its objects are read.
func TestSupportBundle(t *testing.T) {
	for name, b := range map[string][]byte{"tar.gz": gzipped(tarOf(t, bundle)), "zip": zipOf(t, bundle)} {
		sum, err := convert.Convert(io.Discard, []convert.Input{converttest.Text("x", string(b))}, convert.Options{})
		if err != nil || sum.Problem != 0 {
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

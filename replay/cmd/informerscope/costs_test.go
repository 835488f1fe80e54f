package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/report/costs"
)

// TestCosts compares what is said of what objects cost, and how the command exits, with
// testdata/costs.txt.golden.
func TestCosts(t *testing.T) {
	const shop = "../../../web/traces/shop.trace.jsonl.gz"
	var all bytes.Buffer
	for _, c := range []struct {
		status int
		args   []string
	}{
		{0, []string{shop, "--resource", "pods", "--drop", "spec.containers.env", "--drop", "status"}},
		{0, []string{captured036, "--drop", `metadata.annotations["example.com/note"]`}},
		{0, []string{"testdata/pods-w.yaml.gz"}},
		{cli.ExitDamaged, []string{cutWatch}},
		{0, []string{"../../informers/testdata/process.trace.jsonl", "--cache"}},
		{0, []string{shop, "--cache", "--resource", "leases.coordination.k8s.io"}},
		{cli.ExitUsage, []string{shop, "--cache", "--drop", "status"}},
		{cli.ExitFailed, []string{shop, "--resource", "gadgets"}},
		{cli.ExitFailed, []string{shop, "--cache", "--resource", "gadgets"}},
		{cli.ExitUsage, []string{shop, "--drop", "spec..env"}},
		{cli.ExitUsage, []string{shop, "--assert", "pop()"}},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"costs", "-q"}, c.args...), &out, &errs)
		if status != c.status {
			t.Fatalf("%q gives %d:\n%s%s", c.args, status, &out, &errs)
		}
		all.WriteString("> " + strings.Join(c.args, " ") + "\n" + out.String() + errs.String() + "\n")
	}
	golden(t, filepath.Join("testdata", "costs.txt.golden"), all.Bytes())

	// Several files are converted on the way, and what is weighed then is the same.
	var sums [2]costs.Report
	for i, args := range [][]string{{shop}, {shop, captured036}} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"costs", "-q", "-o", "json"}, args...), &out, &errs)
		d := json.NewDecoder(&out)
		d.DisallowUnknownFields()
		if err := d.Decode(&sums[i]); err != nil || status != 0 {
			t.Fatalf("status %d, %v:\n%s", status, err, &errs)
		}
	}
	for _, resource := range sums[0].Resources {
		same := func(other costs.Resource) bool {
			return resource.Name == other.Name && resource.Lists == other.Lists && resource.Watches == other.Watches && resource.Largest.Bytes == other.Largest.Bytes
		}
		if !slices.ContainsFunc(sums[1].Resources, same) {
			t.Errorf("%s weighs something else beside another file", resource.Name)
		}
	}
}

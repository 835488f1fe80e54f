package host

import (
	"testing"

	"github.com/informerscope/informerscope/engine/object"
)

func TestAManifestHasWhatTheMachineReads(t *testing.T) {
	tab := object.NewTable(nil)
	labels := tab.LabelSet([]object.Label{{Name: tab.Sym("tier"), Value: tab.Sym(`"go\ld"`)}, {Name: tab.Sym("app"), Value: tab.Sym("web")}})
	whole := tab.Add(object.Meta{Namespace: tab.Sym("default"), Name: tab.Sym("web"), UID: tab.Sym("u-1"), RV: tab.RV("7"), Labels: labels})
	bare := tab.Add(object.Meta{Name: tab.Sym("node"), RV: tab.RV("8")})
	for r, want := range map[object.Ref]string{
		whole: `{
  "resource": "pods",
  "metadata": {
    "name": "web",
    "namespace": "default",
    "uid": "u-1",
    "resourceVersion": "7",
    "labels": {
      "app": "web",
      "tier": "\"go\\ld\""
    }
  }
}`,
		bare: `{
  "resource": "pods",
  "metadata": {
    "name": "node",
    "resourceVersion": "8"
  }
}`,
	} {
		if got := manifest(tab, r, "pods"); got != want {
			t.Errorf("the manifest is %s\nwant %s", got, want)
		}
	}
}

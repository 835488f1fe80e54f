package convert

import (
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/trace"
)

// podIn is a pod of a namespace with a label and a node.
func podIn(namespace, name, uid, rv, app, node string) string {
	return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"` + namespace + `","uid":"` + uid + `","resourceVersion":"` + rv +
		`","labels":{"app":"` + app + `"}},"spec":{"nodeName":"` + node + `"}}`
}

// kubectlList is a list as kubectl get -o json prints it.
func kubectlList(items ...string) string {
	return `{"apiVersion":"v1","items":[` + strings.Join(items, ",") + `],"kind":"List","metadata":{"resourceVersion":""}}`
}

// Lists that may be of different namespaces, selectors or resources delete nothing of
// each other, whether they are in one file or in several. A later dump of the same does.
func TestPartsOfOneStateDeleteNothing(t *testing.T) {
	web := podIn("shop", "web", "1", "3", "web", "n1")
	db := podIn("shop", "db", "2", "4", "db", "n2")
	cron := podIn("ops", "cron", "3", "5", "cron", "n1")
	webLater := podIn("shop", "web", "1", "13", "web", "n1")
	service := `{"kind":"Service","apiVersion":"v1","metadata":{"name":"web","namespace":"shop","uid":"9","resourceVersion":"2"}}`
	for _, c := range []struct {
		name, want string
		kept       int64
		lists      []string
	}{
		{"two namespaces", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5", 0, []string{podList("10", web, db), podList("10", cron)}},
		{"two namespaces, kubectl's", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5", 0, []string{kubectlList(web, db), kubectlList(cron)}},
		{"two selectors", "listed shop/web/1@3, listed shop/db/2@4", 1, []string{podList("10", web), podList("11", db)}},
		{"two selectors of one revision", "listed shop/web/1@3, listed shop/db/2@4", 0, []string{podList("10", web), podList("10", db)}},
		{"all, and a selector", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5, MODIFIED shop/web/1@13", 1, []string{podList("10", web, db, cron), podList("20", webLater)}},
		{"all, and a node", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5", 1, []string{podList("10", web, db, cron), podList("20", web, cron)}},
		{"all, and a namespace", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5", 0, []string{podList("10", web, db, cron), podList("20", web, db)}},
		{"all, and nothing", "listed shop/web/1@3, listed shop/db/2@4", 2, []string{kubectlList(web, db), kubectlList()}},
		{"pods, and services", "listed shop/web/1@3, listed shop/db/2@4", 0, []string{kubectlList(web, db), kubectlList(service)}},
		{"pods and services, and services", "listed shop/web/9@2", 1, []string{kubectlList(web, service), kubectlList(service)}},
		{"an older list", "listed shop/web/1@3, listed shop/db/2@4", 0, []string{podList("10", web, db), podList("8", web)}},
		{"two rounds of two namespaces", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5, ADDED shop/x/7@12, MODIFIED shop/web/1@13, DELETED shop/db/2@20", 0,
			[]string{podList("10", web, db), podList("11", cron), podList("20", webLater, podIn("shop", "x", "7", "12", "x", "n2")), podList("21", cron)}},
	} {
		inputs := map[string][]Input{"in one file": {text("lists.json", strings.Join(c.lists, "\n"))}}
		for i, list := range c.lists {
			inputs["in several files"] = append(inputs["in several files"], text(string(rune('a'+i))+".json", list))
			loose := text("dump/"+string(rune('a'+i))+"/pods"+string(rune('a'+i))+".json", list)
			loose.Loose = true
			inputs["in a folder"] = append(inputs["in a folder"], loose)
		}
		if c.name == "an older list" {
			delete(inputs, "in several files") // there they are put in order
			delete(inputs, "in a folder")
		}
		for where, in := range inputs {
			_, tr, err := converted(t, Options{}, in...)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, where, err)
				continue
			}
			if got := events(tr); got != c.want {
				t.Errorf("%s, %s:\n got %s\nwant %s", c.name, where, got, c.want)
			}
			if got := remarked(tr, DumpScope); got != c.kept {
				t.Errorf("%s, %s: %d objects are said to be kept, not %d", c.name, where, got, c.kept)
			}
			if got := remarked(tr, OlderLists); (got != 0) != (c.name == "an older list") {
				t.Errorf("%s, %s: %d lists are said to be older", c.name, where, got)
			}
		}
	}
}

// remarked is the count of a remark, 0 where the trace doesn't have it.
func remarked(t *trace.Trace, id string) int64 {
	for _, r := range t.Remarks {
		if r.ID == id {
			return max(r.Count, 1)
		}
	}
	return 0
}

// A list after watch events is a relist only if it says what became of all objects.
func TestAListOfAnotherNamespaceIsNoRelist(t *testing.T) {
	in := podList("10", podIn("shop", "web", "1", "3", "web", "n1")) + "\n" +
		addedEvent(podIn("shop", "db", "2", "11", "db", "n1")) + podList("12", podIn("ops", "cron", "3", "5", "cron", "n1")) + "\n" + addedEvent(podIn("ops", "x", "4", "13", "x", "n1"))
	_, tr, err := converted(t, Options{}, text("x", in))
	if want := "list spaced [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 ADDED 3, keys 4] (dumpDifferences 1 )"; tell(tr, err) != want {
		t.Errorf("got %s\nwant %s", tell(tr, err), want)
	}
}

// Files that hold one object each, as Velero and must-gather write them, are one list.
func TestSingleObjectsAreOneList(t *testing.T) {
	var in []Input
	for _, x := range []string{podIn("shop", "web", "1", "3", "web", "n1"), podIn("ops", "cron", "3", "5", "cron", "n1"), podIn("shop", "web", "1", "3", "web", "n1")} {
		in = append(in, text("resources/pods/"+itoa(int64(len(in)))+".json", x))
	}
	in = append(in, text("core/pods.yaml", "apiVersion: v1\nitems:\n"+itemYAML("a", "1", "")+"kind: PodList\nmetadata:\n  resourceVersion: \"4\"\n"))
	_, tr, err := converted(t, Options{}, in...)
	if want := "list+objects spaced [pods v1 Pod: ListBegin 1 ListItem 3 ListEnd 1, keys 3]"; tell(tr, err) != want {
		t.Errorf("got %s\nwant %s", tell(tr, err), want)
	}
}

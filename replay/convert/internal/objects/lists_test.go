package objects_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/informerscope/informerscope/replay/convert"
	"github.com/informerscope/informerscope/replay/convert/internal/converttest"
	"github.com/informerscope/informerscope/replay/convert/remarks"
)

// podIn is a pod of a namespace with a label and a node.
func podIn(namespace, name, uid, rv, app, node string) string {
	return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"` + namespace + `","uid":"` + uid + `","resourceVersion":"` + rv +
		`","labels":{"app":"` + app + `"}},"spec":{"nodeName":"` + node + `"}}`
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
		{"two namespaces", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5", 0, []string{converttest.PodList("10", web, db), converttest.PodList("10", cron)}},
		{"two namespaces, kubectl's", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5", 0, []string{converttest.KubectlList(web, db), converttest.KubectlList(cron)}},
		{"two selectors", "listed shop/web/1@3, listed shop/db/2@4", 1, []string{converttest.PodList("10", web), converttest.PodList("11", db)}},
		{"two selectors of one revision", "listed shop/web/1@3, listed shop/db/2@4", 0, []string{converttest.PodList("10", web), converttest.PodList("10", db)}},
		{"all, and a selector", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5, MODIFIED shop/web/1@13", 1, []string{converttest.PodList("10", web, db, cron), converttest.PodList("20", webLater)}},
		{"all, and a node", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5", 1, []string{converttest.PodList("10", web, db, cron), converttest.PodList("20", web, cron)}},
		{"all, and a namespace", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5", 0, []string{converttest.PodList("10", web, db, cron), converttest.PodList("20", web, db)}},
		{"all, and nothing", "listed shop/web/1@3, listed shop/db/2@4", 2, []string{converttest.KubectlList(web, db), converttest.KubectlList()}},
		{"pods, and services", "listed shop/web/1@3, listed shop/db/2@4", 0, []string{converttest.KubectlList(web, db), converttest.KubectlList(service)}},
		{"pods and services, and services", "listed shop/web/9@2", 1, []string{converttest.KubectlList(web, service), converttest.KubectlList(service)}},
		{"an older list", "listed shop/web/1@3, listed shop/db/2@4", 0, []string{converttest.PodList("10", web, db), converttest.PodList("8", web)}},
		{"two rounds of two namespaces", "listed shop/web/1@3, listed shop/db/2@4, listed ops/cron/3@5, ADDED shop/x/7@12, MODIFIED shop/web/1@13, DELETED shop/db/2@20", 0,
			[]string{converttest.PodList("10", web, db), converttest.PodList("11", cron), converttest.PodList("20", webLater, podIn("shop", "x", "7", "12", "x", "n2")), converttest.PodList("21", cron)}},
	} {
		inputs := map[string][]convert.Input{"in one file": {converttest.Text("lists.json", strings.Join(c.lists, "\n"))}}
		for i, list := range c.lists {
			inputs["in several files"] = append(inputs["in several files"], converttest.Text(string(rune('a'+i))+".json", list))
			loose := converttest.Text("dump/"+string(rune('a'+i))+"/pods"+string(rune('a'+i))+".json", list)
			loose.Loose = true
			inputs["in a folder"] = append(inputs["in a folder"], loose)
		}
		if c.name == "an older list" {
			delete(inputs, "in several files") // there they are put in order
			delete(inputs, "in a folder")
		}
		for where, in := range inputs {
			_, tr, err := converttest.Converted(t, convert.Options{}, in...)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, where, err)
				continue
			}
			if got := converttest.Events(tr); got != c.want {
				t.Errorf("%s, %s:\n got %s\nwant %s", c.name, where, got, c.want)
			}
			if got := converttest.Remarked(tr, remarks.DumpScope); got != c.kept {
				t.Errorf("%s, %s: %d objects are said to be kept, not %d", c.name, where, got, c.kept)
			}
			if got := converttest.Remarked(tr, remarks.OlderLists); (got != 0) != (c.name == "an older list") {
				t.Errorf("%s, %s: %d lists are said to be older", c.name, where, got)
			}
		}
	}
}

// A list after watch events is a relist only if it says what became of all objects.
func TestAListOfAnotherNamespaceIsNoRelist(t *testing.T) {
	in := converttest.PodList("10", podIn("shop", "web", "1", "3", "web", "n1")) + "\n" +
		converttest.AddedEvent(podIn("shop", "db", "2", "11", "db", "n1")) + converttest.PodList("12", podIn("ops", "cron", "3", "5", "cron", "n1")) + "\n" + converttest.AddedEvent(podIn("ops", "x", "4", "13", "x", "n1"))
	_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x", in))
	if want := "list spaced [pods v1 Pod: ListBegin 1 ListItem 1 ListEnd 1 WatchOpen 1 ADDED 3, keys 4] (dumpDifferences 1 )"; converttest.Summary(tr, err) != want {
		t.Errorf("got %s\nwant %s", converttest.Summary(tr, err), want)
	}
}

// Files that hold one object each, as Velero and must-gather write them, are one list.
func TestSingleObjectsAreOneList(t *testing.T) {
	var in []convert.Input
	for _, x := range []string{podIn("shop", "web", "1", "3", "web", "n1"), podIn("ops", "cron", "3", "5", "cron", "n1"), podIn("shop", "web", "1", "3", "web", "n1")} {
		in = append(in, converttest.Text("resources/pods/"+strconv.Itoa(len(in))+".json", x))
	}
	in = append(in, converttest.Text("core/pods.yaml", "apiVersion: v1\nitems:\n"+converttest.ItemYAML("a", "1", "")+"kind: PodList\nmetadata:\n  resourceVersion: \"4\"\n"))
	_, tr, err := converttest.Converted(t, convert.Options{}, in...)
	if want := "list+objects spaced [pods v1 Pod: ListBegin 1 ListItem 3 ListEnd 1, keys 3]"; converttest.Summary(tr, err) != want {
		t.Errorf("got %s\nwant %s", converttest.Summary(tr, err), want)
	}
}

// A list without items is empty, as it is for client-go. An object whose kind ends in List is no list where it has a name.
func TestListsWithoutItems(t *testing.T) {
	const named = `{"kind":"AccessList","apiVersion":"x.io/v1","metadata":{"name":"a","namespace":"x","uid":"9","resourceVersion":"4"}}`
	for in, want := range map[string]string{
		`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10"}}`: "list spaced [pods v1 Pod: ListBegin 1 ListEnd 1, keys 0]",
		`{"kind":"WebList","apiVersion":"x.io/v1"}`:                                "list spaced [webs.x.io v1 Web: ListBegin 1 ListEnd 1, keys 0]",
		named: "objects spaced [accesslists.x.io v1 AccessList: WatchOpen 1 ADDED 1, keys 1]",
		`{"kind":"AccessListList","apiVersion":"x.io/v1","metadata":{"resourceVersion":"10"},"items":[` + named + `]}`: "list spaced [accesslists.x.io v1 AccessList: ListBegin 1 ListItem 1 ListEnd 1, keys 1]",
	} {
		_, tr, err := converttest.Converted(t, convert.Options{}, converttest.Text("x.json", in))
		if got := converttest.Summary(tr, err); !strings.HasPrefix(got, want) || tr.ProblemCount > 0 {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

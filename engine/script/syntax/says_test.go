package syntax

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A script is told by the forms of its lines. What several lines of a form do is told together, and what only asks isn't told.
func TestSays(t *testing.T) {
	for script, want := range map[string]string{
		"profile classic\ninformer pods resync=30s\nhandler a\nhandler b takes=20ms":      "profile [classic], informer [pods], handler [a b]",
		"exists pod shop/web app=web\nexists pod shop/db\nrun":                            "exists [shop/web shop/db], run []",
		"create pod shop/web\nrun until pop shop/web\nexpect queue []":                    "create [shop/web], run.until.pop [shop/web]",
		"update pod shop/web\nupdate pod shop/web\nrun until exists(\"shop/web\") == 3":   "update [shop/web], run.until.exists [3]",
		"run until fact(\"ReconcileStarted\")\nrun until call(\"a\", \"OnUpdate\")":       "run.until.ReconcileStarted [], run.until.call [a]",
		"run until version(\"a/b\") == written(\"a/b\")\nrun until version(\"a/b\") == 4": "run.until.written [a/b], run.until.version [4]",
		"run until count(fact(\"ReconcileFailed\")) == 120":                               "run.until.count [120]",
		"run until requeues(\"a/b\") > 3":                                                 `run.until [requeues("a/b") > 3]`,
		"lag server 6s pods\nlag server 0s":                                               "lag.server [6s], lag.server.none [0s]",
		"lag server forever pods\nadvance 27s\nadvance 1s":                                "lag.server.forever [forever], advance [27s], advance [1s]",
		"informer pods\ninformer pods\ninformer nodes":                                    "informer [pods], informer [pods], informer [nodes]",
		"fail reconciles n=all\nfail reconciles n=0":                                      "fail.reconciles [], fail.reconciles.none []",
		"hang reconcile\nhang reconcile for=0s":                                           "hang.reconcile [], hang.reconcile.none []",
		"handler none\nhandler forever":                                                   "handler [none forever]",
		"fail requests internal n=1\nfail requests none":                                  "fail.requests [internal], fail.requests.none [none]",
		"# nothing\n\nnonsense\nqueue pop fails":                                          "queue.pop.fails []",
	} {
		var said []string
		for _, s := range Describe(strings.Split(script, "\n")) {
			if !slices.Contains(SaidForms(), s.Form) {
				t.Errorf("%s is none of the forms", s.Form)
			}
			said = append(said, fmt.Sprint(s.Form, " ", s.Objects))
		}
		if got := strings.Join(said, ", "); got != want {
			t.Errorf("%q is told as %s, and not as %s", script, got, want)
		}
	}
}

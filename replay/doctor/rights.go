package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Right says whether a user may do one thing of an informer.
type Right struct {
	Resource string `json:"resource"`
	Path     string `json:"path"` // of its list
	Verb     string `json:"verb"` // list or watch
	Allowed  bool   `json:"allowed"`
	Denied   bool   `json:"denied"` // neither where the answer doesn't tell
	Asked    string `json:"asked"`
	Answer   string `json:"came"` // how it was answered
}

// errImpersonate is the reason in the error of Rights where the hop's own user may not impersonate.
var errImpersonate = errors.New("this user may not impersonate")

// Rights asks through a hop that impersonates a user which lists and watches of resources that user may make: a list of one object, and
// a watch that ends after a second. It sends two requests for each resource, and returns an error where the hop's own user may not
// impersonate.
func Rights(ctx context.Context, h Hop, o Options) ([]Right, error) {
	if n := o.Sent + 2*len(o.Resources); n > MaxRequests {
		return nil, fmt.Errorf("%d requests would be sent, and at most %d are: name fewer resources", n, MaxRequests)
	}
	var all []Right
	o.Hops = []Hop{h}
	for _, resource := range o.Resources {
		a := &asker{hop: h, resource: resource, o: o, meter: &meter{}}
		list, _ := a.page(ctx, firstPage(resource))
		w := a.watch(ctx, watching(resource, url.QueryEscape(list.Version), time.Second), time.Second+grace, false)
		for _, r := range []struct {
			verb string
			head Head
		}{{"list", list.Head}, {"watch", w.Head}} {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			x := Right{Resource: resource.Name, Path: resource.Path, Verb: r.verb, Asked: r.head.Asked, Answer: r.head.describe()}
			switch {
			case r.head.Code == 401:
				return nil, fmt.Errorf("the server doesn't know who asks: %s", x.Answer)
			case r.head.Code == 403 && strings.Contains(r.head.Error, "cannot impersonate"):
				return nil, fmt.Errorf("%w: %s", errImpersonate, r.head.Error)
			case r.head.Code == 403:
				x.Denied = true
			case r.head.Code == 200 && (r.head.Error == "" || r.verb == "watch") || r.head.Code == 410:
				x.Allowed = true // what a watch is ended with, and whether a version is too old, comes after authorization
			}
			all = append(all, x)
		}
	}
	return all, nil
}

// Impersonates reports whether err says that the hop's own user may not impersonate.
func Impersonates(err error) bool { return errors.Is(err, errImpersonate) }

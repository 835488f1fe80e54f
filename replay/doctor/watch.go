package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// Ending is how a watch went on to its end.
type Ending string

const (
	Ended    Ending = "ended"    // the body ended, as a server ends it
	Broke    Ending = "broke"    // it was cut off, or isn't a watch
	Complete Ending = "complete" // the end of the initial events came, and nothing more was waited for
	Refused  Ending = "refused"  // an ERROR event
	Open     Ending = "open"     // nothing ended it for as long as it was looked at
	TooLong  Ending = "too long" // more came than is read of one answer
)

// Watch is what came of a watch.
type Watch struct {
	Head
	Events    int           `json:"events"` // without bookmarks
	Bookmarks int           `json:"bookmarks"`
	Ending    Ending        `json:"ending,omitempty"` // "" where no watch began
	Lived     time.Duration `json:"lived"`            // ns from the request to the ending
	Status    int           `json:"status,omitempty"` // code of an ERROR event
}

// initialEventsEnd is the annotation of the bookmark that ends the initial events.
const initialEventsEnd = "k8s.io/initial-events-end"

// watchEvent is what is read of a watch event.
type watchEvent struct {
	Type   string
	Object struct {
		Metadata        struct{ Annotations map[string]string }
		Code            int
		Reason, Message string
	}
}

// watch asks for a watch and follows it for at most d. With initial it ends at the end of the initial
// events.
func (a *asker) watch(ctx context.Context, path string, d time.Duration, initial bool) Watch {
	ctx, end := context.WithTimeout(ctx, d)
	defer end()
	began := time.Now()
	head, body := a.get(ctx, path)
	w := Watch{Head: head}
	if body == nil {
		w.Lived = time.Since(began)
		return w
	}
	defer body.Close()
	events := json.NewDecoder(body)
	for w.Ending == "" {
		var e watchEvent
		if err := events.Decode(&e); err != nil {
			switch {
			case ctx.Err() != nil:
				w.Ending = Open
			case errors.Is(err, io.EOF):
				w.Ending = Ended
			case errors.Is(err, errTooMuch):
				w.Ending = TooLong
			default:
				w.failed(err)
				if w.Ending = Broke; w.Code != 200 && w.Events+w.Bookmarks == 0 {
					w.Ending = "" // it never began
				}
			}
			w.Lived = time.Since(began)
			return w
		}
		switch e.Type {
		case "BOOKMARK":
			w.Bookmarks++
			if initial && e.Object.Metadata.Annotations[initialEventsEnd] == "true" {
				w.Ending = Complete
			}
		case "ERROR":
			w.Ending, w.Status, w.Reason, w.Error = Refused, e.Object.Code, e.Object.Reason, e.Object.Message
		default:
			w.Events++
		}
	}
	w.Lived = time.Since(began)
	return w
}

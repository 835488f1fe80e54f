package navigation

import "github.com/informerscope/informerscope/wasm/link"

// Document is what is open, or is being opened.
type Document struct {
	Name      string       // of the capture, script or lesson, as the header shows it
	Source    Source       // what the last link.Open asked for, or what was open before if that was refused
	Before    *Source      // what the worker goes back to if it can't open Source, nil for nothing
	Trace     *link.Opened // nil until the worker knows what it holds
	Loading   bool         // the worker reads or runs it
	Progress  link.Progress
	Rereading *link.Progress // how far the second reading is; nil if there is none
	Failure   *link.Failure  // why nothing is shown, or what has gone wrong last
	Died      string         // why the worker has ended; "" while it runs
	Memory    int64          // how many bytes that worker had, if it got no more
	Noticed   bool           // the viewer has closed the notice about a damaged file
}

// Next returns the Document that s is from now on, which is being opened.
func (d *Document) Next(s Source) Document {
	before := d.Before
	if d.Trace != nil {
		open := d.Source
		before = &open
	}
	return Document{Name: s.Name, Source: s, Before: before, Loading: true, Died: d.Died, Memory: d.Memory}
}

// Restore notes that Source could not be opened, so that what was open before is open.
func (d *Document) Restore() {
	if d.Before != nil {
		d.Source, d.Name, d.Before = *d.Before, d.Before.Name, nil
	}
}

// Found takes in what the worker knows of the trace.
func (d *Document) Found(x *link.Opened) {
	d.Trace, d.Rereading = x, nil
	if x.Name != "" {
		d.Name = x.Name
	}
	if x.Live {
		d.Loading = false // reading it never ends
	}
}

// Progressed takes in how far it was read.
func (d *Document) Progressed(p *link.Progress) {
	if p.Phase == link.Rereading {
		d.Rereading = p
	} else {
		d.Progress = *p
	}
}

// Loaded notes that the worker neither reads nor runs it any more.
func (d *Document) Loaded() { d.Loading, d.Rereading = false, nil }

// Failed takes in what has gone wrong in the worker. Before anything is open, nothing will be.
func (d *Document) Failed(why *link.Failure) {
	d.Failure, d.Noticed, d.Rereading = why, false, nil
	if d.Trace == nil {
		d.Loading = false
	}
}

// Die takes in why the worker has ended, and how many bytes it had if it got no more.
func (d *Document) Die(why string, memory int64) {
	d.Died, d.Memory = why, memory
	d.Loaded()
}

// Failure returns one with an id and its arguments: a name, its value, and so on.
func Failure(id string, args ...string) *link.Failure {
	f := &link.Failure{Say: link.Sentence{ID: id}}
	for i := 0; i < len(args); i += 2 {
		if f.Say.Args == nil {
			f.Say.Args = map[string]link.Arg{}
		}
		f.Say.Args[args[i]] = link.Arg{Kind: "code", V: args[i+1]}
	}
	return f
}

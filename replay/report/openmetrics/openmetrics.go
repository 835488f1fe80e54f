// Package openmetrics writes what client-go would have exported during a run as OpenMetrics text: the
// samples that a scrape every so often would have taken, each with its time. Prometheus reads such a
// file with "promtool tsdb create-blocks-from openmetrics".
package openmetrics

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/world"
)

// MostScrapes is how many scrapes are kept. Beyond, each second one is dropped and the interval is
// doubled, so that a long run needs no more memory than a short one.
const MostScrapes = 10_000

// Labels tell an informer's series from those of others.
type Labels struct{ Name, Group, Version, Resource string }

// Recording has the samples of one or more worlds.
type Recording struct {
	every  int64
	worlds []*World
}

// New returns an empty recording, with a scrape after every so many nanoseconds of virtual time.
func New(every int64) *Recording { return &Recording{every: every} }

// World is a world that is looked at.
type World struct {
	r      *Recording
	o      *metrics.Observer
	labels []Labels
	every  int64
	next   int64
	scrape []sample
}

// sample has the values of all series of a world at a time, in the order in which series calls f.
type sample struct {
	at     int64
	values []int64
}

// World adds a world, whose last step is the next that World.Step takes in. There is a Labels for each of its informers.
func (r *Recording) World(w *world.World, labels []Labels) *World {
	x := &World{r: r, o: metrics.NewObserver(w), labels: labels, every: r.every, next: w.Now()}
	r.worlds = append(r.worlds, x)
	return x
}

// Step takes in the last step of the world.
func (x *World) Step(w *world.World) {
	for x.next < w.Now() { // as it was before the step
		x.take(x.next)
		x.next += x.every
	}
	x.o.Look(w)
}

// End takes the last sample, at the time now.
func (x *World) End(now int64) { x.take(max(now, x.next-x.every+1)) }

func (x *World) take(at int64) {
	s := sample{at: at}
	for _, q := range x.o.Queues {
		if q != nil {
			q.Tick(at)
		}
	}
	x.series(func(_ *metrics.Family, _ int, values ...int64) { s.values = append(s.values, values...) })
	x.scrape = append(x.scrape, s)
	if len(x.scrape) <= MostScrapes {
		return
	}
	kept := x.scrape[:0]
	for i, s := range x.scrape {
		if i%2 == 0 {
			kept = append(kept, s)
		}
	}
	x.scrape = kept
	x.every *= 2
}

// Every is the interval of the scrapes that are kept, the longest of all worlds.
func (r *Recording) Every() int64 {
	every := r.every
	for _, x := range r.worlds {
		every = max(every, x.every)
	}
	return every
}

// series calls f with the values of each series: one, or those of a histogram, which are count, sum in
// ns, and what is in each bucket.
func (x *World) series(f func(of *metrics.Family, informer int, values ...int64)) {
	histogram := func(of *metrics.Family, i int, o *metrics.Observed) {
		f(of, i, append([]int64{o.Count, o.Sum}, o.Below...)...)
	}
	for i := range x.o.Informers {
		m := &x.o.Informers[i]
		if m.Queue {
			f(&metrics.QueuedItems, i, m.QueuedItems)
			histogram(&metrics.ProcessingLatency, i, &m.ProcessingLatency)
		}
		if m.Store {
			f(&metrics.StoreResourceVersion, i, m.StoreResourceVersion)
		}
		q := x.o.Queues[i]
		if q == nil {
			continue
		}
		f(&metrics.Depth, i, q.Depth)
		f(&metrics.Adds, i, q.Adds)
		histogram(&metrics.QueueDuration, i, &q.QueueDuration)
		histogram(&metrics.WorkDuration, i, &q.WorkDuration)
		f(&metrics.UnfinishedWork, i, q.UnfinishedWork)
		f(&metrics.LongestRunning, i, q.LongestRunning)
		f(&metrics.Retries, i, x.o.Retries(i))
	}
}

// families are all of them, in the order of the file.
var families = []*metrics.Family{
	&metrics.QueuedItems, &metrics.ProcessingLatency, &metrics.StoreResourceVersion,
	&metrics.Depth, &metrics.Adds, &metrics.QueueDuration, &metrics.WorkDuration, &metrics.UnfinishedWork, &metrics.LongestRunning, &metrics.Retries,
}

// Write writes the text with write, a part at a time. The time 0 of a world is start, in nanoseconds
// since 1970.
func (r *Recording) Write(start int64, write func([]byte) error) error {
	var b []byte
	for _, f := range families {
		header := true
		for _, x := range r.worlds {
			from := 0
			var err error
			x.series(func(of *metrics.Family, informer int, values ...int64) {
				at := from
				from += len(values)
				if of != f || err != nil {
					return
				}
				if header {
					b, header = appendHeader(b, f), false
				}
				labels := x.labels[informer].text(f)
				for i := range x.scrape {
					s := &x.scrape[i]
					b = appendSample(b, f, labels, s.values[at:from], start+s.at)
					if len(b) > 32<<10 {
						if err = write(b); err != nil {
							return
						}
						b = b[:0]
					}
				}
			})
			if err != nil {
				return err
			}
		}
	}
	return write(append(b, "# EOF\n"...))
}

func appendHeader(b []byte, f *metrics.Family) []byte {
	name := strings.TrimSuffix(f.Name, "_total")
	b = append(b, "# TYPE "+name+" "+string(f.Type)+"\n"...)
	if strings.HasSuffix(name, "_seconds") {
		b = append(b, "# UNIT "+name+" seconds\n"...)
	}
	return append(b, "# HELP "+name+" "+f.Help+"\n"...)
}

// appendSample appends the lines of a series at a time in ns.
func appendSample(b []byte, f *metrics.Family, labels string, values []int64, at int64) []byte {
	line := func(suffix, more, value string) {
		b = append(b, f.Name+suffix+"{"+labels+more+"} "+value+" "+seconds(at)+"\n"...)
	}
	if f.Type != metrics.Histogram {
		value := strconv.FormatInt(values[0], 10)
		if strings.HasSuffix(f.Name, "_seconds") {
			value = seconds(values[0])
		}
		line("", "", value)
		return b
	}
	count := strconv.FormatInt(values[0], 10)
	for i, bound := range f.Buckets {
		line("_bucket", `,le="`+bucket(bound)+`"`, strconv.FormatInt(values[2+i], 10))
	}
	line("_bucket", `,le="+Inf"`, count)
	line("_count", "", count)
	line("_sum", "", seconds(values[1]))
	return b
}

// text is the labels that a family has.
func (l *Labels) text(f *metrics.Family) string {
	text := `name="` + escaped(l.Name) + `"`
	if strings.HasPrefix(f.Name, "informer_") {
		text += `,group="` + escaped(l.Group) + `",version="` + escaped(l.Version) + `",resource="` + escaped(l.Resource) + `"`
	}
	return text
}

func escaped(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}

// bucket is a bound as OpenMetrics writes it, which has a point or an exponent.
func bucket(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// seconds is a time or duration in ns as seconds, exactly.
func seconds(ns int64) string {
	sign := ""
	if ns < 0 {
		sign, ns = "-", -ns
	}
	text := []byte(sign + strconv.FormatInt(ns/1e9, 10))
	if rest := ns % 1e9; rest > 0 {
		digits := strconv.FormatInt(1e9+rest, 10)[1:]
		text = append(text, "."+strings.TrimRight(digits, "0")...)
	}
	return string(text)
}

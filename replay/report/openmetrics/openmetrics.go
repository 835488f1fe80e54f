// Package openmetrics writes what client-go would have exported during a run as OpenMetrics text: the
// samples that a scrape every so often would have taken, each with its time. Prometheus reads such a
// file with "promtool tsdb create-blocks-from openmetrics".
package openmetrics

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/engine/ask"
	"github.com/informerscope/informerscope/engine/metrics"
	"github.com/informerscope/informerscope/engine/world"
)

// MostScrapes is how many scrapes are kept. Beyond, each second one is dropped and the interval is
// doubled, so that a long run needs no more memory than a short one.
const MostScrapes = 10_000

// Labels tell an informer's series from others'.
type Labels struct{ Name, Group, Version, Resource string }

// Named returns the labels of an informer that has only a name, such as pods or deployments.apps.
func Named(name string) Labels {
	l := Labels{Name: name}
	l.Resource, l.Group, _ = strings.Cut(name, ".")
	return l
}

// Interval returns how often a run of so many nanoseconds is scraped if nobody says it: some hundred times.
func Interval(run int64) int64 {
	every := int64(1_000_000)
	for run/every > 1000 {
		every *= 10
	}
	return every
}

// Recording has the samples of one or more worlds.
type Recording struct {
	interval int64
	worlds   []*World
}

// New returns an empty recording, with a scrape after every so many nanoseconds of virtual time.
func New(every int64) *Recording { return &Recording{interval: every} }

// World is a world that is looked at.
type World struct {
	r        *Recording
	o        *metrics.Observer
	labels   []Labels
	interval int64
	next     int64
	scrape   []sample
}

// sample has the values of all series of a world at a time, in the order in which metrics.Observer.Each
// tells them: one, or a histogram's, which are count, sum in ns, and what is in each bucket.
type sample struct {
	time   int64
	values []int64
}

// World adds a world, whose last step is the next that World.Step takes in. There is a Labels for each of its informers.
func (r *Recording) World(w *world.World, labels []Labels) *World {
	x := &World{r: r, o: metrics.NewObserver(w), labels: labels, interval: r.interval, next: w.Now()}
	r.worlds = append(r.worlds, x)
	return x
}

// Step takes in the last step of the world.
func (x *World) Step(w *world.World) {
	for x.next < w.Now() { // as it was before the step
		x.take(x.next)
		x.next += x.interval
	}
	x.o.Look(w)
}

// End takes the last sample, at the time now.
func (x *World) End(now int64) { x.take(max(now, x.next-x.interval+1)) }

func (x *World) take(at int64) {
	s := sample{time: at}
	for i := range x.o.Informers {
		x.o.Each(i, at, func(_ *metrics.Family, value int64, h *metrics.Observed) {
			if h == nil {
				s.values = append(s.values, value)
			} else {
				s.values = append(append(s.values, h.Count, h.Sum), h.Below...)
			}
		})
	}
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
	x.interval *= 2
}

// Interval returns the interval of the scrapes that are kept, the longest of all worlds.
func (r *Recording) Interval() int64 {
	every := r.interval
	for _, x := range r.worlds {
		every = max(every, x.interval)
	}
	return every
}

// Write writes the text with write, a part at a time. The time 0 of a world is start, in nanoseconds
// since 1970.
func (r *Recording) Write(start int64, write func([]byte) error) error {
	var b []byte
	for _, f := range metrics.Families {
		header := true
		for _, x := range r.worlds {
			from := 0
			for i := range x.o.Informers {
				var failed error
				x.o.Each(i, 0, func(family *metrics.Family, _ int64, h *metrics.Observed) {
					at := from
					if from++; h != nil {
						from += 1 + len(h.Below)
					}
					if family != f || failed != nil {
						return
					}
					if header {
						b, header = appendHeader(b, f), false
					}
					labels := x.labels[i].text(f)
					for j := range x.scrape {
						s := &x.scrape[j]
						b = appendSample(b, f, labels, s.values[at:from], ask.Seconds(start+s.time))
						if len(b) > 32<<10 {
							if failed = write(b); failed != nil {
								return
							}
							b = b[:0]
						}
					}
				})
				if failed != nil {
					return failed
				}
			}
		}
	}
	return write(append(b, "# EOF\n"...))
}

// joined appends texts. One call of it weighs less on the page than a concatenation.
func joined(b []byte, texts ...string) []byte {
	for _, t := range texts {
		b = append(b, t...)
	}
	return b
}

func appendHeader(b []byte, f *metrics.Family) []byte {
	name := strings.TrimSuffix(f.Name, "_total")
	b = joined(b, "# TYPE ", name, " ", string(f.Type), "\n")
	if f.Seconds() {
		b = joined(b, "# UNIT ", name, " seconds\n")
	}
	return joined(b, "# HELP ", name, " ", f.Help, "\n")
}

// appendSample appends the lines of a series at a time, which is written at the end of each.
func appendSample(b []byte, f *metrics.Family, labels string, values []int64, at string) []byte {
	if f.Type != metrics.Histogram {
		value := strconv.FormatInt(values[0], 10)
		if f.Seconds() {
			value = ask.Seconds(values[0])
		}
		return joined(b, f.Name, "{", labels, "} ", value, " ", at, "\n")
	}
	for i, n := range values[2:] {
		b = joined(b, f.Name, "_bucket{", labels, `,le="`, bucket(f.Buckets[i]), `"} `, strconv.FormatInt(n, 10), " ", at, "\n")
	}
	count := strconv.FormatInt(values[0], 10)
	b = joined(b, f.Name, "_bucket{", labels, `,le="+Inf"} `, count, " ", at, "\n")
	b = joined(b, f.Name, "_count{", labels, "} ", count, " ", at, "\n")
	return joined(b, f.Name, "_sum{", labels, "} ", ask.Seconds(values[1]), " ", at, "\n")
}

// text returns the labels that a family has.
func (l *Labels) text(f *metrics.Family) string {
	b := label(nil, "name", l.Name)
	if f.OfInformer() {
		b = label(b, ",group", l.Group)
		b = label(b, ",version", l.Version)
		b = label(b, ",resource", l.Resource)
	}
	return string(b)
}

// label appends a label, and escapes its value.
func label(b []byte, name, value string) []byte {
	b = joined(b, name, `="`)
	for i := range len(value) {
		c := value[i]
		if c == '\n' {
			b, c = append(b, '\\'), 'n'
		} else if c == '\\' || c == '"' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return append(b, '"')
}

// bucket returns a bound as OpenMetrics writes it, which has a point or an exponent.
func bucket(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

package report

import "slices"

// usual are the periods that are tried besides those that were measured, in seconds.
var usual = [...]int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1200, 1800, 3600, 7200, 36000, 43200}

// periods finds out the resync periods of handlers and of their informer, which checks at its
// own period whether a handler's is over. Candidates are played against the recorded ticks, and
// those that explain most are taken, the likeliest if several do. began is when each handler was
// added, and measured is what passed between its ticks, 0 for a handler that had none.
func (s *scanned) periods(all []*scannedHandler, began, measured []int64) (informer int64, periods []int64) {
	var candidates []int64
	longest := slices.Max(measured)
	for i, h := range all { // a list between may have hidden what passed before the first one
		if len(h.ticks) > 0 {
			longest = max(longest, h.ticks[0]-began[i])
		}
	}
	for _, p := range usual {
		if p*second <= longest+second/2 {
			candidates = append(candidates, p*second)
		}
	}
	for _, p := range measured {
		if p > 0 {
			candidates = append(candidates, p)
		}
	}
	slices.Sort(candidates)
	slices.Reverse(candidates)
	candidates = slices.Compact(candidates)
	if len(candidates) == 0 {
		return 0, measured
	}
	least := int64(never)
	for _, check := range candidates {
		wrong, tried := int64(0), make([]int64, len(all))
		for i, h := range all {
			if measured[i] == 0 {
				continue
			}
			best := int64(never)
			for _, p := range candidates {
				if p < check {
					break
				}
				n := h.unexplained(s, began[i], check, p)
				if n < best || n == best && off(p, measured[i], check) < off(tried[i], measured[i], check) {
					best, tried[i] = n, p
				}
			}
			if best == never { // its period is shorter than this one
				wrong = never
				break
			}
			wrong += best
		}
		if wrong < least {
			least, informer, periods = wrong, check, tried
		}
	}
	return informer, periods
}

// off is how far a period is from the likeliest that gives the measured one. A period which is no
// multiple of the informer's is over somewhere between two checks.
func off(period, measured, check int64) int64 {
	if measured > check*5/4 {
		measured -= check / 2
	}
	return max(period-measured, measured-period)
}

// maxTicks is how many ticks of a handler are looked at.
const maxTicks = 100

// unexplained says how badly two periods explain the ticks of a handler: how many were recorded
// that would not be there, and the other way round. Its informer's timer begins anew with each
// list. It may have stopped as soon as the watch before the list had ended.
func (h *scannedHandler) unexplained(s *scanned, began, check, period int64) (n int64) {
	ticks := h.ticks[:min(len(h.ticks), maxTicks)]
	end := min(s.end, h.last+period)
	if len(ticks) < len(h.ticks) {
		end = ticks[len(ticks)-1]
	}
	next, i := began+period, 0
	for l, at := range s.lists {
		until, watched := end, end
		if l+1 < len(s.lists) {
			until, watched = min(end, s.lists[l+1]), min(end, s.ends[l+1])
		}
		for at += check; at <= until; at += check {
			if at < next {
				continue
			}
			for ; i < len(ticks) && ticks[i] < at-second*3/10; i++ {
				n += 2
			}
			if i < len(ticks) && ticks[i] <= at+second*3/10 {
				at = max(at, ticks[i])
				i++
			} else if at > watched-second*3/10 && (i == len(ticks) || ticks[i] > until) { // it may have stopped
				break
			} else if at < until-second {
				n++
			}
			next = at + period - second/100
		}
	}
	return n + 2*int64(len(ticks)-i)
}

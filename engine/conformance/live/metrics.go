package live

import "strconv"

// determined returns the metrics of an informer that don't depend on chance. How many deltas are a batch depends on
// when the process loop comes. Which object is written last depends on the order of a map, unless all are written at
// once.
func determined(gates map[string]bool) []string {
	on := func(gate string) bool {
		on, set := gates[gate]
		return on || !set
	}
	names := []string{"queuedItems"}
	if on("InOrderInformers") && on("AtomicFIFO") {
		names = append(names, "storeResourceVersion")
	}
	if !on("InOrderInformersBatchProcess") {
		names = append(names, "processingLatency.count")
	}
	return names
}

// counted reports whether the metric of a store has the resourceVersion rv. A version that is no number leaves the
// metric at an earlier one, and which that is depends on the batches.
func counted(rv string) bool {
	_, err := strconv.ParseInt(rv[max(0, len(rv)-15):], 10, 64)
	return rv == "" || err == nil
}

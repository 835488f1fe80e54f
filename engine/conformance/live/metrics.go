package live

import "strconv"

// determined are the metrics of an informer that a script determines. How many deltas are a batch depends on when
// the process loop comes, and which object is written last is the order of a map, unless all are written at once.
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

// counted reports whether the metric of a store's resourceVersion is that version. If the version is no number, the
// metric has an earlier one: which, depends on what was a batch.
func counted(rv string) bool {
	_, err := strconv.ParseInt(rv[max(0, len(rv)-15):], 10, 64)
	return rv == "" || err == nil
}

package trace

// Forget lets go of the first records that are still held, n of them at most.
// It never lets go of the last record, because later ones are compared with it.
// A caller that reads a trace larger than memory calls Forget with the number
// of records that have been played, but none from Kept on. Events and Lists go
// on counting what is forgotten.
func (r *Resource) Forget(n int) {
	if n = min(n, len(r.Records)-1); n <= 0 {
		return
	}
	r.Records = r.Records[:copy(r.Records, r.Records[n:])]
	r.Forgotten += n
	r.forgetTexts()
}

// forgetTexts lets go of the texts that belong to no record any more, and numbers
// the others anew. The numbers grow from record to record.
func (r *Resource) forgetTexts() {
	kept, from := r.texts[:1], int32(0)
	for i := range r.Records {
		rec := &r.Records[i]
		if rec.Text == 0 {
			continue
		}
		if rec.Text != from {
			from = rec.Text
			kept = append(kept, r.texts[from])
		}
		rec.Text = int32(len(kept) - 1)
	}
	clear(r.texts[len(kept):])
	r.texts = kept
}

// Kept is the first record that must not be forgotten yet, because a list that was
// broken off may go on.
func (r *Resource) Kept() int {
	if r.keep == 0 {
		return r.Forgotten + len(r.Records)
	}
	return r.keep - 1
}

// lastList is the number of the record with which the last list begins.
func (r *Resource) lastList() int {
	i := len(r.Records) - 1
	for i > 0 && r.Records[i].Kind != ListBegin {
		i--
	}
	return r.Forgotten + i
}

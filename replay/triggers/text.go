package triggers

// Text says in English what a count is about, such as "its own writes of pods/status".
func (n *Count) Text() string {
	with := func(text, word string) string {
		if n.Of == "" {
			return text
		}
		return text + word + n.Of
	}
	switch n.Class {
	case Initial:
		return with("the first list", " of ")
	case Resync:
		return with("resyncs", " of ")
	case OwnWrite:
		return with("its own writes", " of ")
	case OtherWrite:
		return with("writes", " of ") + " by the controller " + n.By
	case LooseWrite:
		return with("writes", " of ") + " that the process made outside of reconciles"
	case Event:
		return with("changes", " of ") + " that no recorded write made"
	case Change:
		return with("changes", " of ") + " of an unknown writer"
	case Source:
		return with("the source", " ")
	case Reconcile:
		return with("Adds within reconciles", " of ")
	case Backoff:
		return with("back-off", " after ")
	case RequeueAfter:
		return "requeueAfter"
	}
	return string(n.Class)
}

package live

// What differs between versions of client-go follows from their names, so that scripts can be made up for versions
// that this program doesn't compile.

// oldest reports whether Run can be called again, and workqueues have no ShutDownWithDrain: up to v0.22.
func (v *Version) oldest() bool { return v.Name < "v0.23" }

// transforms reports whether queues and shared informers can have a transformer: from v0.24 on. An informer without
// handlers to share can from v0.23 on.
func (v *Version) transforms() bool { return v.Name >= "v0.24" }

// registrations reports whether handlers can be removed: from v0.26 on.
func (v *Version) registrations() bool { return v.Name >= "v0.26" }

// initialList reports whether handlers learn what is part of the initial list: from v0.27 on.
func (v *Version) initialList() bool { return v.Name >= "v0.27" }

// syncTransforms reports whether a resync transforms once more: up to v0.30.
func (v *Version) syncTransforms() bool { return v.Name < "v0.31" }

// streams reports whether informers can list by watching: from v0.28 on. A reflector alone can in v0.27, too.
func (v *Version) streams() bool { return v.Name >= "v0.28" }

// delta reports whether informers have a DeltaFIFO, and no feature gate but the one for streaming lists: up to v0.32.
func (v *Version) delta() bool { return v.Name < "v0.33" }

// streamsApart reports whether a streaming list that the server ends too early may not be stopped, so that stops
// aren't compared in scripts with such lists: up to v0.33. There all objects are transformed at its end, in the order
// of a map, so which of them come before one that fails is free.
func (v *Version) streamsApart() bool { return v.Name < "v0.34" }

// atomic reports whether a relist is one delta, and the store knows its resourceVersion: from v0.36 on.
func (v *Version) atomic() bool { return v.Name >= "v0.36" }

// since38 reports whether informers have SetShardSelector, and workqueues Pause: from v0.38 on.
func (v *Version) since38() bool { return v.Name >= "v0.38" }

// latched reports whether HasSynced looks at a channel, and never waits for the queue's lock: from v0.36 on.
func (v *Version) latched() bool { return v.Name >= "v0.36" }

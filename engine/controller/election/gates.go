package election

// Gates are what client-go's versions do differently. The comment of each names the version that
// opened it.
type Gates struct {
	KeepsLease    bool // the lock keeps its Lease when a Get fails, so it can still be released; v0.26
	LeaseTells    bool // a lease lasts as long as the Lease says; before, as long as the elector's LeaseDuration; v0.27
	RenewsFast    bool // a leader renews the Lease without reading it first; v0.30
	EndsRelease   bool // an elector waits for the answer to a release until the RenewDeadline at most; v0.31
	KeepsTicks    bool // a renewal is tried again RetryPeriod after its beginning; before, RetryPeriod after its first failure; v0.32
	ReleaseReads  bool // a release reads the Lease first, and writes to the version that it read; v0.34
	ReleasesAgain bool // a release that is a conflict is tried again; v0.37
	ReleaseLooks  bool // a release whose read finds that another process holds the Lease is given up; v0.38
}

package election

// Gates are what client-go's versions do differently. The comment of each names the version that
// opened it.
type Gates struct {
	KeepsLease    bool // a Get that fails leaves the lock the Lease that it had, so that it can be released; v0.26
	LeaseTells    bool // a lease lasts as long as it says, and not as long as the elector is configured to hold one; v0.27
	RenewsFast    bool // a leader renews without reading the Lease before; v0.30
	EndsRelease   bool // a release that isn't answered is given up at the RenewDeadline; v0.31
	KeepsTicks    bool // a renewal that fails is tried again RetryPeriod after it has begun, and not after it has failed; v0.32
	ReleaseReads  bool // a release reads the Lease before, so that it writes to one that somebody else has changed, too; v0.34
	ReleasesAgain bool // a release that is a conflict is tried again; v0.37
}

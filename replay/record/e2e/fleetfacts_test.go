package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestFleetFacts looks the numbers of engine/fleet up where its comments say that they are.
func TestFleetFacts(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/apiserver").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "pkg")
	for file, facts := range map[string][]string{
		"storage/cacher/watch_cache_history.go":             {`defaultLowerBoundCapacity = 100\n`, `defaultUpperBoundCapacity = 100 \* 1024\n`},
		"storage/cacher/cacher.go":                          {`DefaultEventFreshDuration = defaultBookmarkFrequency \+ 15\*time.Second`, `defaultBookmarkFrequency = time.Minute`},
		"storage/cacher/util.go":                            {`factor := 0\.06\n`, `math\.Min\(30, math\.Max\(1, result\)\)`},
		"storage/storagebackend/config.go":                  {`DefaultCompactInterval += 5 \* time\.Minute`},
		"server/config.go":                                  {`MaxRequestsInFlight: +400,`, `MaxMutatingRequestsInFlight: +200,`, `RequestTimeout: +time\.Duration\(60\) \* time\.Second`, `c\.RequestTimeout/4\)`},
		"util/flowcontrol/apf_controller.go":                {`priorityLevelMaxSeatsPercent = float64\(0\.15\)`},
		"util/flowcontrol/request/config.go":                {`objectsPerSeat += 100\.0`, `maximumListSeatsLimit uint64 = 10\n`, `maximumListSeatsLimit = 100\n`},
		"util/flowcontrol/request/list_work_estimator.go":   {`bytesPerSeat += 100_000`, `cacheWithStreamingMaxMemoryUsage = 1_000_000`, `delegator\.CacheWithoutSnapshots`},
		"util/flowcontrol/dropped_requests_tracker.go":      {`maxRetryAfter = int64\(32\)`, `droppedRequests >= 3\*retryAfter`},
		"util/flowcontrol/fairqueuing/queueset/queueset.go": {`qs\.totSeatsInUse >= qs\.dCfg\.ConcurrencyLimit &&\s+curQueueLength >= qs\.qCfg\.QueueLengthLimit`},
		"apis/flowcontrol/bootstrap/default.go":             {`"workload-low",(?s:.{1,300})NominalConcurrencyShares: ptr\.To\(int32\(100\)\)(?s:.{1,300})Queues: +128,\s+HandSize: +6,\s+QueueLengthLimit: 50`, `"service-accounts", "workload-low"`},
		"features/kube_features.go":                         {`ListFromCacheSnapshot: \{(?s:.{1,120})"1\.34"\), Default: true`, `SizeBasedListCostEstimate: \{\s+\{Version: version\.MustParse\("1\.34"\), Default: true`, `\bWatchList: \{(?s:.{1,130})"1\.32"\), Default: true(?s:.{1,300})"1\.33"\), Default: false(?s:.{1,120})"1\.34"\), Default: true`},
	} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, fact := range facts {
			if !regexp.MustCompile(fact).Match(text) {
				t.Errorf("%s has no %s", file, fact)
			}
		}
	}
	// The shares of all priority levels. Those of workload-low are 100.
	text, err := os.ReadFile(filepath.Join(dir, "apis/flowcontrol/bootstrap/default.go"))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, m := range regexp.MustCompile(`NominalConcurrencyShares: ptr\.To\(int32\((\d+)\)\)`).FindAllSubmatch(text, -1) {
		n, err := strconv.Atoi(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if sum != 245 {
		t.Errorf("all priority levels have %d shares, and not 245", sum)
	}
}

package main

import (
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// plan states the number of calls, samples and lanes.
type plan struct {
	warmup     int
	iterations int
	samples    int
	budget     time.Duration
	lanes      int
}

// outcome is the result of a run.
type outcome struct {
	samples  []time.Duration
	cpu      time.Duration
	switches int64
}

// lane processes its share of the input sets.
type lane struct {
	calls []func() error
	next  int
	made  int
}

func (l *lane) call(count int) error {
	for range count {
		if err := l.calls[l.next](); err != nil {
			return err
		}
		l.made++
		if l.next++; l.next == len(l.calls) {
			l.next = 0
		}
	}
	return nil
}

// measure runs the calls, one per input set, in turn as planned, with a monotonic clock around them
// only. It reports which sets were called. Garbage from before is collected first; collection of
// the garbage of the calls is included in their time.
func measure(calls []func() error, p plan) (outcome, []bool, error) {
	lanes := make([]lane, p.lanes)
	for i, call := range calls {
		lanes[i%p.lanes].calls = append(lanes[i%p.lanes].calls, call)
	}
	runtime.GC()
	if _, err := together(lanes, p.warmup); err != nil {
		return outcome{}, nil, err
	}
	var result outcome
	cpu, switches := usage()
	for spent := time.Duration(0); len(result.samples) == 0 ||
		(len(result.samples) < p.samples && spent < p.budget); {
		sample, err := together(lanes, p.iterations)
		if err != nil {
			return outcome{}, nil, err
		}
		result.samples = append(result.samples, sample)
		spent += sample
	}
	cpuAfter, switchesAfter := usage()
	result.cpu, result.switches = cpuAfter-cpu, switchesAfter-switches
	called := make([]bool, len(calls))
	for i := range calls {
		called[i] = i/p.lanes < lanes[i%p.lanes].made
	}
	return result, called, nil
}

// together lets every lane run count calls, and returns the time from the start of the first to the
// end of the last.
func together(lanes []lane, count int) (time.Duration, error) {
	if len(lanes) == 1 {
		start := time.Now()
		err := guarded(&lanes[0], count)
		return time.Since(start), err
	}
	starts, ends := make([]time.Time, len(lanes)), make([]time.Time, len(lanes))
	failures := make([]error, len(lanes))
	var ready, done sync.WaitGroup
	gate := make(chan struct{})
	for i := range lanes {
		ready.Add(1)
		done.Add(1)
		go func() {
			defer done.Done()
			ready.Done()
			<-gate
			starts[i] = time.Now()
			failures[i] = guarded(&lanes[i], count)
			ends[i] = time.Now()
		}()
	}
	ready.Wait()
	close(gate)
	done.Wait()
	first, last := starts[0], ends[0]
	for i := range lanes {
		if failures[i] != nil {
			return 0, failures[i]
		}
		if starts[i].Before(first) {
			first = starts[i]
		}
		if ends[i].After(last) {
			last = ends[i]
		}
	}
	return last.Sub(first), nil
}

// guarded runs calls and converts errors and panics of the library to a refusal.
func guarded(l *lane, count int) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = &refusal{Code: "internal", Message: fmt.Sprint("the library panics: ", fault)}
		}
	}()
	if err := l.call(count); err != nil {
		return unsupported("the library refuses: %v", err)
	}
	return nil
}

// usage returns the processor time and the involuntary context switches of the process so far.
func usage() (time.Duration, int64) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0, 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), used.Nivcsw
}

package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
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
	calls   []func() error
	next    int
	made    int
	samples []time.Duration
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
//
// Lanes do not wait for each other between samples, until one of them has all of its own.
func measure(calls []func() error, p plan) (outcome, []bool, error) {
	lanes := make([]lane, p.lanes)
	for i, call := range calls {
		lanes[i%p.lanes].calls = append(lanes[i%p.lanes].calls, call)
	}
	runtime.GC()
	if err := together(lanes, func(l *lane) error { return guarded(l, p.warmup) }); err != nil {
		return outcome{}, nil, err
	}
	var done atomic.Bool
	cpu, switches := usage()
	err := together(lanes, func(l *lane) error {
		defer done.Store(true)
		return l.sample(p, &done)
	})
	if err != nil {
		return outcome{}, nil, err
	}
	cpuAfter, switchesAfter := usage()
	samples, kept := joined(lanes)
	result := outcome{
		samples:  samples,
		cpu:      time.Duration(kept * float64(cpuAfter-cpu)),
		switches: switchesAfter - switches,
	}
	called := make([]bool, len(calls))
	for i := range calls {
		called[i] = i/p.lanes < lanes[i%p.lanes].made
	}
	return result, called, nil
}

// sample takes samples until the lane has all that are planned or done is set; at least one.
func (l *lane) sample(p plan, done *atomic.Bool) error {
	for began := time.Now(); ; {
		start := time.Now()
		if err := guarded(l, p.iterations); err != nil {
			return err
		}
		l.samples = append(l.samples, time.Since(start))
		if len(l.samples) >= p.samples || time.Since(began) >= p.budget || done.Load() {
			return nil
		}
	}
}

// joined returns, for each sample that all lanes have, the harmonic mean of their times, and the
// share of the time of all samples that these take.
func joined(lanes []lane) ([]time.Duration, float64) {
	count := len(lanes[0].samples)
	for _, l := range lanes {
		count = min(count, len(l.samples))
	}
	var kept, taken time.Duration
	rates := make([]float64, count)
	for _, l := range lanes {
		for i, sample := range l.samples {
			taken += sample
			if i < count {
				kept += sample
				rates[i] += 1 / float64(max(1, sample))
			}
		}
	}
	samples := make([]time.Duration, count)
	for i, rate := range rates {
		samples[i] = time.Duration(float64(len(lanes)) / rate)
	}
	return samples, float64(kept) / float64(max(1, taken))
}

// together lets every lane work, side by side from one moment on, and returns the first failure.
func together(lanes []lane, work func(*lane) error) error {
	if len(lanes) == 1 {
		return work(&lanes[0])
	}
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
			failures[i] = work(&lanes[i])
		}()
	}
	ready.Wait()
	close(gate)
	done.Wait()
	for _, failure := range failures {
		if failure != nil {
			return failure
		}
	}
	return nil
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

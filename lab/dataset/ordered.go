package dataset

import (
	"context"
	"errors"
	"iter"

	"golang.org/x/sync/errgroup"
)

// worker records programs, one after the other, and returns their trajectories.
type worker interface {
	make(ctx context.Context, number int) (*made, error)
	close() error
}

// ahead limits how many later programs may be running or finished while a slow program runs, per worker.
const ahead = 32

// slot is a program's place in the order of the results.
type slot struct {
	number int
	made   chan *made // receives the result, once
}

// ordered processes the programs with the given numbers by several workers, which begin starts. It calls
// commit with the results in the order of the numbers. The first error ends all work.
func ordered(ctx context.Context, numbers iter.Seq[int], parallel int, begin func(context.Context) (worker, error), commit func(*made) error) error {
	group, ctx := errgroup.WithContext(ctx)
	order, jobs := make(chan slot, ahead*parallel), make(chan slot)
	group.Go(func() error {
		defer close(order)
		defer close(jobs)
		for number := range numbers {
			s := slot{number, make(chan *made, 1)}
			for _, to := range []chan slot{order, jobs} {
				select {
				case to <- s:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		return nil
	})
	for range parallel {
		group.Go(func() (err error) {
			var w worker
			defer func() {
				if w != nil {
					err = errors.Join(err, w.close())
				}
			}()
			for s := range jobs {
				if w == nil { // start a worker only if there is work
					if w, err = begin(ctx); err != nil {
						w = nil
						return err
					}
				}
				m, err := w.make(ctx, s.number)
				if err != nil {
					return err
				}
				s.made <- m
			}
			return nil
		})
	}
	group.Go(func() error {
		for s := range order {
			select {
			case m := <-s.made:
				if err := commit(m); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return group.Wait()
}

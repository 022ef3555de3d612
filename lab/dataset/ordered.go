package dataset

import (
	"context"
	"errors"
	"iter"

	"golang.org/x/sync/errgroup"
)

// worker makes the trajectories of programs, one after the other.
type worker interface {
	make(ctx context.Context, number int) (*made, error)
	close() error
}

// ahead is the number of programs for each worker that may be finished or running after
// one that takes long.
const ahead = 32

// slot is the position of a program in the order.
type slot struct {
	number int
	made   chan *made // receives one value
}

// ordered lets a number of workers process numbers, and passes on their results in the
// order of the numbers. The first error ends it.
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
				if w == nil { // start a worker only when there is work
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

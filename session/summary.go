package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/npdb/npdb/internal/plainfile"
	"github.com/npdb/npdb/session/score"
)

// mostScores is how many bytes of scores are kept. What is over makes the older
// half go.
const mostScores = 4 << 20

// SessionScore is how well a model did in one session, as it is kept in the state
// folder. What the session took over from a journal is not counted again.
type SessionScore struct {
	Version int         `json:"v"`
	When    time.Time   `json:"when"` // the session's end
	Program string      `json:"program"`
	Model   string      `json:"model"`
	Against string      `json:"against,omitempty"` // the model in CPython's place
	Score   score.Score `json:"score"`
	First   string      `json:"first,omitempty"` // the first divergence in words
}

func scoresPath(stateDir string) string { return filepath.Join(stateDir, "scores.jsonl") }

// keepScore adds the session's score to those that are kept.
func (s *Session) keepScore() error {
	l := &s.ledger
	if s.store.dir == "" || l.fresh.Moves() == 0 {
		return nil
	}
	kept := SessionScore{
		Version: 1, When: time.Now().UTC().Truncate(time.Second), Program: s.store.program,
		Model: s.modelName(), First: l.first,
	}
	kept.Score.Merge(&l.fresh)
	if other := s.cfg.Against; other != nil {
		kept.Against = other.called(otherModel)
	}
	raw, err := json.Marshal(kept)
	if err == nil {
		err = appendBounded(scoresPath(s.store.dir), append(raw, '\n'), mostScores)
	}
	if err != nil {
		return fmt.Errorf("the score cannot be kept: %w", err)
	}
	l.fresh, l.first = score.Score{}, ""
	return nil
}

// appendBounded adds a line to a file that only its owner can read. When the file
// has more than so many bytes, its older half goes; a line that another npdb adds
// in that moment can go with it.
func appendBounded(path string, line []byte, most int64) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	info, e := file.Stat()
	if err = errors.Join(err, e, file.Close()); err != nil || info.Size() <= most {
		return err
	}
	raw, err := plainfile.Read(path, info.Size()+most)
	if err != nil {
		return err
	}
	half := raw[len(raw)-int(min(most/2, int64(len(raw)))):]
	if i := bytes.IndexByte(half, '\n'); i >= 0 && i+1 < len(half) {
		half = half[i+1:]
	} else {
		half = line // longer than the half by itself
	}
	// CreateTemp makes the file with mode 0600.
	tmp, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(half)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(tmp.Name()))
	}
	return err
}

// SessionScores reads the scores that are kept in a state folder, the oldest first.
// damaged is how many lines are none. No folder and no file are no scores.
func SessionScores(stateDir string) (kept []SessionScore, damaged int, err error) {
	if stateDir == "" {
		return nil, 0, nil
	}
	raw, err := plainfile.Read(scoresPath(stateDir), 2*mostScores)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("the kept scores cannot be read: %w", err)
	}
	kept, damaged = decodeScores(raw)
	return kept, damaged, nil
}

func decodeScores(raw []byte) (kept []SessionScore, damaged int) {
	for line := range bytes.Lines(raw) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var k SessionScore
		if json.Unmarshal(line, &k) != nil || k.Version != 1 || k.Score.Moves() == 0 {
			damaged++
			continue
		}
		kept = append(kept, k)
	}
	return kept, damaged
}

func (s *Session) modelName() string { return s.cfg.Neural.called("the model") }

// Summary is what the comparisons of the whole session came to, in a few lines of
// plain text; nil where nothing was compared.
func (s *Session) Summary() []string {
	sum := &s.ledger.score
	if sum.Moves() == 0 {
		return nil
	}
	lines := []string{s.modelName() + ": " + sum.Summary()}
	var both score.Calibration
	for _, inverse := range []bool{false, true} {
		c := sum.Calibration(inverse)
		both.Merge(&c)
	}
	if n := both.N(); n > 0 {
		stated, same := 0.0, 0
		for _, b := range both.Bins {
			stated += b.Confidence
			same += b.Same
		}
		right := score.Tally{N: n, Same: same} // in the words of the line above
		lines = append(lines, fmt.Sprintf("It was %.0f%% sure and %s right, over %s with a stated confidence.",
			100*stated/float64(n), right.Percent(), plural(n, "move", "moves")))
	}
	for i := range s.ledger.entries {
		if p := s.ledger.entries[i].pair; p != nil && p.Verdicts.Count() > 0 {
			return append(lines, "First parted "+p.divergence()+".")
		}
	}
	return append(lines, "They have not parted.")
}

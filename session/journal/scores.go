package journal

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

// mostScores is the maximum size of the file of scores in bytes. When it is exceeded, the older
// half is removed.
const mostScores = 4 << 20

// Score is the accuracy and cost of a model in one session, as stored. If no prediction was
// compared with the truth, Score has no moves. Moves that were replayed from a journal are not
// counted again.
type Score struct {
	Version int         `json:"v"`
	When    time.Time   `json:"when"` // end of the session
	Program string      `json:"program"`
	Model   string      `json:"model"`
	Against string      `json:"against,omitempty"` // a second model that stood in for CPython
	Score   score.Score `json:"score"`
	First   string      `json:"first,omitempty"` // description of the first divergence
	// Spent is the cost of the model's answers. It is nil if there were none, or if an older
	// version of npdb wrote the score.
	Spent *score.Spent `json:"spent,omitempty"`
	// SpentAgainst is the cost of the second model, which stood in for CPython.
	SpentAgainst *score.Spent `json:"spent_against,omitempty"`
}

func scoresPath(stateDir string) string { return filepath.Join(stateDir, "scores.jsonl") }

// KeepScore appends a score to the file of scores in the state folder.
func KeepScore(stateDir string, s Score) error {
	s.Version = 1
	raw, err := json.Marshal(s)
	if err == nil {
		err = appendBounded(scoresPath(stateDir), append(raw, '\n'), mostScores)
	}
	if err != nil {
		return fmt.Errorf("the score cannot be kept: %w", err)
	}
	return nil
}

// appendBounded appends a line to a file that only its owner can read. If the file exceeds most
// bytes, the older half is removed; a line that another npdb appends at that moment may be lost.
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
		half = line // the line alone is longer than half of the limit
	}
	return plainfile.Replace(path, half, 0o600)
}

// Scores returns the stored scores, oldest first, and the number of invalid lines. If the folder or
// the file is missing, there are none.
func Scores(stateDir string) (kept []Score, damaged int, err error) {
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

// answered reports whether s counts any answers.
func answered(s *score.Spent) bool { return s != nil && s.Answers > 0 }

func decodeScores(raw []byte) (kept []Score, damaged int) {
	for line := range bytes.Lines(raw) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var k Score
		if json.Unmarshal(line, &k) != nil || k.Version != 1 || k.Score.Moves() == 0 && !answered(k.Spent) && !answered(k.SpentAgainst) {
			damaged++
			continue
		}
		kept = append(kept, k)
	}
	return kept, damaged
}

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

// mostScores is how many bytes of scores are kept. What is over makes the older
// half go.
const mostScores = 4 << 20

// Score is how well a model did in one session, and what it took, as it is kept in the
// state folder. Where nothing was beside the model the score has no moves. What the session took over from a journal is not counted again.
type Score struct {
	Version int         `json:"v"`
	When    time.Time   `json:"when"` // the session's end
	Program string      `json:"program"`
	Model   string      `json:"model"`
	Against string      `json:"against,omitempty"` // the model in CPython's place
	Score   score.Score `json:"score"`
	First   string      `json:"first,omitempty"` // the first divergence in words
	// Spent is what the model's answers took, nil where none was asked for or the session
	// is one of an older npdb.
	Spent *score.Spent `json:"spent,omitempty"`
	// SpentAgainst is the same of the model in CPython's place.
	SpentAgainst *score.Spent `json:"spent_against,omitempty"`
}

func scoresPath(stateDir string) string { return filepath.Join(stateDir, "scores.jsonl") }

// KeepScore adds a score to those that are kept in a state folder.
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
	return plainfile.Replace(path, half, 0o600)
}

// Scores reads the scores that are kept in a state folder, the oldest first.
// damaged is how many lines are none. No folder and no file are no scores.
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

// answered reports whether there were answers that took something.
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

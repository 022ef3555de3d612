//go:build race

package traceback

const raceDetector = true

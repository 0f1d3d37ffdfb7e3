package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// batch solves many small scenarios in one process: --scenario names a file with one List per line, and one result is
// printed per line, in the same order. The instance types are read once; loading them is most of a small solve.
func batch(s settings) error {
	raw, err := readInput(s.scenario)
	if err != nil {
		return err
	}
	out := io.Writer(os.Stdout)
	if s.output != "" {
		f, err := os.Create(s.output)
		if err != nil {
			return err
		}
		defer f.Close()
		out = f
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	lines := bufio.NewReader(bytes.NewReader(raw))
	for number := 1; ; number++ {
		line, readErr := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			result, err := solveLine(line, s)
			if err != nil {
				return fmt.Errorf("line %d, %w", number, err)
			}
			if err := encoder.Encode(result); err != nil {
				return err
			}
		}
		if readErr != nil {
			return nil
		}
	}
}

func solveLine(line []byte, s settings) (any, error) {
	w, err := newWorldOf(s, line)
	if err != nil {
		return nil, err
	}
	return solve(w, s)
}

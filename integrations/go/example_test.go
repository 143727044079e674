// SPDX-License-Identifier: MIT

// Benchmarks that read a table of 65,536 lines of 64 bytes. Filling the table is not counted.
package example

import (
	"testing"

	"example/hardmeter"
)

const line, lines = 8, 65536

var result int

func filled() []int {
	table := make([]int, lines*line)
	for i := range table {
		table[i] = 1
	}
	return table
}

func sum(table []int, step int) int {
	total := 0
	for i := 0; i < len(table); i += step {
		total += table[i]
	}
	return total
}

func BenchmarkEveryLine(b *testing.B) {
	table := filled()
	defer hardmeter.Begin(b).End()
	for i := 0; i < b.N; i++ {
		result = sum(table, line)
	}
}

func BenchmarkSteps(b *testing.B) {
	table := filled()
	b.Run("every second line", func(b *testing.B) {
		defer hardmeter.Begin(b).End()
		for i := 0; i < b.N; i++ {
			result = sum(table, 2*line)
		}
	})
}

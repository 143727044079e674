// SPDX-License-Identifier: MIT

// pointer_slice [mended]: adds up a field of records behind a slice of pointers, in no order. Mended: a slice of values.
package main

import (
	"fmt"
	"math/rand"
	"os"
)

type record struct {
	price, quantity uint32
	name            [40]byte
}

//go:noinline
func totalOfPointers(records []*record) uint64 {
	var total uint64
	for _, each := range records {
		total += uint64(each.price)
	}
	return total
}

//go:noinline
func totalOfValues(records []record) uint64 {
	var total uint64
	for i := range records {
		total += uint64(records[i].price)
	}
	return total
}

func main() {
	const count = 100000
	mended := len(os.Args) == 2 && os.Args[1] == "mended"
	pointers := make([]*record, 0, count)
	values := make([]record, 0, count)
	for i := uint32(0); i < count; i++ {
		if mended {
			values = append(values, record{price: i * 7})
		} else {
			pointers = append(pointers, &record{price: i * 7})
		}
	}
	shuffle := rand.New(rand.NewSource(1))
	shuffle.Shuffle(len(pointers), func(i, j int) { pointers[i], pointers[j] = pointers[j], pointers[i] })
	var total uint64
	for round := 0; round < 40; round++ {
		total += totalOfPointers(pointers) + totalOfValues(values)
	}
	fmt.Println(total)
}

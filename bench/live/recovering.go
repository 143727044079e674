// SPDX-License-Identifier: MIT
// Answers GET /N with the sum of i * i for i below N, through nil pointers from which it recovers: recovering PORT.
package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
)

type box struct{ value int }

//go:noinline
func read(from *box) int { return from.value }

func try(from *box) (value int) {
	defer func() {
		if recover() == nil {
			value++
		}
	}()
	return read(from)
}

func main() {
	http.HandleFunc("/", func(answer http.ResponseWriter, request *http.Request) {
		count, _ := strconv.Atoi(request.URL.Path[1:])
		sum := 0
		for i := 0; i < count; i++ {
			sum += i * i
			if i%100 == 0 {
				sum += try(nil)
			}
		}
		fmt.Fprint(answer, sum)
	})
	fmt.Println(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}

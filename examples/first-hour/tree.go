// SPDX-License-Identifier: MIT

// Builds a binary tree of random numbers and looks all of them up.
package main

import "fmt"

type node struct {
	key         uint32
	left, right *node
}

func insert(root **node, key uint32) {
	for *root != nil {
		if key < (*root).key {
			root = &(*root).left
		} else {
			root = &(*root).right
		}
	}
	*root = &node{key: key}
}

func depth(root *node, key uint32) int {
	steps := 0
	for at := root; at.key != key; steps++ {
		if key < at.key {
			at = at.left
		} else {
			at = at.right
		}
	}
	return steps
}

func main() {
	var root *node
	random, sum := uint32(1), 0
	for i := 0; i < 50000; i++ {
		random = random*1664525 + 1013904223
		insert(&root, random)
		sum += depth(root, random)
	}
	fmt.Println(sum)
}

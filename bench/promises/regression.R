# SPDX-License-Identifier: MIT
# regression.R product|crossprod: a matrix of 2,000 rows, transposed, times vectors.
x <- matrix((1:2000000 * 7919) %% 1009, 2000)
y <- matrix(as.double(1:2000), ncol = 1)
sum_of_all <- 0
for (i in 1:3) {
  y <- y + i
  product <- if (commandArgs(TRUE) == "product") t(x) %*% y else crossprod(x, y)
  sum_of_all <- sum_of_all + sum(product)
}
cat(sum_of_all, "\n")

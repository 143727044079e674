# SPDX-License-Identifier: MIT
# distances.R ROWS: the distances between 512 sensors with 64 readings each; further rows, whose distances are
# dropped, only set how far apart columns lie.
rows <- as.integer(commandArgs(TRUE))
readings <- matrix((1:(512 * 64) * 7919) %% 1009, 512)
readings <- rbind(readings, matrix(0, rows - 512, 64))
cat(sum(as.matrix(dist(readings))[1:512, 1:512]), "\n")

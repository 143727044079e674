#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decodes a trace of Perfetto by the field numbers of its published messages, checks that each entry that a sample refers to
is in its sequence's tables, and prints the number of events of each event. exports_perfetto.py FILE"""
import collections
import sys

PACKET = 1
SEQUENCE, INTERNED, FLAGS, DEFAULTS, PERF_SAMPLE, TIMESTAMP = 10, 12, 13, 59, 66, 8
NAMES, FRAMES, CALLSTACKS, MAPPINGS = 5, 6, 7, 19
CLEARED, NEEDED = 1, 2


def fields_of(data):
    """Returns the values of each field of a message: numbers, or bytes."""
    fields = collections.defaultdict(list)
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        tag = number()
        value = number()
        if tag & 7 == 0:
            fields[tag >> 3].append(value)
            continue
        assert tag & 7 == 2, f"wire type {tag & 7}"
        assert at + value <= len(data), "a field is cut off"
        fields[tag >> 3].append(data[at : at + value])
        at += value
    return fields


class Sequence:
    def __init__(self, defaults):
        timebase = fields_of(fields_of(fields_of(defaults)[12][0])[1][0])
        self.event = timebase[10][0].decode()
        self.tables = collections.defaultdict(dict)
        self.count = 0

    def intern(self, data):
        for table, entries in fields_of(data).items():
            for entry in map(fields_of, entries):
                (number,) = entry[1]
                assert number > 0 and number not in self.tables[table], "an entry is written once"
                self.tables[table][number] = entry

    def add(self, sample):
        (stack,), (count,) = sample[4], sample[6]
        assert count > self.count, "the count of events grows"
        self.count = count
        for frame in map(self.tables[FRAMES].__getitem__, self.tables[CALLSTACKS][stack][2]):
            assert self.tables[NAMES][frame[2][0]][2][0], "a frame has a name"
            if frame[3]:
                assert frame[3][0] in self.tables[MAPPINGS] and frame[4], "a frame with a mapping has an address"


def main():
    with open(sys.argv[1], "rb") as opened:
        packets = map(fields_of, fields_of(opened.read())[PACKET])
    sequences = {}
    for packet in packets:
        (number,) = packet[SEQUENCE]
        if packet[DEFAULTS]:
            assert packet[FLAGS] == [CLEARED]
            sequences[number] = Sequence(packet[DEFAULTS][0])
        for data in packet[INTERNED]:
            sequences[number].intern(data)
        for sample in packet[PERF_SAMPLE]:
            assert packet[FLAGS] == [NEEDED] and packet[TIMESTAMP]
            sequences[number].add(fields_of(sample))
    for event, count in sorted((each.event, each.count) for each in sequences.values()):
        print(event, count)


if __name__ == "__main__":
    main()

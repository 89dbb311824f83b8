#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_picture.py OUT.dng: a raw photograph of coloured discs, 512 by 384, as the smallest DNG that raw converters take.
make_picture.py --ppm OUT.ppm: the same discs in colours."""
import math
import struct
import sys

WIDTH, HEIGHT = 512, 384
SHORT, LONG, RATIONAL, SRATIONAL, BYTE, ASCII = 3, 4, 5, 10, 1, 2


def light_at(x, y, channel):
    """From 0 to 1, with a little noise that is the same every time."""
    colours = [(0.8, 0.2, 0.1), (0.1, 0.7, 0.2), (0.2, 0.3, 0.9), (0.9, 0.9, 0.9)]
    light = 0.05 + 0.3 * x / WIDTH
    for i, colour in enumerate(colours):
        if math.hypot(x - 80 - 115 * i, y - 130 - 40 * (i % 3)) < 50:
            light = colour[channel]
    noise = ((x * 7919 + y * 104729) % 211 - 105) / 105 * 0.01
    return max(0, min(1, light + noise))


def sensor(x, y):
    """What the RGGB pixel at x, y sees."""
    return int(512 + 15000 * light_at(x, y, [[0, 1], [1, 2]][y % 2][x % 2]))


def write_ppm(path):
    with open(path, "wb") as out:
        out.write(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT))
        out.write(bytes(int(255 * light_at(x, y, c)) for y in range(HEIGHT) for x in range(WIDTH) for c in range(3)))


def write_dng(path):
    pixels = b"".join(struct.pack("<H", sensor(x, y)) for y in range(HEIGHT) for x in range(WIDTH))
    ratios = lambda numbers: b"".join(struct.pack("<ii", round(n * 10000), 10000) for n in numbers)
    tags = [
        (254, LONG, struct.pack("<I", 0)),
        (256, LONG, struct.pack("<I", WIDTH)),
        (257, LONG, struct.pack("<I", HEIGHT)),
        (258, SHORT, struct.pack("<H", 16)),
        (259, SHORT, struct.pack("<H", 1)),  # not compressed
        (262, SHORT, struct.pack("<H", 32803)),  # a colour filter array
        (271, ASCII, b"Maker\0"),
        (272, ASCII, b"Model\0"),
        (273, LONG, None),  # where the pixels begin
        (274, SHORT, struct.pack("<H", 1)),
        (277, SHORT, struct.pack("<H", 1)),
        (278, LONG, struct.pack("<I", HEIGHT)),
        (279, LONG, struct.pack("<I", len(pixels))),
        (33421, SHORT, struct.pack("<HH", 2, 2)),
        (33422, BYTE, bytes([0, 1, 1, 2])),
        (50706, BYTE, bytes([1, 4, 0, 0])),
        (50707, BYTE, bytes([1, 1, 0, 0])),
        (50708, ASCII, b"Maker Model\0"),
        (50714, SHORT, struct.pack("<H", 512)),  # black
        (50717, SHORT, struct.pack("<H", 15800)),  # white
        (50721, SRATIONAL, ratios([0.9, -0.3, -0.1, -0.4, 1.2, 0.2, -0.05, 0.2, 0.6])),  # XYZ to the camera's colours
        (50728, RATIONAL, ratios([0.5, 1.0, 0.6])),
        (50778, SHORT, struct.pack("<H", 21)),  # of daylight
    ]
    sizes = {BYTE: 1, ASCII: 1, SHORT: 2, LONG: 4, RATIONAL: 8, SRATIONAL: 8}
    after = 8 + 2 + 12 * len(tags) + 4
    more, start = b"", after + sum(len(data) for _, _, data in tags if data and len(data) > 4)
    entries = b""
    for tag, kind, data in tags:
        data = struct.pack("<I", start) if data is None else data
        entries += struct.pack("<HHI", tag, kind, len(data) // sizes[kind])
        if len(data) > 4:
            entries += struct.pack("<I", after + len(more))
            more += data
        else:
            entries += data.ljust(4, b"\0")
    with open(path, "wb") as out:
        out.write(struct.pack("<2sHIH", b"II", 42, 8, len(tags)) + entries + struct.pack("<I", 0) + more + pixels)


if sys.argv[1] == "--ppm":
    write_ppm(sys.argv[2])
else:
    write_dng(sys.argv[1])

"""A picture of the browser as a small PNG: few colours, one byte for each point, written with what Python brings along."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path

from playwright.sync_api import Page

COLOURS = 64

# Runs on an empty page of the same browser, which can read a PNG: the colours met most, and for every point the nearest of them.
_REDUCE = """
async ([picture, most]) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  const points = new Uint32Array(canvas.getImageData(0, 0, width, height).data.buffer);
  const met = new Map();
  for (const point of points) met.set(point, (met.get(point) ?? 0) + 1);
  const apart = (a, b) => {
    let sum = 0;
    for (const shift of [0, 8, 16]) sum += (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2;
    return sum;
  };
  const palette = [];
  for (const [colour] of [...met].sort((a, b) => b[1] - a[1])) {
    if (palette.length === most) break;
    // A shade that the eye cannot tell from one that is there already would waste a place.
    if (palette.every((other) => apart(colour, other) > 150)) palette.push(colour);
  }
  const place = new Map();
  for (const colour of met.keys()) {
    let best = 0;
    for (let at = 1; at < palette.length; at += 1) if (apart(colour, palette[at]) < apart(colour, palette[best])) best = at;
    place.set(colour, best);
  }
  const rows = new Uint8Array(points.length);
  points.forEach((point, at) => (rows[at] = place.get(point)));
  let text = "";
  for (let at = 0; at < rows.length; at += 32768) text += String.fromCharCode(...rows.subarray(at, at + 32768));
  return { width, height, palette, rows: btoa(text) };
}
"""


def small(canvas: Page, picture: bytes) -> bytes:
    """The PNG again, with at most COLOURS colours."""
    found = canvas.evaluate(_REDUCE, [base64.b64encode(picture).decode(), COLOURS])
    width, height = found["width"], found["height"]
    points = base64.b64decode(found["rows"])
    colours = b"".join(struct.pack("<I", colour)[:3] for colour in found["palette"])
    lines = b"".join(b"\0" + points[at : at + width] for at in range(0, len(points), width))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", colours), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in parts)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def write(file: Path, picture: bytes) -> int:
    """The number of bytes. Complete or not at all."""
    draft = file.with_suffix(".draft")
    draft.write_bytes(picture)
    draft.replace(file)
    return len(picture)

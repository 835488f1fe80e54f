// Reads the numbers that the Go side writes with binary.AppendUvarint.

export class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  more() {
    return this.at < this.bytes.length;
  }

  number() {
    let v = 0, shift = 1, b;
    do {
      b = this.bytes[this.at++];
      v += (b & 127) * shift;
      shift *= 128;
    } while (b > 127);
    return v;
  }

  /** Bytes that their length precedes. They are good until the buffer is used again. */
  take() {
    const n = this.number();
    this.at += n;
    return this.bytes.subarray(this.at - n, this.at);
  }
}

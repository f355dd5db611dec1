/** Percent-encoding as it is found in names that people paste (G146). */

const encodedRun = /(?:%[0-9a-f]{2})+/gi
const control = /\p{Cc}/u

/** What is longer names nothing, and undoing an encoding of encodings takes a pass each. */
const longest = 4_000

function decodeRun(run: string): string {
  try {
    const plain = decodeURIComponent(run)
    // A line break or a NUL is no part of a name: left as it is written, so that it is refused instead of stored.
    return control.test(plain) ? run : plain
  } catch {
    return run
  }
}

/** A text with all percent-encoded UTF-8 decoded, again and again until nothing is left to decode; what is no UTF-8 stays as it is. */
export function decodeFully(text: string): string {
  if (text.length > longest) return text
  for (let plain = text; ; ) {
    const once = plain.replace(encodedRun, decodeRun)
    if (once === plain) return plain
    plain = once
  }
}

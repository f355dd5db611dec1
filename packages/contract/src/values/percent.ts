/** Percent-encoding in pasted names (G146). */

const encodedRun = /(?:%[0-9a-f]{2})+/gi
const control = /\p{Cc}/u

/** Limits the work: each level of nested encoding takes one pass. */
const longest = 4_000

function decodeRun(run: string): string {
  try {
    const plain = decodeURIComponent(run)
    // Decoded line breaks or NULs stay encoded, so that the name is refused instead of stored.
    return control.test(plain) ? run : plain
  } catch {
    return run
  }
}

/** Decodes percent-encoded UTF-8 until nothing is left to decode; runs that are not UTF-8 stay as they are. */
export function decodeFully(text: string): string {
  if (text.length > longest) return text
  for (let plain = text; ; ) {
    const once = plain.replace(encodedRun, decodeRun)
    if (once === plain) return plain
    plain = once
  }
}

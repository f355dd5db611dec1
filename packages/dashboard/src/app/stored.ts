/** What this browser remembers. Storage may be forbidden: everything then lasts for this page alone. */

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`les.${name}`)
  } catch {
    return null
  }
}

/** Keeps a text under a name; null forgets it. */
export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`les.${name}`)
    else localStorage.setItem(`les.${name}`, value)
  } catch {
    // As above.
  }
}

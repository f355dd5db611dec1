/** What this browser remembers. Storage may be forbidden, and nothing is then kept. */

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`les.${name}`)
  } catch {
    return null
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`les.${name}`)
    else localStorage.setItem(`les.${name}`, value)
  } catch {
    // Storage is forbidden.
  }
}

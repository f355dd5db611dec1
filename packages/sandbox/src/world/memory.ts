import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { ActorSeed } from './seed-schemas.ts'

/** The authors a sandbox has shown, kept over restarts: an activity number says too little about an author with a handle of their own. */
export type Memory = { known: ActorSeed[]; add(author: ActorSeed): void }

/** Opens the memory in this file, one JSON value a line; without a file nothing is kept. */
export function openMemory(file: string | undefined): Memory {
  if (file === undefined) return { known: [], add: () => undefined }
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const written = new Set(lines)
  return {
    known: lines.flatMap(readLine),
    add(author) {
      const line = JSON.stringify(author)
      if (written.has(line)) return
      written.add(line)
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
    },
  }
}

function readLine(line: string): ActorSeed[] {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'string') return [value]
    return typeof value === 'object' && value !== null && 'company' in value && typeof value.company === 'string'
      ? [{ company: value.company }]
      : []
  } catch {
    return []
  }
}

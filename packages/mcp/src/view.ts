import { toolsets, type Toolset } from './table.ts'
import type { View } from './definition.ts'

export type ViewOptions = {
  readonly toolsets?: string | null | undefined
  readonly readOnly?: string | null | undefined
}

/**
 * Reads `?toolsets=leads,sources&readonly=1` or the equivalent headers, or returns the unknown toolset. Several requests narrow
 * each other: a header never widens what an address allows.
 */
export function readView(...requestedViews: readonly ViewOptions[]): View | { readonly unknown: string } {
  let chosen: readonly Toolset[] | null = null
  let readOnly = false
  for (const requested of requestedViews) {
    if (
      requested.readOnly !== null &&
      requested.readOnly !== undefined &&
      !['0', 'false', ''].includes(requested.readOnly.trim().toLowerCase())
    )
      readOnly = true
    const named = (requested.toolsets ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '')
    if (named.length === 0 || named.includes('all')) continue
    const unknown = named.find((name) => !(toolsets as readonly string[]).includes(name))
    if (unknown !== undefined) return { unknown }
    chosen = (chosen ?? toolsets).filter((name) => named.includes(name))
  }
  return { toolsets: chosen, readOnly }
}

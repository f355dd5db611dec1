/** Which fields differ between what is wanted and what there is. Pure. */
import type { Fields } from './document.ts'

/** A field that differs. */
export type Change = { readonly field: string; readonly from: unknown; readonly to: unknown }

const bareId = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/^urn:li:\w+:/, '') : value)

/** True for the same setting: lists of ids have no order and are told bare. */
export function isSame(one: unknown, other: unknown, unordered: boolean): boolean {
  if (Array.isArray(one) && Array.isArray(other) && unordered) {
    const sorted = (list: unknown[]) => JSON.stringify(list.map(bareId).map(String).sort())
    return sorted(one) === sorted(other)
  }
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  )
}

/** Settings of targeting filters: lists without an order. */
const unordered = /^(?:from|mentions|author)/

/** The wanted fields that are otherwise now; one that is not there counts as null. */
export function changesOf(wanted: Fields, now: Fields): Change[] {
  return Object.entries(wanted)
    .filter(([field, to]) => !isSame(to ?? null, now[field] ?? null, unordered.test(field)))
    .map(([field, to]) => ({ field, from: now[field] ?? null, to }))
}

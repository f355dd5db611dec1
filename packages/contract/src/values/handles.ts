/** Compares handles and source names (specification «Conventions»; G8, G146). No schemas, so that pages can use it. */
import { readCompanyNumber } from './company-number.ts'
import { readMemberId } from './member-id.ts'
import { readNetworkAddress } from './network-address.ts'
import { decodeFully } from './percent.ts'
import { foldText, withoutUnseen } from './text.ts'

/**
 * Lower-cases handles and slugs in one Unicode spelling (other texts: `foldText`). Composed again after lowering: `H` with a
 * line below has no composed letter, `h` with it has one.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC')

/**
 * A name as it is compared: percent-decoded, without invisible characters, trimmed, without a leading `@`, composed, in lower
 * case. A member id, bare or in a URN, keeps its case (G8, G146).
 */
export function normalizeHandle(text: string): string {
  const plain = withoutUnseen(decodeFully(text.trim())).trim().replace(/^@/, '')
  return readMemberId(plain) ?? foldCase(plain)
}

export const longestName = 200

const neverInNames = /[\s/?#%\p{Cc}\p{Cs}]/u
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * True when a name, as `normalizeHandle` writes it, can be a handle or slug. The network decides what names contain (emoji, say);
 * refused are only names that would end their part of an address, or that show nothing.
 */
export const isPossibleHandle = (name: string): boolean =>
  name !== '.' &&
  name !== '..' &&
  name.length <= 2 * longestName &&
  [...name].length <= longestName &&
  // `normalizeHandle` would drop it when the name is sent back.
  !name.startsWith('@') &&
  seen.test(name) &&
  !neverInNames.test(name)

/**
 * Reads a person from text: a handle with or without `@`, a member id bare or in a URN, or any form of profile address. Null
 * when the text names no person. Imports, pages and tools all use it.
 */
export function readPersonName(text: string): string | null {
  const address = readNetworkAddress(text)
  if (address !== null && address.kind !== 'person') return null
  const name = normalizeHandle(address?.name ?? text)
  return isPossibleHandle(name) && !/^urn:/i.test(name) ? name : null
}

/** A company page as it is compared: its slug or number, also taken from the page's address (G153). */
export function normalizeCompany(text: string): string {
  const address = readNetworkAddress(text)
  const name = address?.kind === 'company' ? address.name : text
  return readCompanyNumber(name) ?? normalizeHandle(name)
}

/** Both readings of a source in a filter: `name` for a person, page or post, `terms` for the joined terms of a search. */
export type SourceNaming = { readonly name: string; readonly terms: string }

/** Reads the text of a source filter in both ways. */
export const readSourceNaming = (text: string): SourceNaming => ({
  name:
    readNetworkAddress(text)?.kind === 'company' || readCompanyNumber(text) !== null
      ? normalizeCompany(text)
      : normalizeHandle(text),
  terms: foldText(text.trim().replace(/^@/, '')),
})

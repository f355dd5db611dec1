/**
 * Handles and names of sources as they are compared; without schemas, so that pages can use them (specification
 * «Conventions»; G8, G146).
 */
import { readCompanyNumber } from './company-number.ts'
import { readMemberId } from './member-id.ts'
import { readNetworkAddress } from './network-address.ts'
import { decodeFully } from './percent.ts'
import { foldText, withoutUnseen } from './text.ts'

/**
 * Handles and slugs as they are compared, which are the network's to tell apart (texts: `foldText`): in lower case, each
 * letter with its marks in one spelling. Composed after it was lowered as well: of `H` with a line below there is no single letter,
 * of `h` there is.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC')

/**
 * A name as it is compared: percent-encoding undone, without what is unseen, trimmed, a leading `@` dropped, composed, in
 * lower case; a member id, bare or in a URN, keeps its case (G8, G146).
 */
export function normalizeHandle(text: string): string {
  const plain = withoutUnseen(decodeFully(text.trim())).trim().replace(/^@/, '')
  return readMemberId(plain) ?? foldCase(plain)
}

export const longestName = 200

const neverInNames = /[\s/?#%\p{Cc}\p{Cs}]/u
const seen = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * True for what can be the handle of a person or the slug of a page, as `normalizeHandle` writes it. What such names
 * hold is the network's to say (an emoji, a sign at the beginning): refused is only what none can be, since it would end
 * their part of an address or is nothing to be seen.
 */
export const mayBeName = (name: string): boolean =>
  name !== '.' &&
  name !== '..' &&
  name.length <= 2 * longestName &&
  [...name].length <= longestName &&
  // It would be dropped when the name is given back.
  !name.startsWith('@') &&
  seen.test(name) &&
  !neverInNames.test(name)

/**
 * Who is meant by a text: a handle with or without `@`, a member id bare or in a URN, or the address of a profile in any
 * form, percent-encoded or not. The name as the interface takes it, in one spelling; null when the text names no person.
 * Every place that reads people from what somebody wrote uses it: imports, pages, tools.
 */
export function readPersonName(text: string): string | null {
  const address = readNetworkAddress(text)
  if (address !== null && address.kind !== 'person') return null
  const name = normalizeHandle(address?.name ?? text)
  return mayBeName(name) && !/^urn:/i.test(name) ? name : null
}

/** A company page as it is compared: the slug or the number that is given, or that the address of the page holds (G153). */
export function normalizeCompany(text: string): string {
  const address = readNetworkAddress(text)
  const name = address?.kind === 'company' ? address.name : text
  return readCompanyNumber(name) ?? normalizeHandle(name)
}

/**
 * How a filter may mean a source: by a person's handle or member id, a page's slug, number or address, a post's URN, or
 * by the joined terms of a search, which are taken as they are.
 */
export type SourceNaming = { readonly name: string; readonly terms: string }

/** Both readings of the name of a source in a filter. */
export const readSourceNaming = (text: string): SourceNaming => ({
  name:
    readNetworkAddress(text)?.kind === 'company' || readCompanyNumber(text) !== null
      ? normalizeCompany(text)
      : normalizeHandle(text),
  terms: foldText(text.trim().replace(/^@/, '')),
})

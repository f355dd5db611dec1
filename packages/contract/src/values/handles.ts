/**
 * Handles and names of sources as they are compared; without schemas, so that pages can use them (specification
 * «Conventions»; G8, G146).
 */
import { readMemberId } from './member-id.ts'
import { decodeFully } from './percent.ts'
import { foldText } from './text.ts'

/**
 * Handles and slugs as they are compared, which are the network's to tell apart (texts: `foldText`): in lower case, each
 * letter with its marks in one spelling. Composed after it was lowered as well: of `H` with a line below there is no single letter,
 * of `h` there is.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC')

/**
 * A name as it is compared: trimmed, a leading `@` dropped, percent-encoding undone, composed, in lower case; a member
 * id, bare or in a URN, keeps its case (G8, G146).
 */
export function normalizeHandle(text: string): string {
  const plain = decodeFully(text.trim()).trim().replace(/^@/, '')
  return readMemberId(plain) ?? foldCase(plain)
}

/**
 * How a filter may mean a source: by a person's handle or member id, a page's slug or a post's URN, or by the joined
 * terms of a search, which are taken as they are.
 */
export type SourceNaming = { readonly name: string; readonly terms: string }

/** Both readings of the name of a source in a filter. */
export const readSourceNaming = (text: string): SourceNaming => ({
  name: normalizeHandle(text),
  terms: foldText(text.trim().replace(/^@/, '')),
})

/** Ids that the network gives company pages. A page's slug may change, its number does not; both name the same page (G153). */
import { decodeFully } from './percent.ts'
import { withoutUnseen } from './text.ts'

const number = /^[1-9]\d{0,23}$/
const wrapped = /^urn:li:(?:fs_|fsd_)?(?:miniCompany|company|organization|school):0*([1-9]\d{0,23})$/i

/** The company number in a text, bare or in a URN; null for any other text. */
export function readCompanyNumber(text: string): string | null {
  const plain = withoutUnseen(decodeFully(text.trim())).trim()
  return number.exec(plain)?.[0] ?? wrapped.exec(plain)?.[1] ?? null
}

/** The URN of a company number; null for a slug. */
export const companyUrnNamed = (name: string): string | null => (number.test(name) ? `urn:li:company:${name}` : null)

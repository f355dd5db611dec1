/**
 * Numbers of company pages, the network's own ids of them. A page's slug may change, its number does not; both name the
 * same page (G153). The one definition of the project.
 */
import { decodeFully } from './percent.ts'
import { withoutUnseen } from './text.ts'

const number = /^[1-9]\d{0,23}$/
const wrapped = /^urn:li:(?:fs_|fsd_)?(?:miniCompany|company|organization|school):0*([1-9]\d{0,23})$/i

/** The number that a text is, bare or in the URN of a company or an organisation; null for any other text. */
export function readCompanyNumber(text: string): string | null {
  const plain = withoutUnseen(decodeFully(text.trim())).trim()
  return number.exec(plain)?.[0] ?? wrapped.exec(plain)?.[1] ?? null
}

/** The URN of the page that a name means, when the name is a number; null for a slug. */
export const companyUrnNamed = (name: string): string | null => (number.test(name) ? `urn:li:company:${name}` : null)

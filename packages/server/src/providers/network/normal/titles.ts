/** The normal form of a job title: what somebody does, without the employer, which stands in a field of its own. */
import { foldPlace } from '../../../platform/rules/countries.ts'

const pictures =
  /(?:[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]|\uFE0E|\uFE0F|\u200D|\u20E3)+/gu
const notPictures = /^[©®™]+$/u

/** Words that add nothing to who an employer is. */
const form =
  /[\s,]+(?:inc|llc|ltd|limited|gmbh|ag|se|kg|co|corp|corporation|company|plc|s ?a|sas|sarl|s ?r ?l|spa|bv|b v|nv|ab|as|oy|pty|pvt|private|llp|lp|group|holding|holdings)\.?$/iu

/** An employer's name without its legal form. */
function nameOf(company: string): string {
  let name = company.trim()
  for (let shorter = name.replace(form, ''); shorter !== name && shorter !== ''; shorter = name.replace(form, ''))
    name = shorter
  return foldPlace(name)
}

/** How people put their employer behind their title: `at Acme`, `@Acme`, `bei Acme`, `, Acme`, `| Acme`, `- Acme`, `(Acme)`. */
const tail =
  /^(?:\s+(?:at|bei|chez|en|na|presso|hos|bij|of|for)\s+|\s*@\s*|\s*[,|·•]\s*|\s+[-–—]\s+|\s*\(\s*)(.+?)\s*\)?$/iu

/**
 * A title without pictures and without the name of the employer behind it. Only the employer that the job itself names is taken
 * off: "Head of Growth at heart" stays, since nobody says that heart is a company.
 */
export function plainTitle(text: string, company: string | null): string {
  const tidy = text
    .replace(pictures, (found) => (notPictures.test(found) ? found : ' '))
    .replace(/\s+/gu, ' ')
    .replace(/^[\s|•·,–—-]+|[\s|•·,–—-]+$/gu, '')
  const title = tidy === '' ? text.trim() : tidy
  const employer = company === null ? '' : nameOf(company)
  if (employer === '') return title
  for (let at = 1; at < title.length; at++) {
    if (!/[\s@,|·•(]/u.test(title[at]!)) continue
    const found = tail.exec(title.slice(at))
    if (found && nameOf(found[1]!) === employer && /\p{L}/u.test(title.slice(0, at))) return title.slice(0, at)
  }
  return title
}

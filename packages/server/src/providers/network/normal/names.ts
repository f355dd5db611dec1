/** Reduces the names and job titles that people enter to the bare name or title. */
import { foldPlace } from '../../../platform/rules/countries.ts'

/** Emoji with modifiers, flags and key caps. Joiners only between emoji, because Persian and Indic names need theirs. */
const pictures =
  /(?:\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3|\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})*(?:\u200D\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})*)*)/gu

/** Mathematical, circled, squared and full-width letters, which readers see as plain letters. */
const dressed = /[\u{1D400}-\u{1D7FF}\u{1F130}-\u{1F169}\u{24B6}-\u{24E9}\u{FF01}-\u{FF5E}]/gu

const pronoun =
  '(?:she|her|hers|he|him|his|they|them|theirs|ze|zir|hir|xe|xem|any|all|elle|il|lui|iel|ella|ellas?|él|el|' +
  'sie|ihr|er|ihm|ihn|hen|hon|han|hun|hij|zij|hem|ela|dela|ele|dele|lei)'
/** Pronouns such as `(she/her)`, `[he/him/his]` or `| they/them`; at the end also without brackets. */
const pronouns = new RegExp(
  `\\s*(?:[([{]\\s*${pronoun}(?:\\s*[/|,•]\\s*${pronoun}){0,3}(?:\\s+pronouns)?\\s*[)\\]}]|` +
    `[-–—|•,]?\\s*(?<![\\p{L}])${pronoun}(?:\\s*/\\s*${pronoun}){1,3}\\s*$)`,
  'giu',
)

const notices = /\s*[([{][^)\]}]*\b(?:hiring|open ?to ?work|we'?re|we are|available|looking for)\b[^)\]}]*[)\]}]/giu

const address =
  /^(?:(?:Dr|DR|dr|Prof|PROF|prof|Mr|Mrs|Ms|Mx|Miss|Rev|Hon|Ing|Dipl|Mag|Adv|Er|Eng|Herr|Frau)\.?(?:[- ](?:Ing|Inf|Kfm|Kffr|Phys|Psych|med|rer|nat|phil|jur|habil|h\.? ?c|mult)\.?)*\s+)+(?=\S+\s+\S|\p{L}{2,}$)/u

const credentials = new Set(
  (
    'PHD DPHIL MPHIL MD DO DDS DMD DVM PHARMD JD LLB LLM ESQ BA BS BSC BENG BBA MA MS MSC MENG MBA EMBA MPA MPH ' +
    'MPP MFA MED EDD MSW LCSW PSYD CPA CFA CFP CMA CIA CISA CISM CISSP CRISC PMP PMIACP CSM CSPO CSPSPO SAFE SPC ' +
    'ITIL PRINCE2 SHRMCP SHRMSCP PHR SPHR GPHR ACC PCC MCC CHRP RN BSN MSN FNP NP PA PE PENG CENG FRM CAIA ACCA ' +
    'FCCA ACA FCA ACMA CGMA CIPD MCIPD FCIPD FRSA OBE MBE CBE KC QC RPH RD CPCU ARM CIPP CIPPE CIPPUS CKA CCIE ' +
    'CCNA OSCP CEH ASA MAI GRI CRS SIOR LEEDAP AIA RA MIET FIET MRICS FRICS CSP CPSM CSCP APICS SIXSIGMA LSSBB ' +
    'LSSGB CSSBB CSSGB CDMP ABD DBA'
  ).split(' '),
)
/** Credentials that are not also names, so they are recognised without a comma. */
const bareCredentials = new Set(
  'PHD MBA EMBA PMP CISSP PHARMD CPA CFA MSC BSC CISA CISM CSPO SHRMCP SHRMSCP SPHR LCSW ACCA FCCA MCIPD FCIPD CFP'.split(
    ' ',
  ),
)

const bare = (word: string): string => word.replace(/[®™℠.\s'’-]/gu, '').toUpperCase()

/** Removes comma-separated parts that consist only of credentials, then bare credentials at the end. */
function withoutCredentials(name: string): string {
  const [first, ...rest] = name.split(/\s*,\s*/)
  const isCredential = (part: string) =>
    credentials.has(bare(part)) || part.split(/[\s/|&]/).every((word) => word === '' || credentials.has(bare(word)))
  const kept = [first!, ...rest.filter((part) => !isCredential(part))]
  // In "Jack, Ma" the single word before the comma is a family name, so what follows is not a credential.
  const joined = (/\s/.test(first!) ? kept : [first!, ...rest]).filter((part) => part !== '').join(', ')
  const words = joined.split(' ')
  while (words.length > 2 && bareCredentials.has(bare(words.at(-1)!)) && /[A-Z].*[A-Z]/.test(words.at(-1)!)) words.pop()
  return words.join(' ')
}

/** A name without emoji, pronouns, forms of address, credentials and text after a bar; the text as it is if no letter is left. */
export function plainName(text: string): string {
  const undressed = text.replace(dressed, (letter) => letter.normalize('NFKC'))
  const bared = undressed
    .replace(pictures, ' ')
    .replace(/[®™℠]/gu, '')
    .replace(/[\uFE0E\uFE0F]/gu, '')
    .replace(/[\u2600-\u27BF\u2B50-\u2B55\u25A0-\u25FF\u2190-\u21FF]/gu, ' ')
  const [before] = bared
    .replace(pronouns, ' ')
    .replace(notices, ' ')
    .split(/[|•·]/)
    .filter((part) => /\p{L}/u.test(part))
  const tidy = (name: string): string => name.replace(/\s+/gu, ' ').replace(/^[\s,;:~*_-]+|[\s,;:~*_-]+$/gu, '')
  const name = tidy(withoutCredentials(tidy(before ?? '')).replace(address, ''))
  return /\p{L}/u.test(name) ? name : text.replace(/\s+/gu, ' ').trim()
}

/** Emoji and fragments of emoji; unlike names, titles need no joiners. */
const titlePictures =
  /(?:[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]|\uFE0E|\uFE0F|\u200D|\u20E3)+/gu
const notPictures = /^[©®™]+$/u

/** Words that do not identify an employer, such as legal forms. */
const form =
  /[\s,]+(?:inc|llc|ltd|limited|gmbh|ag|se|kg|co|corp|corporation|company|plc|s ?a|sas|sarl|s ?r ?l|spa|bv|b v|nv|ab|as|oy|pty|pvt|private|llp|lp|group|holding|holdings)\.?$/iu

function employerName(company: string): string {
  let name = company.trim()
  for (let shorter = name.replace(form, ''); shorter !== name && shorter !== ''; shorter = name.replace(form, ''))
    name = shorter
  return foldPlace(name)
}

/** How people append their employer to a title: `at Acme`, `@Acme`, `bei Acme`, `, Acme`, `| Acme`, `- Acme`, `(Acme)`. */
const tail =
  /^(?:\s+(?:at|bei|chez|en|na|presso|hos|bij|of|for)\s+|\s*@\s*|\s*[,|·•]\s*|\s+[-–—]\s+|\s*\(\s*)(.+?)\s*\)?$/iu

/** A title without emoji and without the job's own employer at the end; other names stay ("Head of Growth at heart"). */
export function plainTitle(text: string, company: string | null): string {
  const tidy = text
    .replace(titlePictures, (found) => (notPictures.test(found) ? found : ' '))
    .replace(/\s+/gu, ' ')
    .replace(/^[\s|•·,–—-]+|[\s|•·,–—-]+$/gu, '')
  const title = tidy === '' ? text.trim() : tidy
  const employer = company === null ? '' : employerName(company)
  if (employer === '') return title
  for (let at = 1; at < title.length; at++) {
    if (!/[\s@,|·•(]/u.test(title[at]!)) continue
    const found = tail.exec(title.slice(at))
    if (found && employerName(found[1]!) === employer && /\p{L}/u.test(title.slice(0, at))) return title.slice(0, at)
  }
  return title
}

/**
 * How texts are compared everywhere, and their invisible characters (G167). No schemas, so that pages can use it. `text_fold` of
 * the baseline schema is the same rule in SQL; a test compares both on every letter.
 */

/** Accents typed as apostrophes; NFKD would turn them into a blank with an accent. */
const accentsAlone = /[\u00b4\u1fbd\u1fbf\u1ffd]/g
const apostrophes = /[`ʹʻʼʽʾʿˈ՚׳‘’‛′‵ꞌ]/g
const hyphens = /[֊־᠆˗‐‑‒–—―⁃−⸺⸻⹀]/g
/** Any run of spaces and line breaks. */
const spaces = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]+/g
/** Controls, joiners, direction marks, soft hyphens, variation selectors, fillers, byte order marks and tags. */
export const unseenCharacters =
  /[\u034f\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\u17b4-\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu
/** Removes invisible characters that were copied along with a name or address. Controls stay, so that the name is refused. */
export const withoutUnseen = (text: string): string =>
  text.replace(unseenCharacters, (sign) => (/\p{Cc}/u.test(sign) ? sign : ''))

/** Full case folding where it differs from `toLowerCase`. */
const beyondLowerCase: Readonly<Record<string, string>> = {
  ß: 'ss',
  ς: 'σ',
  '\u0345': 'ι',
  և: 'եւ',
  ᲀ: 'в',
  ᲁ: 'д',
  ᲂ: 'о',
  ᲃ: 'с',
  ᲄ: 'т',
  ᲅ: 'т',
  ᲆ: 'ъ',
  ᲇ: 'ѣ',
  ᲈ: 'ꙋ',
}

/**
 * Folds a text for comparison: compatibility letters, full case folding (`ß` becomes `ss`, a final sigma a sigma), one hyphen,
 * one apostrophe, no invisible characters. Spaces and line breaks stay.
 */
export function foldLetters(text: string): string {
  if (/^[ -_a-~]*$/.test(text)) return text.toLowerCase()
  return text
    .replace(accentsAlone, "'")
    .replace(unseenCharacters, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0345ßςևᲀ-ᲈ]/g, (letter) => beyondLowerCase[letter]!)
    .replace(apostrophes, "'")
    .replace(hyphens, '-')
    .normalize('NFC')
}

/** `foldLetters`, with every run of spaces and line breaks as one space (G167). */
export const foldText = (text: string): string => foldLetters(text).replace(spaces, ' ')

const pastedAtEnds = /^[^\S\t-\r ]+|[^\S\t-\r ]+$/g

/** Folds a search text; unusual spaces at its ends were pasted along and are dropped. */
export const foldAsked = (text: string): string =>
  foldText(text.replace(unseenCharacters, '').replace(pastedAtEnds, ''))

/** Scripts with joined letters, where a joiner or its absence is part of the spelling. */
const joining = '\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Nkoo}\\p{sc=Mand}\\p{sc=Rohg}\\p{sc=Adlm}\\p{sc=Phag}'
const joinable = new RegExp(
  `^[${joining}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}` +
    '\\p{sc=Sinh}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}\\p{sc=Java}\\p{sc=Bali}]',
  'u',
)
const mark = /^\p{M}/u
const picture = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u20e3|\u{e007f})/u
const pictureItself = /^\p{Extended_Pictographic}/u
const hasTwoForms = /^(?![#*\d])\p{Emoji}/u
const han = /^\p{sc=Han}/u
const hasVariants = /^[\p{sc=Han}\p{sc=Mymr}\p{sc=Phag}\p{sc=Mong}]/u
const mongolian = /^\p{sc=Mong}/u

/** Whether an invisible character is part of a letter or emoji between these neighbours (empty: none). */
function isNeeded(character: string, before: string, after: string): boolean {
  const point = character.codePointAt(0)!
  if (point === 0x200d && picture.test(before) && pictureItself.test(after)) return true
  // A joiner after a vowel-silencing mark may end a word; elsewhere it stands between letters.
  if (point === 0x200c || point === 0x200d) return joinable.test(before) && (mark.test(before) || joinable.test(after))
  if (point === 0xfe0e || point === 0xfe0f)
    return hasTwoForms.test(before) || (/^[#*\d]/.test(before) && after === '\u20e3')
  if (point >= 0xfe00 && point <= 0xfe0d) return hasVariants.test(before)
  if (point >= 0xe0100 && point <= 0xe01ef) return han.test(before)
  return point >= 0x180b && point <= 0x180f && mongolian.test(before)
}

/** Regional flags: tag characters spell the region. */
const flag = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/u
const flagOrUnseen = new RegExp(`${flag.source}|${unseenCharacters.source}`, 'gu')
const unusualSpaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/g

/** Prepares a text for storage: no invisible characters unless letters or emoji need them, one kind of space (G167). */
export function visibleText(text: string): string {
  if (/^[ -~\t\n]*$/.test(text)) return text
  const plain = text.replace(/[\v\f\u0085]/g, '')
  let shown = ''
  let reached = 0
  for (const { 0: found, index } of plain.matchAll(flagOrUnseen)) {
    shown += plain.slice(reached, index)
    reached = index + found.length
    if (flag.test(found) || isNeeded(found, lastOf(shown), firstOf(plain, reached))) shown += found
  }
  return (shown + plain.slice(reached)).replace(/[\u2028\u2029]/g, '\n').replace(unusualSpaces, ' ')
}

const firstOf = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : ''
const lastOf = (text: string): string => /.$/su.exec(text)?.[0] ?? ''

/**
 * Texts as they are compared, and what nobody sees in them: the one rule of lists, criteria, filters and the agent, without schemas,
 * so that pages can use it (G167). `text_fold` of the baseline schema says the same in SQL; a test tries every letter on both.
 */

/** Accents that people type for an apostrophe, and that would become a blank with an accent on it. */
const accentsAlone = /[\u00b4\u1fbd\u1fbf\u1ffd]/g
const apostrophes = /[`ʹʻʼʽʾʿˈ՚׳‘’‛′‵ꞌ]/g
const hyphens = /[֊־᠆˗‐‑‒–—―⁃−⸺⸻⹀]/g
/** Every run of spaces, line breaks among them. */
const spaces = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]+/g
/** Controls, joiners, marks of direction, soft hyphens, variation selectors, fillers, byte order marks and tags. */
export const unseenCharacters =
  /[\u034f\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|[\u17b4-\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu
/**
 * A name or an address without what nobody sees in it: that comes along when it is copied and is part of none. Controls stay, since a
 * name with one is refused.
 */
export const withoutUnseen = (text: string): string =>
  text.replace(unseenCharacters, (sign) => (/\p{Cc}/u.test(sign) ? sign : ''))

/** What full case folding does beyond lower case. */
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
 * A text letter by letter as it is compared: compatibility letters made plain, case folded in full (`ß` is `ss`, a final sigma a
 * sigma), one hyphen, one apostrophe, nothing that cannot be seen. Its spaces and line breaks stay.
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

/** A text as it is compared (G167); every run of spaces and line breaks is one space. */
export const foldText = (text: string): string => foldLetters(text).replace(spaces, ' ')

const pastedAtEnds = /^[^\S\t-\r ]+|[^\S\t-\r ]+$/g

/** What is asked for, as it is compared: unusual spaces at its ends were pasted with it, and mean nothing. */
export const foldAsked = (text: string): string =>
  foldText(text.replace(unseenCharacters, '').replace(pastedAtEnds, ''))

/** Scripts whose letters join, so that a joiner or its absence is part of how a word is written. */
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

/** Whether letters or pictures need what cannot be seen between two characters; blank: there is none. */
function isNeeded(character: string, before: string, after: string): boolean {
  const point = character.codePointAt(0)!
  if (point === 0x200d && picture.test(before) && pictureItself.test(after)) return true
  // A joiner after the mark that silences a vowel may end a word; elsewhere it stands between letters.
  if (point === 0x200c || point === 0x200d) return joinable.test(before) && (mark.test(before) || joinable.test(after))
  if (point === 0xfe0e || point === 0xfe0f)
    return hasTwoForms.test(before) || (/^[#*\d]/.test(before) && after === '\u20e3')
  if (point >= 0xfe00 && point <= 0xfe0d) return hasVariants.test(before)
  if (point >= 0xe0100 && point <= 0xe01ef) return han.test(before)
  return point >= 0x180b && point <= 0x180f && mongolian.test(before)
}

/** The flag of a part of a country: the letters of its name are tags that cannot be seen. */
const flag = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/u
const flagOrUnseen = new RegExp(`${flag.source}|${unseenCharacters.source}`, 'gu')
const unusualSpaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/g

/**
 * A text as it is stored: without what cannot be seen, but for joiners and selectors that letters and pictures need, and with one
 * kind of space (G167). Tabs and line breaks stay.
 */
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

/** Words before and after names that others leave out. */
const titles = new Set(
  [
    'dr prof professor mr mrs ms miss mx sir madam herr frau ing dipl mag med rer nat habil rev hon',
    'phd mba md msc bsc ma ba jd llm llb mph cpa cfa pmp esq jr sr ii iii iv',
  ].flatMap((some) => some.split(' ')),
)

const isTitle = (word: string): boolean =>
  word
    .toLowerCase()
    .split(/[.-]/)
    .filter((part) => part !== '')
    .every((part) => titles.has(part))

/** Separates the words of a foreign name in Chinese and Japanese. Elsewhere, as in Catalan, it is part of a word. */
const dotBetween = /(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー])[·・･](?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/gu

/** The first words of a text; a hyphen between blanks ends them like a comma. */
function firstWords(name: string): string[] {
  const written = name.replace(/^[^\p{L}]+/u, '').replace(dotBetween, ' ')
  const [called = ''] = /[\p{L}\p{M}\p{N} .'·-]+/u.exec(written) ?? []
  const [before] = called.split(/ -+ /)
  return before!.match(/[\p{L}\p{M}\p{N}]+(?:[.'·-][\p{L}\p{M}\p{N}]+)*/gu) ?? []
}

/** The words with and without titles, unless fewer than two words would be left. */
function withoutTitles(words: readonly string[]): (readonly string[])[] {
  const from = words.findIndex((word) => !isTitle(word))
  const to = words.findLastIndex((word) => !isTitle(word)) + 1
  return to - from < 2 || to - from === words.length ? [words] : [words, words.slice(from, to)]
}

/** Chinese, Japanese and Korean write whole names without a blank; two characters are in too many words. */
const wholeName = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hangul}]{3,}$/u

/** The words, and the words without middle initials; none for a single word, which would match too many people. */
function spellings(words: readonly string[]): (readonly string[])[] {
  if (words.length === 1 && wholeName.test(words[0]!)) return [words]
  if (words.length < 2 || words.every((word) => word.length < 2)) return []
  const short = words.filter((word, place) => place === 0 || place === words.length - 1 || word.length > 1)
  return short.length < words.length ? [words, short] : [words]
}

/** `Anna (Annie) Lind`: the marks enclose a nickname. */
const withNickname = /^([^"“”„«»()]+)["“„«(]([^"“”„«»()]+)["“”»)]([^"“”„«»()]+)/u

/** Turns single quotes around a word into double quotes; an apostrophe in a name stays. */
const inQuotes = (name: string): string => name.replace(/(?<=\s)['‘’]([^\s'‘’]+)['‘’](?=\s)/gu, '"$1"')

/** Whether a nickname stands between first and last name. */
export const hasNickname = (written: string): boolean => {
  const name = inQuotes(written)
  return firstWords(name).length === 1 && firstWords(withNickname.exec(name)?.[3] ?? '').length > 0
}

/** The ways in which others call a person, as words. Drops what follows a comma, a bracket, or a picture after a last name. */
export function spokenForms(written: string): (readonly string[])[] {
  const name = inQuotes(written)
  const first = firstWords(name)
  const [, before, nickname, after] = withNickname.exec(name) ?? []
  if (hasNickname(name))
    return [`${before} ${nickname} ${after}`, `${before} ${after}`, `${nickname} ${after}`].flatMap(spokenForms)
  const words = first.length > 1 ? first : firstWords(name.replace(/\p{So}(?:\p{So}|\p{Cf}|\ufe0f|\s)*/gu, ' '))
  return withoutTitles(words).flatMap(spellings)
}

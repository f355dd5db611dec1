/** What somebody is called, in the words by which others speak of them. */

/** Written before and behind names, and left out by those who speak of somebody. */
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

/** The dot between the words of a foreign name in Chinese or Japanese; in Catalan it is part of a word. */
const dotBetween = /(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー])[·・･](?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/gu

/** The words at the beginning of a name; a hyphen between blanks ends it like a comma. */
function firstWords(name: string): string[] {
  const written = name.replace(/^[^\p{L}]+/u, '').replace(dotBetween, ' ')
  const [called = ''] = /[\p{L}\p{M}\p{N} .'·-]+/u.exec(written) ?? []
  const [before] = called.split(/ -+ /)
  return before!.match(/[\p{L}\p{M}\p{N}]+(?:[.'·-][\p{L}\p{M}\p{N}]+)*/gu) ?? []
}

/** The words with titles around them and without, unless one of them is all that is left. */
function withoutTitles(words: readonly string[]): (readonly string[])[] {
  const from = words.findIndex((word) => !isTitle(word))
  const to = words.findLastIndex((word) => !isTitle(word)) + 1
  return to - from < 2 || to - from === words.length ? [words] : [words, words.slice(from, to)]
}

/** Chinese, Japanese and Korean write whole names without a blank; two characters are in too many words. */
const wholeName = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hangul}]{3,}$/u

/** The words, and without the initials between first and last one; none of a single word, which means too many. */
function spellings(words: readonly string[]): (readonly string[])[] {
  if (words.length === 1 && wholeName.test(words[0]!)) return [words]
  if (words.length < 2 || words.every((word) => word.length < 2)) return []
  const short = words.filter((word, place) => place === 0 || place === words.length - 1 || word.length > 1)
  return short.length < words.length ? [words, short] : [words]
}

/** `Anna (Annie) Lind`: what stands between marks is what friends say. */
const withNickname = /^([^"“”„«»()]+)["“„«(]([^"“”„«»()]+)["“”»)]([^"“”„«»()]+)/u

/** Single quotes around a word are quotes, and none that is a letter of a name. */
const inQuotes = (name: string): string => name.replace(/(?<=\s)['‘’]([^\s'‘’]+)['‘’](?=\s)/gu, '"$1"')

/** True of a name with a nickname between first and last name. */
export const hasNickname = (written: string): boolean => {
  const name = inQuotes(written)
  return firstWords(name).length === 1 && firstWords(withNickname.exec(name)?.[3] ?? '').length > 0
}

/**
 * The words that somebody is called, in each way in which they are. What follows a comma, a bracket or a picture is a title, unless the
 * picture, or a nickname, stands between first and last name.
 */
export function calledBy(written: string): (readonly string[])[] {
  const name = inQuotes(written)
  const first = firstWords(name)
  const [, before, nickname, after] = withNickname.exec(name) ?? []
  if (hasNickname(name))
    return [`${before} ${nickname} ${after}`, `${before} ${after}`, `${nickname} ${after}`].flatMap(calledBy)
  const words = first.length > 1 ? first : firstWords(name.replace(/\p{So}(?:\p{So}|\p{Cf}|\ufe0f|\s)*/gu, ' '))
  return withoutTitles(words).flatMap(spellings)
}

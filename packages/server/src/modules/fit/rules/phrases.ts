import { asWords, type Word } from './words.ts'

type Step = { readonly word: string } | 'gap' | 'quoted' | 'named' | 'role' | 'end'

/** Words of one language that undo a phrase: negations, «when», «said», … before it, negations after it. */
type Undoing = { readonly before: ReadonlySet<string>; readonly after: ReadonlySet<string> }

type Phrase = {
  readonly steps: readonly Step[]
  readonly phrase: string
  /** `!`: opens its sentence, or follows a word such as «and», «just», «please». */
  readonly asks: boolean
  /** `?`: holds in questions too. */
  readonly inQuestions: boolean
  /** `:`: opens its sentence, and its first words end their clause. */
  readonly heads: boolean
  /** `@`: follows a name, or a word such as «team» or «company». */
  readonly ofSomebody: boolean
  readonly undoing: Undoing
}

/** Phrases by their first word. */
export type Phrases = ReadonlyMap<string, readonly Phrase[]>

/** The phrases of a language, and the words that undo them before and after. */
export type Language = { readonly phrases: readonly string[]; readonly before?: string; readonly after?: string }

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Words that a request can follow within its sentence: «like and comment …». */
const leadsIn = wordSet('and just please then simply or it you to und einfach et puis y solo e o en och og')

/** Words that stand for somebody without a name. */
const somebody = new Set(['team', 'company', 'client', 'startup', 'firm', 'agency', 'department', 'office'])
/** Capitalised at the start of a sentence, but no names. */
const anybody = wordSet(
  'everyone everybody anyone anybody someone somebody nobody none one who what which this that it he she why how or and because when',
)

const longestGap = 8
/** How many words before and after a phrase are searched for one that undoes it. */
const reachBefore = 5
const reachAfter = 3

const inLanguage = (words: string | undefined): ReadonlySet<string> => new Set(asWords(words ?? ''))

function readPhrase(line: string, undoing: Undoing): Phrase & { readonly first: string } {
  const [, signs, phrase] = /^([!?:@]*)(.*)$/u.exec(line) as unknown as [string, string, string]
  const steps = phrase.split(' ').flatMap((part): Step[] => {
    if (part === '…') return ['gap']
    if (part === '"X"') return ['quoted']
    if (part === 'X') return ['named']
    if (part === 'ROLE') return ['role']
    if (part === '$') return ['end']
    return asWords(part).map((word) => ({ word }))
  })
  const [first] = steps
  if (typeof first !== 'object') throw new Error(`the phrase «${phrase}» must begin with a word`)
  const has = (sign: string) => signs.includes(sign)
  return {
    first: first.word,
    steps: steps.slice(1),
    phrase,
    asks: has('!'),
    inQuestions: has('?'),
    heads: has(':'),
    ofSomebody: has('@'),
    undoing,
  }
}

/**
 * Reads phrases by language. A phrase begins with a word. `…` is a gap of up to eight words of the sentence, `"X"` something
 * quoted, `X` something quoted or in capitals, `ROLE` a role (`roles.ts`), `$` the end of the clause. Signs before it: `!` asks
 * for something, so that «her comment "yes" …» does not match; `?` holds in a question too; `:` is a heading («Open position:
 * …»); `@` follows a name.
 */
export function readPhrases(tables: Readonly<Record<string, Language>>): Phrases {
  const read = new Map<string, Phrase & { readonly first: string }>()
  for (const { phrases, before, after } of Object.values(tables)) {
    const undoing = { before: inLanguage(before), after: inLanguage(after) }
    for (const line of phrases) {
      // A phrase that two languages share is undone by the words of both.
      const twin = read.get(line)?.undoing
      const both = twin && { before: twin.before.union(undoing.before), after: twin.after.union(undoing.after) }
      read.set(line, readPhrase(line, both ?? undoing))
    }
  }
  return Map.groupBy(read.values(), ({ first }) => first)
}

type Places = {
  readonly words: readonly Word[]
  readonly isRole: (word: string) => boolean
  /** The sentence to stay in; null: any. */
  readonly sentence: number | null
}

/** The index after the place where a pattern ends, or -1 when it does not match. */
function follows(places: Places, at: number, steps: readonly Step[]): number {
  const [step, ...rest] = steps
  if (step === undefined) return at
  if (step === 'gap') {
    for (let skip = 0; skip <= longestGap; skip++) {
      const end = follows(places, at + skip, rest)
      if (end !== -1) return end
    }
    return -1
  }
  const word = places.words[at]
  if (step === 'end')
    return word === undefined || word.clause !== places.words[at - 1]?.clause ? follows(places, at, rest) : -1
  if (word === undefined || (places.sentence !== null && word.sentence !== places.sentence)) return -1
  if (!fits(step, word, places.isRole)) return -1
  return follows(places, at + 1, rest)
}

function fits(step: Exclude<Step, 'gap' | 'end'>, word: Word, isRole: Places['isRole']): boolean {
  if (step === 'quoted') return word.quoted
  if (step === 'named') return word.quoted || word.capitals
  if (step === 'role') return isRole(word.text)
  return word.text === step.word
}

const headWords = (steps: readonly Step[]): number =>
  1 + [...steps, 'gap' as const].findIndex((step) => typeof step !== 'object')

function endOf(words: readonly Word[], at: number, phrase: Phrase, isRole: Places['isRole']): number {
  const word = words[at]!
  const before = words[at - 1]
  const opensSentence = before === undefined || before.sentence !== word.sentence
  if (phrase.asks && !opensSentence && !leadsIn.has(before.text)) return -1
  if (
    phrase.ofSomebody &&
    (opensSentence || !((before.titled && !anybody.has(before.text)) || somebody.has(before.text)))
  )
    return -1
  if (phrase.heads) {
    const next = words[at + headWords(phrase.steps)]
    if (!opensSentence || next?.clause === word.clause) return -1
  }
  return follows({ words, isRole, sentence: phrase.heads ? null : word.sentence }, at + 1, phrase.steps)
}

function find(
  words: readonly Word[],
  phrases: Phrases,
  isFound: (at: number, phrase: Phrase) => boolean,
): string | null {
  for (const [at, word] of words.entries()) {
    const found = phrases.get(word.text)?.find((phrase) => isFound(at, phrase))
    if (found) return found.phrase
  }
  return null
}

/** The first phrase of a table found in a text, or null. */
export const findPhrase = (words: readonly Word[], phrases: Phrases): string | null =>
  find(words, phrases, (at, phrase) => endOf(words, at, phrase, () => false) !== -1)

/** Whether the author states and means a phrase at `at` to `end`: no quotation, question, negation or mere hashtags. */
function isStated(
  words: readonly Word[],
  { at, end }: { at: number; end: number },
  { steps, inQuestions, undoing }: Phrase,
): boolean {
  const word = words[at]!
  if (word.inQuotation || (word.asked && !inQuestions)) return false
  if (words.slice(at, end).every((one) => one.tag)) return false
  const undoes = (one: Word, beside: Word, by: ReadonlySet<string>) => one.clause === beside.clause && by.has(one.text)
  if (words.slice(Math.max(0, at - reachBefore), at).some((one) => undoes(one, word, undoing.before))) return false
  if (words.slice(end, end + reachAfter).some((one) => undoes(one, words[end - 1]!, undoing.after))) return false
  const own = new Set([word.text, ...steps.flatMap((step) => (typeof step === 'object' ? [step.word] : []))])
  return !words
    .slice(at, end)
    .some((one) => !own.has(one.text) && (undoing.before.has(one.text) || undoing.after.has(one.text)))
}

/** The first phrase of a table that a text states in its author's own words (G142), or null. */
export const findStatement = (words: readonly Word[], phrases: Phrases, isRole: Places['isRole']): string | null =>
  find(words, phrases, (at, phrase) => {
    const end = endOf(words, at, phrase, isRole)
    return end !== -1 && isStated(words, { at, end }, phrase)
  })

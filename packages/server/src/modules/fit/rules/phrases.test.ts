/** How phrases are written and found, on small tables; `post-kinds` measures the real ones. */
import { describe, expect, it } from 'vitest'
import { findPhrase, findStatement, readPhrases, type Language } from './phrases.ts'
import { isRole } from './roles.ts'
import { asWords, wordsOf } from './words.ts'

const tableOf = (...phrases: string[]) => readPhrases({ English: { phrases } })
const finds = (phrase: string, text: string) => findPhrase(wordsOf(text), tableOf(phrase)) !== null
const states = (language: Language | string, text: string, role: (word: string) => boolean = isRole) =>
  findStatement(
    wordsOf(text),
    readPhrases({ English: typeof language === 'string' ? { phrases: [language] } : language }),
    role,
  )

describe('a phrase', () => {
  it.each<[phrase: string, text: string, found: boolean]>([
    // Adjacent words of one sentence, whatever their case and accents.
    ['we hire', 'Today WE HIRÉ people', true],
    ['we hire', 'hire we', false],
    ['we hire', 'we do hire', false],
    ['we hire', 'we', false],
    ['we hire', 'So do we. Hire slowly', false],
    ['we hire', 'we, hire', true],
    ['we hire', 'we we hire', true],
    ["we're here", 'We’re here', true],
    // A gap of up to eight words within a sentence.
    ['hire … now', 'hire now', true],
    ['hire … now', 'hire 1 2 3 4 5 6 7 8 now', true],
    ['hire … now', 'hire 1 2 3 4 5 6 7 8 9 now', false],
    ['hire … now', 'hire them. Do it now', false],
    ['hire … now or … then', 'hire a now b now or c then', true],
    // A quotation, by its first word; in capitals only where the phrase says so.
    ['comment "X"', 'comment "yes"', true],
    ['comment "X"', 'comment “yes” below', true],
    ['comment "X"', "comment 'yes' below", true],
    ['comment "X"', 'comment YES', false],
    ['comment "X"', 'comment yes', false],
    ['comment "X"', 'comment, yes', false],
    ['comment "X" now', 'comment "yes now"', true],
    ['comment X', 'comment "yes"', true],
    ['comment X', 'comment YES', true],
    ['comment X', 'comment Yes', false],
    ['comment X', 'comment A', false],
    ['comment X', 'comment 42', false],
    // The end of a clause.
    ['we hire $', 'we hire', true],
    ['we hire $', 'we hire, always', true],
    ['we hire $', 'we hire. Always', true],
    ['we hire $', 'we hire – always', true],
    ['we hire $', 'we hire always', false],
    ['we hire … now $', 'we hire now and now', true],
    // A request: starts its sentence, or follows a word that introduces it.
    ['!comment below', 'Comment below', true],
    ['!comment below', 'Nice. Comment below', true],
    ['!comment below', 'Like and comment below', true],
    ['!comment below', 'Please comment below', true],
    ['!comment below', 'einfach comment below', true],
    ['!comment below', 'Her comment below', false],
    ['comment below', 'Her comment below', true],
    // A heading: at the start of a sentence its words must end their clause; the next text may belong to another sentence.
    [':open position', 'Open position: cook', true],
    [':open position', 'Open position', true],
    [':open position', 'Open position for a cook', false],
    [':open position', 'Our open position: cook', false],
    [':open position', 'Today. Open position: cook', true],
    [':hiring … cook', 'Hiring! We need a cook', true],
    [':hiring … cook', 'Hiring a cook', false],
    [':hiring … cook', 'Hiring: nobody', false],
    // Follows a subject: a name, or a word for somebody who can be looking for people.
    ['@is hiring', 'Acme is hiring', true],
    ['@is hiring', 'Our team is hiring', true],
    ['@is hiring', 'the startup is hiring', true],
    ['@is hiring', 'my boss is hiring', false],
    ['@is hiring', 'Nobody is hiring', false],
    ['@is hiring', 'Who is hiring', false],
    ['@is hiring', 'Is hiring hard', false],
    ['@is hiring', 'Acme. Is hiring hard', false],
    // A role needs the role judge, which only statements have.
    ['a ROLE', 'a manager', false],
  ])('«%s» is in «%s»: %s', (phrase, text, found) => expect(finds(phrase, text)).toBe(found))

  it('is told as the table writes it, without its signs; the first place counts, then the first line', () => {
    const table = tableOf('we hire … now', '!come', 'we hire')
    expect(findPhrase(wordsOf('Come: we hire'), table)).toBe('come')
    expect(findPhrase(wordsOf('we hire now'), table)).toBe('we hire … now')
    expect(findPhrase(wordsOf('we hire'), table)).toBe('we hire')
    expect(findPhrase(wordsOf('we'), table)).toBeNull()
    expect(findPhrase([], table)).toBeNull()
  })
  it.each(['… now', '"X" now', 'X', 'ROLE wanted', '!$', ''.padEnd(3, '!')])('«%s» begins with no word', (line) =>
    expect(() => tableOf(line)).toThrow(`the phrase «${line.replace(/^!+/, '')}» must begin with a word`),
  )
})

describe('a statement', () => {
  const hiring = { phrases: ['we hire', '?who will join'], before: 'not if said', after: 'nobody never' }
  it.each<[text: string, phrase: string | null]>([
    ['we hire', 'we hire'],
    // Not quotations, questions or hashtags.
    ['"we hire" is a phrase', null],
    ['“so: we hire”', null],
    ['"We grow." And we hire', 'we hire'],
    ['do we hire?', null],
    ['Ready? we hire', 'we hire'],
    ['we hire. Ready?', 'we hire'],
    ['who will join?', 'who will join'],
    ['#we #hire', null],
    ['#we hire', 'we hire'],
    ['we #hire', 'we hire'],
    // A negating word, up to five words before and three after, within the clause.
    ['not we hire', null],
    ['not 1 2 3 4 we hire', null],
    ['not 1 2 3 4 5 we hire', 'we hire'],
    ['if so, we hire', 'we hire'],
    ['He said we hire', null],
    ['we hire nobody', null],
    ['we hire 1 2 nobody', null],
    ['we hire 1 2 3 nobody', 'we hire'],
    ['we hire, nobody else does', 'we hire'],
    ['nobody we hire', 'we hire'],
    ['we hire not', 'we hire'],
    // The first stated occurrence counts, even after a negated one.
    ['If we hire, we grow. Now we hire', 'we hire'],
  ])('in «%s» is %j', (text, phrase) => expect(states(hiring, text)).toBe(phrase))

  it.each<[text: string, stated: boolean]>([
    ['we want a cook', true],
    ['we want a very good cook', true],
    ['we want not a cook', false],
    ['we want never a cook', false],
    // A word of the phrase itself does not negate it.
    ['no longer want a cook', true],
    ['we say no to a no', true],
  ])('with a gap in «%s»: %s', (text, stated) => {
    const table = {
      phrases: ['we want … a … cook', 'no longer want … cook', 'we say … a no'],
      before: 'not no',
      after: 'never',
    }
    expect(states(table, text) !== null).toBe(stated)
  })

  it('names who is wanted by the judge of roles', () => {
    const wanted = 'seeking a … ROLE'
    expect(states(wanted, 'seeking a senior engineer')).toBe(wanted)
    expect(states(wanted, 'seeking a better way')).toBeNull()
    expect(states(wanted, 'seeking a cook', (word) => word === 'cook')).toBe(wanted)
  })

  it('in words of two languages is undone by those of both', () => {
    const table = readPhrases({
      English: { phrases: ['in Berlin'], before: 'not', after: 'never' },
      German: { phrases: ['in Berlin'], before: 'nicht', after: 'niemals' },
      other: { phrases: ['zu Hause'] },
    })
    const stated = (text: string) => findStatement(wordsOf(text), table, () => false)
    expect(
      ['in Berlin', 'not in Berlin', 'nicht in Berlin', 'in Berlin never', 'in Berlin niemals'].map(stated),
    ).toEqual(['in Berlin', null, null, null, null])
    expect(['zu Hause', 'nicht zu Hause'].map(stated)).toEqual(['zu Hause', 'zu Hause'])
  })
})

describe('a role', () => {
  it.each<[word: string, role: boolean]>([
    ['engineer', true],
    ['engineers', true],
    ['engineerss', false],
    ['engineerx', false],
    ['engineering', false],
    ['vertriebsleiter', true],
    ['leiterhaft', false],
    ['', false],
    ['s', false],
  ])('is «%s»: %s', (word, role) => expect(isRole(word)).toBe(role))
})

describe('the words of a text', () => {
  const plain = {
    quoted: false,
    inQuotation: false,
    capitals: false,
    titled: false,
    tag: false,
    sentence: 0,
    clause: 0,
    asked: false,
  }
  it('say how each stands there', () => {
    expect(wordsOf('#Big Été: "go NOW", or A?\nC++ (x)')).toEqual(
      [
        { ...plain, text: 'big', tag: true, titled: true },
        { ...plain, text: 'ete', titled: true },
        { ...plain, text: 'go', clause: 1, quoted: true, inQuotation: true },
        { ...plain, text: 'now', clause: 1, inQuotation: true, capitals: true, titled: true },
        { ...plain, text: 'or', clause: 2 },
        { ...plain, text: 'a', clause: 2, titled: true },
        { ...plain, text: 'c++', sentence: 1, clause: 3, capitals: true, titled: true },
        { ...plain, text: 'x', sentence: 1, clause: 4 },
      ].map((word) => (word.sentence === 0 ? { ...word, asked: true } : word)),
    )
  })
  it.each<[text: string, words: readonly string[]]>([
    ['C# and F#x', ['c#', 'and', 'f', 'x']],
    ["it's well-known", ['it', 's', 'well', 'known']],
    ['a - b', ['a', 'b']],
    ['', []],
    ['… !', []],
  ])('of «%s» are %j', (text, words) => expect(asWords(text)).toEqual(words))
  it.each<[text: string, sentence: 'same' | 'next', clause: 'same' | 'next']>([
    ['a b', 'same', 'same'],
    ['a, b', 'same', 'next'],
    ['a; b', 'same', 'next'],
    ['a: b', 'same', 'next'],
    ['a (b)', 'same', 'next'],
    ['a – b', 'same', 'next'],
    ['a — b', 'same', 'next'],
    ['a - b', 'same', 'next'],
    ['a-b', 'same', 'same'],
    ['a. b', 'next', 'next'],
    ['a! b', 'next', 'next'],
    ['a… b', 'next', 'next'],
    ['a\nb', 'next', 'next'],
    ['a?! b', 'next', 'next'],
    ['"a" b', 'same', 'same'],
  ])('the second word of «%s» stands in the %s sentence and the %s clause', (text, sentence, clause) => {
    const [first, second] = wordsOf(text)
    expect([first!.sentence, first!.clause]).toEqual([0, 0])
    expect([second!.sentence, second!.clause]).toEqual([sentence === 'next' ? 1 : 0, clause === 'next' ? 1 : 0])
  })
  it.each<[text: string, asked: readonly boolean[]]>([
    ['a? b', [true, false]],
    ['a. b? c', [false, true, false]],
    ['a?! b', [true, false]],
    ['a, b? c', [true, true, false]],
    ['a b', [false, false]],
  ])('of «%s» are asked where their sentence is', (text, asked) =>
    expect(wordsOf(text).map((word) => word.asked)).toEqual(asked),
  )
})

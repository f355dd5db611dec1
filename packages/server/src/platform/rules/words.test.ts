import { describe, expect, it } from 'vitest'
import { contained, needleOf, partsOf, prepare, termFinder } from './matching.ts'
import { cut, fold } from './words.ts'

/** What `cut` reports, in order: words as they are, signs in brackets, gaps as a bar. */
function reported(folded: string): string {
  const seen: string[] = []
  cut(folded, {
    word: (start, end) => seen.push(folded.slice(start, end)),
    sign: (start, end) => seen.push(`[${folded.slice(start, end)}]`),
    gap: () => seen.push('|'),
  })
  return seen.join(' ')
}

describe('text as it is compared', () => {
  it.each([
    ['Head of SALES, 2nd!', 'head of sales, 2nd!'],
    ['É', 'e'],
    ['Straße', 'strasse'],
    ['Œuvre æon', 'oeuvre aeon'],
    ['ŁÓDŹ Đakovo smørrebrød', 'lodz dakovo smorrebrod'],
    ['ΟΔΟΣ ς', 'οδοσ σ'],
    ['İstanbul', 'istanbul'],
    ['ﬁscal 𝗛𝗶', 'fiscal hi'],
    ['a™b', 'a b'],
    ['a\u200bb℠c®d©', 'ab c d '],
    ['Co\u2011Founder, Women’s', "co-founder, women's"],
    ['STRAẞE Οδυσσεύς ırmak', 'strasse οδυσσευσ irmak'],
    ['soft\u00adware', 'software'],
    ['❤\ufe0f', '❤'],
    ['مُدِير مـــدير', 'مدير مدير'],
    ['מְנַהֵל', 'מנהל'],
    ['ガ'.normalize('NFD'), 'ガ'],
    ['영업'.normalize('NFD'), '영업'],
    [`ก${'\u0e48'.repeat(8)}`, `ก${'\u0e48'.repeat(8)}`],
    [`ก${'\u0e48'.repeat(9)}`, `ก${'\u0e48'.repeat(8)}`],
    [`ก${'\u0e48'.repeat(30)}ข${'\u0e48'.repeat(30)}`, `ก${'\u0e48'.repeat(8)}ข${'\u0e48'.repeat(8)}`],
  ])('%j is %j', (text, folded) => expect(fold(text)).toBe(folded))

  it.each(['"', "'", '׳', '״', '‘', '’', '“', '”'])(
    '%s between Hebrew letters is the mark of an abbreviation',
    (quote) => {
      expect(fold(`מנכ${quote}ל`)).toBe('מנכל')
      const plain = '׳‘’'.includes(quote) ? "'" : quote
      expect(fold(`${quote}מנהל${quote} a${quote}b`)).toBe(`${plain}מנהל${plain} a${plain}b`)
    },
  )

  it.each([
    ['المبيعات', 'مبيعات'],
    ['والمبيعات فالمبيعات بالمبيعات كالمبيعات', 'مبيعات مبيعات مبيعات مبيعات'],
    ['للمبيعات', 'مبيعات'],
    ['المدي', 'مدي'],
    ['المد', 'المد'],
    ['سالمبيعات', 'سالمبيعات'],
    ['5المبيعات', '5المبيعات'],
    ['(المبيعات)', '(مبيعات)'],
    ['الabc', 'الabc'],
  ])('the Arabic article of %j goes: %j', (text, folded) => expect(fold(text)).toBe(folded))
})

describe('a cut', () => {
  it.each([
    ['', ''],
    [' ,. ', ''],
    ['head of sales', 'head of sales'],
    ['b2b, x', 'b2b x'],
    ['#hiring', '[#] hiring'],
    ['we #hiring', 'we [#] hiring'],
    ['@ada $5 .net', '[@] ada [$] 5 [.] net'],
    ['%3 +4 -5', '3 4 5'],
    ['##a', '[#] a'],
    ['# a', 'a'],
    ['a#b', 'a b'],
    ['inter.net', 'inter net'],
    ['c++', 'c [++]'],
    ['c++ c# 50%', 'c [++] c [#] 50 [%]'],
    ['c++.', 'c [++]'],
    ['c++x', 'c x'],
    ['c#.net', 'c [#] [.] net'],
    ['c ++', 'c'],
    ['c$', 'c'],
    ['\u0301a', 'a'],
    ['𝄞a', 'a'],
    ['a𝄞#b', 'a [#] b'],
    ['𐐨𐐩 𐐨', '𐐨𐐩 𐐨'],
    ['🚀🚀 🚀', '🚀 🚀 🚀'],
    ['a🚀b', 'a 🚀 b'],
    ['c++🚀', 'c 🚀'],
  ])('of %j: %j', (text, cuts) => expect(reported(text)).toBe(cuts))

  it.each([
    ['销售', '销 售'],
    ['销 售', '销 售'],
    ['销 \u3000 售', '销 售'],
    ['销，售', '销 | 售'],
    ['销\n售', '销 | 售'],
    ['销 ，售', '销 | 售'],
    ['销， 售', '销 | 售'],
    ['销 a 售', '销 a 售'],
    ['a 销', 'a 销'],
    ['销 🚀 售', '销 🚀 售'],
    ['セールス', 'セ ー ル ス'],
    ['ㄅㄆ', 'ㄅ ㄆ'],
    ['영업', '영 업'],
    ['영 업', '영 | 업'],
    ['ก่ข', 'ก่ ข'],
    ['ก่ ข', 'ก่ | ข'],
    ['ກຂ', 'ກ ຂ'],
    ['កខ', 'ក ខ'],
    ['ကခ', 'က ခ'],
    ['销ก', '销 ก'],
    ['销 ก', '销 | ก'],
    ['ก 销', 'ก | 销'],
    ['บिक', 'บि क'],
    ['我们做saas销售', '我 们 做 saas 销 售'],
  ])('where characters are words, of %j: %j', (text, cuts) => expect(reported(text)).toBe(cuts))
})

describe('what a term asks for', () => {
  it.each([
    ['Sales', { words: ['sales'], signed: false, tight: true, literal: null }],
    ['Head of', { words: ['head', 'of'], signed: false, tight: true, literal: null }],
    ['C++', { words: ['c', '++'], signed: true, tight: false, literal: null }],
    ['#Hiring now', { words: ['#', 'hiring', 'now'], signed: true, tight: false, literal: null }],
    ['销售', { words: ['销', '售'], signed: false, tight: true, literal: null }],
    ['영 업', { words: ['영', '업'], signed: false, tight: false, literal: null }],
    ['&', { words: [], signed: false, tight: false, literal: '&' }],
    ['"&"', { words: [], signed: false, tight: false, literal: '&' }],
    [' ™\ufe0f ', { words: [], signed: false, tight: false, literal: '™' }],
    ['€ $', { words: [], signed: false, tight: false, literal: '€ $' }],
    ['@', { words: [], signed: false, tight: false, literal: '@' }],
    ['§', { words: [], signed: false, tight: false, literal: '§' }],
    ['!?', null],
    ['"', null],
    ['', null],
    ['-', null],
  ])('%j: %j', (term, needle) => expect(needleOf(term)).toEqual(needle))
})

describe('a text contains', () => {
  it.each<readonly [term: string, text: string, isThere: boolean]>([
    ['a b', 'x a b y', true],
    ['a b', 'a x b', false],
    ['a b', 'b a', false],
    ['a b', 'a', false],
    ['a b a c', 'a b a b a c', true],
    ['a a b', 'a a a b', true],
    ['a b a b b', 'a b a b a b b', true],
    ['a b a a', 'a b a b a a', true],
    ['a a a b', 'a a b a a b', false],
    ['a b', 'a a x a b', true],
    ['a b c', 'a b b c', false],
    ['a a b c', 'a a b a b c', false],
    ['a a b c', 'a a b a a b c', true],
    ['#a', 'x #a', true],
    ['#a', 'x a', false],
    ['#a', '# a', false],
    ['c++ dev', 'a C++ dev', true],
    ['c++ dev', 'a c dev', false],
    ['c++', 'c+', false],
    ['กข', 'กข', true],
    ['กข', 'ก ข', false],
    ['กข', 'กข ค', true],
    ['กข', 'ค กข', true],
    ['กข', 'ก ขก ข กข', true],
    ['กข', 'ก ขก ข ค', false],
    ['ก ข', 'กข', true],
    ['ก ข', 'ก ข', true],
    ['&', 'R&D', true],
    ['&', 'R and D', false],
    ['™', 'Acme™\ufe0f', true],
    ['€ $', '5 €\ufe0f $', true],
    ['', 'anything', false],
    ['!', 'anything!', false],
  ])('%j of %j: %s', (term, text, isThere) => expect(contained(prepare([needleOf(term)]), text)).toEqual([isThere]))

  it('each of several terms by itself, in their order', () => {
    const finder = prepare(['a b', '#a', 'b', '&', 'กข', 'c', ''].map(needleOf))
    expect(contained(finder, '#a b')).toEqual([true, true, true, false, false, false, false])
    expect(contained(finder, 'a, b & กข ค')).toEqual([true, false, true, true, true, false, false])
    expect(contained(finder, 'a c b ก ข')).toEqual([false, false, true, false, false, true, false])
    expect(contained(finder, '')).toEqual([false, false, false, false, false, false, false])
  })
})

describe('the parts of a term', () => {
  it.each([
    ['a "b c" d', ['a', '"b c"', 'd']],
    ['"a b', ['"a b']],
    ['a"b c"d', ['a', '"b c"', 'd']],
    ['"" a', ['a']],
    ['" " a', ['a']],
    ['  ', []],
    ['', []],
  ])('%j are %j', (term, parts) => expect(partsOf(term)).toEqual(parts))

  it.each([
    ['sales ops', 'ops of sales', null],
    ['sales ops', 'sales', 'ops'],
    ['sales ops', '', 'sales'],
    ['"sales ops"', 'ops sales', '"sales ops"'],
    ['x "sales ops"', 'X: sales ops', null],
    ['research & development', 'development of research', null],
    ['&', 'R&D', null],
    ['&', 'R and D', '&'],
    ['& ™', 'a & b', '™'],
    ['! a', 'b', 'a'],
    ['!', 'b', null],
    ['', 'b', null],
  ])('%j in %j lacks %j', (term, text, lacking) => expect(termFinder(term)(text)).toBe(lacking))
})

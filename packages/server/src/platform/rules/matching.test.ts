/** One table of what counts as «the text has the term», checked against every implementation of the question. */
import { describe, expect, it } from 'vitest'
import { fitJudge } from '../../modules/fit/rules/agent-fit.ts'
import { topicJudge } from '../../modules/fit/rules/topics.ts'
import { parseExpression } from '../../modules/keywords/rules/expression.ts'
import { expressionJudge, judgeTargeting } from '../../modules/keywords/rules/judge-post.ts'
import { contained, needleOf, prepare } from './matching.ts'
import { headlineHasAny, textHasTerm } from '../../providers/network/normal/search.ts'

const author = (headline: string) => ({ kind: 'person' as const, urn: null, name: null, url: null, headline })
const title = (titles: string[], jobTitle: string) =>
  fitJudge(
    { titles, industries: [], companySizes: [], countries: [] },
    () => null,
  )({ jobTitle, country: null, industry: null, staffRange: null, employeeCount: null }).listed
const industry = (wanted: string, held: string) =>
  fitJudge(
    { titles: [], industries: [wanted], companySizes: [], countries: [] },
    () => null,
  )({ jobTitle: null, country: null, industry: held, staffRange: null, employeeCount: null }).parts[0]!.outcome ===
  'match'

function byExpression(term: string, text: string): boolean {
  const parsed = parseExpression(/["\s]/.test(term) ? `"${term.replaceAll('"', '״')}"` : term)
  if (!parsed.ok) throw new Error(parsed.message)
  return expressionJudge(parsed.expression)(text).kept
}

const askers: readonly [string, (term: string, text: string) => boolean][] = [
  ['the matcher', (term, text) => contained(prepare([needleOf(term)]), text)[0]!],
  ['an expression', byExpression],
  ['the title of an agent', (term, text) => title([term], text)],
  ['the topic of an agent', (term, text) => topicJudge([term])(text) !== null],
  ['the industry of an agent', industry],
  ['an adapter that judges a text', (term, text) => textHasTerm(text, term)],
  ['an adapter that judges a headline', (term, text) => headlineHasAny(author(text), [term])],
  [
    'targeting that no vendor applied',
    (term, text) => judgeTargeting(author(text), { authorKeyword: [term] }, ['authorKeyword']) === null,
  ],
]

/** Script, term, text, whether the text has it. */
const cases: readonly [string, string, string, boolean][] = [
  ['Latin', 'sales', 'Head of SALES, EMEA', true],
  ['Latin', 'sales', 'wholesales', false],
  ['Latin', 'café', 'Cafe owner', true],
  ['Latin', 'Måløy', 'maloy', true],
  ['Latin', 'Strasse', 'Straße', true],
  ['Chinese', '销售总监', '高级销售总监', true],
  ['Chinese', '销售', '我们招聘销售人员', true],
  ['Chinese', '销售', '运营推销，售后服务', false],
  ['Chinese', '销售', '推销\n售后', false],
  ['Chinese', '销售', '销 售', true],
  ['Chinese', '营销', '我们招聘销售人员', false],
  ['Chinese', 'SaaS', '我们做SaaS销售', true],
  ['Japanese', '営業', '営業部長', true],
  ['Japanese', '営業', '法人営業マネージャー', true],
  ['Japanese', 'マネージャー', '法人営業マネージャー', true],
  ['Japanese', 'ﾏﾈｰｼﾞｬｰ', '営業マネージャー', true],
  ['Japanese', 'カス', 'ガスの会社', false],
  ['Japanese', 'セールス', '「セールス」の仕事', true],
  ['Korean', '영업', '영업팀장', true],
  ['Korean', '영업', '해외영업팀 팀장', true],
  ['Korean', '영업', '영업을 합니다', true],
  ['Korean', '영업', '운영 업무 담당', false],
  ['Korean', '가구', '각구', false],
  ['Korean', 'SaaS', 'SaaS를 팝니다', true],
  ['Korean', '영업 팀장', '서울 영업 팀장입니다', true],
  ['Korean', '영업'.normalize('NFD'), '영업팀장', true],
  ['Thai', 'ขาย', 'ผู้จัดการฝ่ายขาย', true],
  ['Thai', 'การตลาด', 'ผู้อำนวยการการตลาดดิจิทัล', true],
  ['Thai', 'ผู้จัดการ', 'ผู้จัดการ', true],
  ['Thai', 'เสือ', 'เสื้อ', false],
  ['Arabic', 'مدير', 'مُدِير', true],
  ['Arabic', 'مُدِير', 'مدير التسويق', true],
  ['Arabic', 'مبيعات', 'مدير المبيعات', true],
  ['Arabic', 'تسويق', 'خبير بالتسويق', true],
  ['Arabic', 'أعمال', 'رائد اعمال', true],
  ['Arabic', 'مدير', 'مـــديـر', true],
  ['Arabic', 'مدير', 'مديرية', false],
  ['Hebrew', 'מנהל', 'מְנַהֵל מכירות', true],
  ['Hebrew', 'מְנַהֵל', 'מנהל מכירות', true],
  ['Hebrew', 'מנכ״ל', 'מנכ"ל ומייסד', true],
  ['Hebrew', 'מנכל', 'מנכ״ל', true],
  ['Hebrew', 'מנהל', 'מנהלת', false],
  ['Hindi', 'बिक्री', 'बिक्री प्रबंधक', true],
  ['Hindi', 'बिक', 'बिक्री', false],
  ['Greek', 'ΠΩΛΗΣΕΙΣ', 'πωλήσεις', true],
  ['Cyrillic', 'продажи', 'Директор, ПРОДАЖИ', true],
]

describe.each(askers)('%s', (_who, has) => {
  it.each(cases)('%s: %j in %j is %s [EXP-05, AGT-63, KEY-22]', (_script, term, text, expected) => {
    // An industry also matches if it is the broader of the two.
    if (has === industry && !expected && contained(prepare([needleOf(text)]), term)[0]) return
    expect(has(term, text)).toBe(expected)
  })
})

describe('symbols', () => {
  it.each([
    ['❤', 'We ❤️ sales', true],
    ['❤️', 'We ❤ sales', true],
    ['❤', 'We love sales', false],
    ['™', 'Acme™ is here', true],
    ['™', 'Acme is here', false],
    ['&', 'R&D', true],
    ['&', 'R and D', false],
    ['€', '5 € a day', true],
  ])('%j in %j is %s', (term, text, expected) => {
    for (const has of [byExpression, (one: string, other: string) => textHasTerm(other, one)])
      expect(has(term, text)).toBe(expected)
  })
  it('between words ask for nothing', () => {
    expect(textHasTerm('Development of research', 'research & development')).toBe(true)
  })
})

describe('hostile text', () => {
  const needles = ['영업', '销售', 'ขาย', 'مبيعات', 'מנכ"ל', '&', '"a b"'].map(needleOf)
  it.each([
    ['Hangul and spaces', '영 '.repeat(300_000)],
    ['ideographs and spaces', `销${' '.repeat(900_000)}售`],
    ['the Arabic article', 'وال'.repeat(300_000)],
    ['Hebrew and quotes', 'א"'.repeat(500_000)],
    ['quotes', '"'.repeat(1_000_000)],
    ['marks', `ก${'\u0e48'.repeat(1_000_000)}`],
    ['variation selectors', '\ufe0f'.repeat(1_000_000)],
  ])('of 1 MB of %s is read in time linear in it', (_what, text) => {
    const finder = prepare(needles)
    const took = () => {
      const start = performance.now()
      contained(finder, text)
      return performance.now() - start
    }
    expect(Math.min(took(), took(), took())).toBeLessThan(10_000)
  })
})

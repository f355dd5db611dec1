/** Size budgets of answers when a model asks for nothing in particular. */
import { recordedExamples, type OperationId } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { answerBudget, brief, briefRows, pageOfTools, readDetail } from './brief.ts'
import { successResult } from './answer.ts'

/** English has about four characters per token. */
const tokens = (value: unknown) => Math.round(JSON.stringify(value).length / 4)
const plain = { full: false, fields: null }

/** A page of an operation with rows as long as real ones: the recorded row, with a comment and a text of 300 characters. */
function pageOf(id: OperationId, count: number): Record<string, unknown> {
  const answer = recordedExamples.operations[id]!.answers[200] as Record<string, unknown>
  const { under } = briefRows[id]!
  const [row = { text: 'word '.repeat(60), postUrn: 'urn:li:activity:7395000000000000001' }] = answer[under] as Record<
    string,
    unknown
  >[]
  const long = { ...row, ...('commentText' in row ? { commentText: 'word '.repeat(60) } : {}) }
  return { ...answer, [under]: Array.from({ length: count }, () => long) }
}

describe('a page that nobody asked to be longer', () => {
  it('of leads is at most 2,500 tokens, marks around the texts of strangers included', () => {
    const { body, note } = brief('listLeads', pageOf('listLeads', pageOfTools), plain)
    const { structuredContent } = successResult('List leads', body, { note })
    expect(tokens(structuredContent)).toBeLessThanOrEqual(2_500)
    expect(tokens(pageOf('listLeads', pageOfTools))).toBeGreaterThan(4_000)
  })

  it.each(Object.keys(briefRows) as OperationId[])('of %s is at most 4,000 tokens', (id) => {
    const { body, note } = brief(id, pageOf(id, pageOfTools), plain)
    expect(tokens(successResult('A list', body, { note }).structuredContent)).toBeLessThanOrEqual(4_000)
  })

  it.each(Object.keys(briefRows) as OperationId[])(
    'of %s never exceeds the budget, however many rows there are',
    (id) => {
      const { body, note } = brief(id, pageOf(id, 2_000), plain)
      expect(JSON.stringify(body).length).toBeLessThanOrEqual(answerBudget)
      expect(note).toMatch(/of these 2000 /)
      expect((body[briefRows[id]!.under] as unknown[]).length).toBeGreaterThan(20)
    },
  )
})

describe('an answer', () => {
  const lead = { id: 'a', name: null, commentText: 'x'.repeat(500), companyUrl: 'https://a.example', company: 'A' }
  const answer = { leads: [lead], total: 1 }

  it('in brief has no nulls, cuts long texts, and says how to get the rest', () => {
    const { body, note } = brief('listLeads', answer, plain)
    expect(body.leads).toEqual([{ id: 'a', commentText: `${'x'.repeat(140)}…` }])
    expect(note).toContain('"detail":"full"')
  })
  it.each(['listLeads', 'listEngagers', 'listRawLeads', 'listAgentLeads'] as const)(
    'of %s in brief says who is excluded [EXC-05]',
    (id) => {
      const excluded = { list: 'do_not_contact', entryId: 'e', reason: null }
      const { under } = briefRows[id]!
      expect(
        brief(
          id,
          {
            [under]: [
              { id: 'a', excluded },
              { id: 'b', excluded: null },
            ],
          },
          plain,
        ).body[under],
      ).toEqual([{ id: 'a', excluded: { list: 'do_not_contact', entryId: 'e' } }, { id: 'b' }])
    },
  )
  it('in full is what the interface answers', () =>
    expect(brief('listLeads', answer, { full: true, fields: null })).toEqual({ body: answer, note: null }))
  it('with fields has these, and the id', () =>
    expect(brief('listLeads', answer, { full: false, fields: ['companyUrl', 'nonsense'] }).body.leads).toEqual([
      { id: 'a', companyUrl: 'https://a.example' },
    ]))
  it('of an operation without wide rows is untouched while it is short, and cut where it is longest otherwise', () => {
    expect(brief('getCredits', { balance: 1, plan: null }, plain)).toEqual({
      body: { balance: 1, plan: null },
      note: null,
    })
    const job = {
      jobId: 'j',
      result: { reactions: Array.from({ length: 3_000 }, (_, at) => ({ name: `Person ${at}` })) },
    }
    const { body, note } = brief('getJobStatus', job, plain)
    expect(JSON.stringify(body).length).toBeLessThanOrEqual(answerBudget)
    expect(note).toMatch(/of these 3000 result\.reactions/)
  })
  it.each([
    [{ detail: 'all' }, '`detail` must be brief or full'],
    [{ fields: 'name' }, '`fields` must be a list of names of fields'],
    [{ fields: [1] }, '`fields` must be a list of names of fields'],
  ])('%j is refused', (given, text) => expect(readDetail(given)).toBe(text))
})

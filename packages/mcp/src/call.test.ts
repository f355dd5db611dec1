/** Calls as they reach the API: every choice of every tool, with every argument. */
import type { OperationId } from '@les/contract'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { describe, expect, it } from 'vitest'
import { callTool, type Dispatch } from './call.ts'
import { toolsOf, type Choice, type Tool } from './definition.ts'
import { kindsOf } from './schema.ts'

const context = {
  mcpReq: { requestState: () => undefined, signal: new AbortController().signal },
} as unknown as ServerContext
const questions = { ask: async () => 'token', redeem: async () => 'other' as const }

/** Calls a tool for a client with or without forms; returns what reached the API and the result. */
async function called(
  tool: Tool,
  given: Record<string, unknown>,
  canAsk = false,
): Promise<{ reached: { id: OperationId; input: object; key: string | undefined }[]; result: CallToolResult }> {
  const reached: { id: OperationId; input: object; key: string | undefined }[] = []
  const dispatch: Dispatch = async (id, input, { idempotencyKey }) => (
    reached.push({ id, input, key: idempotencyKey }), { status: 200, body: { ok: true } }
  )
  return {
    reached,
    result: (await callTool({ dispatch, questions, canAsk: () => canAsk, newKey: () => 'made' }, tool, {
      sent: given,
      context,
    })) as CallToolResult,
  }
}

const selected = (tool: Tool, { key }: Choice) =>
  Object.fromEntries(tool.entry.selectors.map(({ name }, at) => [name, key.split(' ')[at]!]))
const tools = toolsOf({ toolsets: null, readOnly: false })
const toolNamed = (name: string) => tools.find(({ entry }) => entry.name === name)!
const choices = tools.flatMap((tool) =>
  tool.choices.map((choice) => [`${tool.entry.name} ${choice.key}`.trim(), tool, choice] as const),
)

describe.each(choices)('%s', (_name, tool, choice) => {
  const fields = Object.fromEntries(choice.fields.map((name) => [name, `value of ${name}`]))

  it.each([false, true])(
    'reaches its operation with every argument it takes, and with what the tool fills in; the client has forms: %s',
    async (canAsk) => {
      const { reached, result } = await called(
        tool,
        { ...selected(tool, choice), ...fields, idempotencyKey: 'k' },
        canAsk,
      )
      expect(result.isError).toBeUndefined()
      expect(reached).toMatchObject([{ id: choice.operation.id, input: fields, key: 'k' }])
      const filledIn = Object.keys(reached[0]!.input).filter((name) => !(name in fields))
      expect(filledIn.every((name) => name in (tool.entry.preset ?? {}))).toBe(true)
    },
  )

  it('refuses an argument it does not take, before anything is reached', async () => {
    const { reached, result } = await called(tool, { ...selected(tool, choice), nonsense: 1 })
    expect([reached, result.isError]).toEqual([[], true])
  })
})

const examples: Readonly<Record<string, unknown>> = {
  array: ['one', 'two'],
  object: { unknown: 1 },
  integer: 20,
  number: 20.5,
  boolean: true,
}

describe('an argument', () => {
  it(
    'of null is an absent one in every tool, whatever kind it has, also where another choice of the tool has it; ' +
      'where null has a meaning it keeps it [WLD-05, G165]',
    async () => {
      const meant = new Set<string>()
      for (const [, tool, choice] of choices) {
        const everything = Object.fromEntries(
          Object.keys(tool.inputSchema.properties as object).map((name) => [name, null]),
        )
        const { reached, result } = await called(tool, { ...everything, ...selected(tool, choice) })
        expect([choice.operation.id, result.isError]).toEqual([choice.operation.id, undefined])
        const own = Object.fromEntries(
          Object.entries(reached[0]!.input).filter(
            ([name]) => !(name in (tool.entry.preset ?? {})) && name !== 'limit',
          ),
        )
        for (const [name, value] of Object.entries(own)) {
          expect([name, value]).toEqual([name, null])
          meant.add(name)
        }
      }
      expect([...meant].toSorted().join(' ')).toBe(
        'aiModel aiPrompt aiProvider campaignId contentType countries creditCapPerSync endAt filters ' +
          'firstSyncDays firstSyncPosts keepLeadsDays keepUnfitDays maxEngagementsPerPost maxRuns name outreach reason ' +
          'webhook webhookUrl ' +
          'website',
      )
    },
  )

  it('of the tools themselves is absent as null, and read as text, also in a tool that does not declare it [WLD-05, WLD-21]', async () => {
    const job = toolNamed('get_job')
    const own = { of: 'job', jobId: 'x', detail: null, fields: null, quoteToken: null, idempotencyKey: null }
    for (const more of [
      { showSecret: null, confirmSpend: null },
      { fields: '["status"]', showSecret: 'false' },
    ]) {
      const { reached, result } = await called(job, { ...own, ...more })
      expect([reached.length, result.isError]).toEqual([1, undefined])
    }
  })

  it('that chooses is its default when it is null, and one that no tool knows is refused even as null [WLD-05]', async () => {
    const leads = toolNamed('search_leads')
    expect((await called(leads, { view: null, jobTitle: null })).reached).toMatchObject([{ id: 'listLeads' }])
    expect((await called(leads, { jobtitle: null })).result.isError).toBe(true)
  })

  it('written as the exact text of a list, object, number or flag is that, in every tool [WLD-21, G165]', async () => {
    let tried = 0
    for (const [, tool, choice] of choices)
      for (const name of choice.fields) {
        const kinds = kindsOf(choice.schemas[name]!)
        const kind = kinds.find((one) => one in examples)
        if (kind === undefined || kinds.includes('string')) continue
        const value = examples[kind]
        const { reached } = await called(tool, { ...selected(tool, choice), [name]: JSON.stringify(value) })
        expect([choice.operation.id, name, (reached[0]!.input as Record<string, unknown>)[name]]).toEqual([
          choice.operation.id,
          name,
          value,
        ])
        tried++
      }
    expect(tried).toBeGreaterThan(50)
  })

  const reachedWith = async (name: string, given: Record<string, unknown>) =>
    (await called(toolNamed(name), given)).reached[0]!.input

  it('is read inside lists and objects too, however they were written [WLD-05, WLD-21]', async () => {
    const row = { column: 'companyEmployeeCount', operator: 'at_least', value: '50' }
    const webhook = {
      url: 'https://a.example/',
      autoSend: 'true',
      filters: JSON.stringify([row, { column: 'jobTitle', operator: 'is_empty', value: null }, 'no row']),
    }
    expect(await reachedWith('save_agent', { webhook: JSON.stringify(webhook), outreach: { autoSend: null } })).toEqual(
      {
        webhook: {
          url: 'https://a.example/',
          autoSend: true,
          filters: [{ ...row, value: 50 }, { column: 'jobTitle', operator: 'is_empty' }, 'no row'],
        },
        outreach: {},
      },
    )
    expect(await reachedWith('save_agent', { webhook: { url: 'https://a.example/', filters: null } })).toEqual({
      webhook: { url: 'https://a.example/', filters: null },
    })
  })

  it.each([
    ['in', 'country', '["France","Spain"]', ['France', 'Spain']],
    ['in', 'company_employee_count', '["50",100]', [50, 100]],
    ['contains', 'jobTitle', '50', '50'],
    ['contains', 'jobTitle', '[lead]', '[lead]'],
  ])('of a row of a filter is what the column holds: %s %s %s [WLD-21]', async (operator, column, value, read) =>
    expect(
      await reachedWith('configure_delivery', {
        settings: 'icp',
        id: 'an id',
        rules: [{ column, operator, value }],
      }),
    ).toMatchObject({ rules: [{ column, operator, value: read }] }),
  )

  it.each([
    ['creditCap', '020'],
    ['creditCap', '20 '],
    ['creditCap', '0x14'],
    ['creditCap', `1${'0'.repeat(400)}`],
    ['creditCap', 'null'],
    ['captureReplies', 'True'],
    ['captureReplies', '1'],
    ['keywords', 'cold email'],
    ['keywords', '{"a":1}'],
    ['keywords', '["a"'],
    ['keywords', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['name', '["a"]'],
    ['name', 'true'],
  ])('that is not exactly that, or belongs where a text does, is left as it is: %s, %# [WLD-21]', async (name, text) =>
    expect(await reachedWith('save_keyword_search', { action: 'create', [name]: text })).toMatchObject({
      [name]: text,
    }),
  )

  it('of the tools themselves is read the same way [WLD-05, WLD-21]', async () => {
    const rows = { leads: [{ id: 'a', name: 'b', companyName: 'c' }] }
    const parts = {
      dispatch: async () => ({ status: 200, body: rows }),
      questions,
      canAsk: () => false,
      newKey: () => '',
    }
    const shown = async (sent: Record<string, unknown>) =>
      ((await callTool(parts, toolNamed('search_leads'), { sent, context })) as CallToolResult).structuredContent
    expect(await shown({ fields: '["companyName"]', detail: null })).toEqual({
      leads: [{ id: 'a', companyName: '<untrusted_text>c</untrusted_text>' }],
    })
    expect(await shown({ fields: null, detail: 'full' })).toMatchObject({ leads: [{ name: expect.any(String) }] })
  })
})

describe('a call that can charge', () => {
  it('goes out with a key of its own unless one is given, which the quote names too; what cannot charge goes without', async () => {
    for (const [, tool, choice] of choices) {
      const { reached } = await called(tool, selected(tool, choice))
      expect([choice.operation.id, reached[0]!.key]).toEqual([
        choice.operation.id,
        choice.operation.charges ? 'made' : undefined,
      ])
    }
    const fetchPosts = toolNamed('fetch_posts')
    expect(fetchPosts.annotations.idempotentHint).toBe(false)
    const dispatch: Dispatch = async () => ({
      status: 409,
      body: { error: 'costs', code: 'spend_confirmation_required', estimatedCredits: 5 },
    })
    const quoted = (await callTool({ dispatch, questions, canAsk: () => false, newKey: () => 'made' }, fetchPosts, {
      sent: { what: 'untracked_person', username: 'jane', posts: 5 },
      context,
    })) as CallToolResult
    expect(quoted.content).toMatchObject([
      {
        text: expect.stringMatching(
          /this call: fetch_posts \{"what":"untracked_person","username":"jane","posts":5,"idempotencyKey":"made","quoteToken":"token"\}\n/,
        ),
      },
    ])
  })
})

describe('selectors', () => {
  it('a default is used when one is left out; a choice there is not is refused with those there are', async () => {
    expect((await called(toolNamed('search_leads'), {})).reached).toMatchObject([{ id: 'listLeads' }])
    expect(
      (await called(toolNamed('get_delivery_settings'), { settings: 'outreach', by: 'person', username: 'x' })).result
        .content,
    ).toMatchObject([{ text: expect.stringContaining('outreach with person is not offered') }])
  })
})

describe('a call that would spend', () => {
  const input = { saveTrackedProfile: true, username: 'jane', mode: 'posts_only', postsPerSync: 7 }

  /** Calls on an API that requires confirmation; returns what reached it, the questions, and the used tokens. */
  async function spent({ canAsk, more }: { readonly canAsk: boolean; readonly more: object }) {
    const reached: object[] = []
    const asked: object[] = []
    const used: string[] = []
    const dispatch: Dispatch = async (_id, body) => (
      reached.push(body),
      { status: 409, body: { error: 'Yes?', code: 'spend_confirmation_required', estimatedDailyMax: 7 } }
    )
    const ask = async (question: object) => (asked.push(question), 'sealed')
    const redeem = async (token: string) => (used.push(token), 'used' as const)
    const result = await callTool(
      { dispatch, questions: { ask, redeem }, canAsk: () => canAsk, newKey: () => 'made' },
      toolNamed('track_source'),
      { sent: { kind: 'person', username: 'jane', mode: 'posts_only', postsPerSync: 7, ...more }, context },
    )
    return { reached, asked, used, state: (result as { readonly requestState?: string }).requestState }
  }
  const question = { operationId: 'enrichProfile', input }

  it('is never performed on the word of the model: confirmSpend is nothing, and a client with forms asks its user', async () => {
    for (const canAsk of [false, true])
      expect(await spent({ canAsk, more: { confirmSpend: true } })).toMatchObject({
        reached: [input],
        asked: [question],
      })
    expect(await spent({ canAsk: true, more: { confirmSpend: true, quoteToken: 'sealed' } })).toEqual({
      reached: [input],
      asked: [question],
      used: [],
      state: 'sealed',
    })
  })

  it('sent again under its idempotencyKey, since its answer was lost, goes without a yes: it is replayed or quoted', async () => {
    const again = { quoteToken: 'sealed', idempotencyKey: 'mine' }
    expect(await spent({ canAsk: false, more: again })).toMatchObject({ reached: [input], asked: [question] })
  })
})

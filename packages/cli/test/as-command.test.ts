import { asCurl, asLes, basePath, layOut, pathWith, registry, shellWord, type Operation } from '@les/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { les, startStub, type Stub } from './shell.ts'

let stub: Stub
beforeAll(async () => {
  stub = await startStub(() => ({ body: { ok: true } }))
})
afterAll(() => stub.close())

const wordsOfLine = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(.)/g, (_all, quoted?: string, escaped?: string) => quoted ?? escaped ?? ''),
  )

const withExample = (registry as readonly Operation[]).filter(({ example }) => example !== undefined)

describe('a call as a command', () => {
  it.each(withExample.map((operation) => [operation.id, operation] as const))(
    '%s: the command makes the same call again',
    async (_id, operation) => {
      const given = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, "o'neil x"]))
      const { params, query, body } = layOut(operation, { ...given, ...operation.example })
      const line = asLes(operation, { method: operation.method, path: pathWith(operation, params), query, body })
      stub.received.length = 0
      const ran = await les([...wordsOfLine(line).slice(1), '--yes', '--json'], { url: stub.url })
      expect([line, ran.code, ran.stderr]).toEqual([line, 0, ''])
      expect(stub.received.map((one) => [one.method, decodeURIComponent(one.path), one.body ?? {}])).toEqual([
        [operation.method, decodeURIComponent(`${basePath}${pathWith(operation, params)}`), body],
      ])
    },
  )

  it('has flags for what stands in the query', () => {
    const listLeads = (registry as readonly Operation[]).find(({ id }) => id === 'listLeads')!
    const call = {
      method: 'GET',
      path: '/leads',
      query: [
        ['isIcp', 'true'],
        ['username', "it's -x"],
      ] as const,
      body: null,
    }
    expect(asLes(listLeads, call)).toBe(`les leads list --is-icp --username 'it'\\''s -x'`)
    expect(asCurl(call, 'https://les.example.com/')).toBe(
      `curl 'https://les.example.com/api/v1/leads?isIcp=true&username=it%27s+-x' \\\n  --header "X-API-Key: $LES_API_KEY"`,
    )
  })

  it('is les api where there is no command for it: an unknown endpoint, a field without a flag, a path that was cut', () => {
    const enrich = (registry as readonly Operation[]).find(({ id }) => id === 'enrichProfile')!
    const call = { method: 'POST', path: '/enrich/profile', query: [], body: { usrname: 'x' } }
    expect(asLes(null, { ...call, body: null })).toBe('les api POST /enrich/profile')
    expect(asLes(enrich, call)).toBe(`les api POST /enrich/profile --body '{"usrname":"x"}'`)
    const untrack = (registry as readonly Operation[]).find(({ id }) => id === 'untrackProfile')!
    expect(asLes(untrack, { method: 'DELETE', path: '/profile/%E2', query: [], body: null })).toBe(
      'les api DELETE /profile/%E2',
    )
  })

  it('quotes whatever a shell would read otherwise', () => {
    expect(['plain-1.x', '', '$HOME', 'a b', "it's"].map(shellWord)).toEqual([
      'plain-1.x',
      "''",
      "'$HOME'",
      "'a b'",
      `'it'\\''s'`,
    ])
  })
})

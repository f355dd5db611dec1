import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signedHeaders } from '../sending/signing.ts'
import { debugSignature } from './debug-signature.ts'

const secret = () => `whsec_${randomBytes(32).toString('base64')}`
const [current, previous, retired, foreign] = [secret(), secret(), secret(), secret()]
const secrets = { current, previous, retired: null }
const at = new Date('2026-11-21T09:00:00.000Z')
const now = new Date(at.getTime() + 2_000)
const body = '{"event":"lead.detected","id":"d-1","text":"Zoë 李"}'

const sign = (by: { current: string; previous: string | null } = { current, previous: null }) =>
  signedHeaders({ id: 'd-1', event: 'lead.detected', body: Buffer.from(body) }, by, at)
const lines = (headers: Record<string, string>, newline = '\n') =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(newline)
const wrongOf = (report: ReturnType<typeof debugSignature>) =>
  report.findings.filter(({ ok }) => !ok).map(({ text }) => text)

describe('the signature debugger', () => {
  it('knows the secret before while it still signs, and tells one that was replaced [WHK-13]', () => {
    const old = lines(sign({ current: previous, previous: null }))
    expect(debugSignature({ headers: old, body }, secrets, now)).toMatchObject({
      valid: true,
      findings: [
        {
          text: expect.stringContaining(
            'the signing secret before, which still signs beside the current one',
          ) as string,
        },
        {},
        {},
      ],
    })
    const gone = debugSignature(
      { headers: lines(sign({ current: retired, previous: null })), body },
      { current, previous: null, retired },
      now,
    )
    expect(gone.valid).toBe(false)
    expect(wrongOf(gone)[0]).toContain('signed with the secret that was replaced, which signs nothing any more')
    expect(
      debugSignature(
        { headers: lines(sign({ current, previous })), body },
        { current: previous, previous: null, retired: null },
        now,
      ).valid,
    ).toBe(true)
  })
  it('never says a secret', () => {
    for (const pasted of [
      { headers: lines(sign()), body },
      { headers: lines(sign()), body: 'x', secret: foreign },
      { headers: '', body: '' },
    ]) {
      const said = JSON.stringify(debugSignature(pasted, { current, previous, retired }, now))
      for (const kept of [current, previous, retired, foreign]) expect(said).not.toContain(kept.slice(6, 30))
    }
  })
})

import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../test/cpu-time.ts'
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
  it("judges by a pasted secret alone, and knows when the team's would have fitted", () => {
    expect(
      debugSignature(
        { headers: lines(sign({ current: foreign, previous: null })), body, secret: ` ${foreign}\n` },
        secrets,
        now,
      ).valid,
    ).toBe(true)
    expect(wrongOf(debugSignature({ headers: lines(sign()), body, secret: foreign }, secrets, now))[0]).toContain(
      "the delivery is signed with the team's signing secret; copy it again",
    )
    expect(wrongOf(debugSignature({ headers: lines(sign()), body, secret: 'letmein' }, secrets, now))).toEqual([
      expect.stringContaining('whsec_ and base64'),
    ])
    expect(debugSignature({ headers: lines(sign()), body, secret: '' }, secrets, now).valid).toBe(true)
  })
  it('is not slowed down by many signatures, nor thrown off by what is no delivery at all', () => {
    const many = {
      ...sign(),
      'X-Service-Signature': Array.from({ length: 280 }, () => `v1=${randomBytes(32).toString('hex')}`).join(','),
      'webhook-signature': Array.from({ length: 100 }, () => `v1,${randomBytes(32).toString('base64')}`).join(' '),
    }
    const nested = `{"id":${'['.repeat(90_000)}${']'.repeat(90_000)}}`
    for (const sent of ['x'.repeat(200_000), nested, '', 'null', '[]', '\ufeff{}'])
      expect(debugSignature({ headers: lines(many), body: sent }, secrets, now).valid).toBe(false)
    // The body is hashed once per secret; hashing per signature would make 380 of them cost 190 times as much as two.
    const large = 'x'.repeat(200_000)
    const cost = (headers: Record<string, string>) =>
      cpuMs(10, () => void debugSignature({ headers: lines(headers), body: large }, secrets, now))
    expect(cost(many) / cost(sign())).toBeLessThan(40)
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

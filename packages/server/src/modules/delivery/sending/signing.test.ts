/** Only details: signatures of whole deliveries are tested in `test/delivery/signature` and `test/scenarios/rotation`. */
import { expect, it } from 'vitest'
import { signedHeaders } from './signing.ts'

const message = { id: '01a19b45-b800-7008-b7e0-bfe5130950f9', event: 'lead.detected', body: Buffer.from('{}') }
const sign = (current: string) =>
  signedHeaders(message, { current, previous: null }, new Date('2026-11-02T08:00:00.999Z'))

it('the timestamp is of the last whole second [WHK-14]', () =>
  expect(sign(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)).toMatchObject({
    'X-Service-Timestamp': '1793606400',
    'webhook-timestamp': '1793606400',
  }))

it('a secret of another shape signs nothing', () => expect(() => sign('abc')).toThrow('whsec_'))

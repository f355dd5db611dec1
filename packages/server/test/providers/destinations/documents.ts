import type { DeliveryRecord, LeadDocument } from '../../../src/providers/destinations/index.ts'
import { documentOf, hostileTexts } from './stage.ts'

/** A record of a person to deliver, complete except for `change`. */
export const recordAbout = (
  personKey: string,
  { remote = null, isSample = false, ...change }: Partial<DeliveryRecord & LeadDocument> = {},
): DeliveryRecord => ({ id: `delivery-${personKey}`, document: documentOf(personKey, change), remote, isSample })

/** Texts that are dangerous where they are interpreted as more than text. */
export const strangeTexts: readonly string[] = [
  ...hostileTexts,
  '+1+1',
  '@here and @everyone look',
  '<!here|here> <@U012ABCDEF> <#C012ABCDEF>',
  '<https://evil.example|Your bank>',
  '*bold* _italic_ `code` ~gone~',
  'one\ntwo\r\nthree\u0000',
  '{"json":true}',
  "'; DROP TABLE leads; --",
]

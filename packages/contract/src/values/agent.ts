/** Fields of an agent's profile, cleaned and cut (specification «Engagement Agent»; G96). */
import { z } from 'zod'
import { bounds } from './bounds.ts'
import { companySizes } from './company-size.ts'
import { readText } from './fields.ts'
import { signedWordIn, signRefusal } from './search-signs.ts'
import { visibleText, withoutUnseen } from './text.ts'

/** By code point, so that no character is split. */
const cut = (text: string, most: number): string => [...text].slice(0, most).join('').trim()
const tidy = (text: string): string => visibleText(text).replace(/\s+/g, ' ').trim()

function list(
  most: number,
  clean: (text: string) => string,
  item: z.ZodType<string> = z.string({ error: 'must be text' }),
) {
  const message = `must be a list of at most ${most} texts`
  return z
    .array(item, { error: message })
    .max(most)
    .transform((texts) => texts.map(clean).filter((text) => text !== ''))
    .meta({ openapi: { type: 'array', maxItems: most, items: { type: 'string' } } })
}

const shortText = (text: string): string => cut(tidy(text), bounds.agentText)

/** The quote in a Hebrew abbreviation (`מנכ"ל`) is part of the word, not a quotation: it becomes a gershayim and stays. */
const gershayim = (text: string): string => text.replace(/(?<=\p{sc=Hebrew})["“”„״](?=\p{sc=Hebrew})/gu, '״')

const topic = z.string({ error: 'must be text' }).superRefine((text, context) => {
  const signed = signedWordIn(text)
  if (signed !== null) context.addIssue({ code: 'custom', message: signRefusal(signed, 'a topic') })
})

/** Quotes and brackets are removed, each topic is cut to 60 characters, blank ones are dropped; more than 20 are refused. */
export const agentTopics = list(
  bounds.agentTopics,
  (text) => cut(tidy(gershayim(text).replace(/["“”„‟«»‹›'‘’‚`´()[\]{}]/g, ' ')), bounds.agentTopic),
  topic,
)

export const agentTitles = list(bounds.agentTitles, shortText)

export const agentIndustries = list(bounds.agentIndustries, shortText)

export const agentCountries = list(bounds.agentCountries, shortText)

export const agentSummary = z
  .string({ error: 'must be text' })
  .transform((text) => cut(visibleText(text), bounds.agentSummary))
  .meta({ openapi: { type: 'string', description: 'Cut to 400 characters.' } })

export const agentCompanySizes = z
  .array(z.enum(companySizes, { error: `must be one of ${companySizes.join(', ')}` }), {
    error: 'must be a list of company sizes',
  })
  .transform((sizes) => companySizes.filter((size) => sizes.includes(size)))
  .meta({ openapi: { type: 'array', items: { type: 'string', enum: [...companySizes] } } })

/** The bare domain of an address; undefined when there is none. */
export function bareDomain(address: string): string | undefined {
  const text = withoutUnseen(address).trim()
  if (/[\s@\\]/.test(text)) return undefined
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
    const host = url.hostname.replace(/^www\./, '').replace(/\.$/, '')
    return /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host) && host.length <= 253
      ? host
      : undefined
  } catch {
    return undefined
  }
}

const websiteMessage = 'must be the address of a website, for example https://www.example.com, or null'

export const agentWebsite = z
  .union([readText(websiteMessage, (text) => (text.length > bounds.webhookUrl ? null : bareDomain(text))), z.null()], {
    error: websiteMessage,
  })
  .meta({ openapi: { type: ['string', 'null'], description: 'Stored as a bare domain; null removes it.' } })

const competitorMessage = `must be a list of at most ${bounds.agentCompetitors} competitors {name, domain}`

/** Competitors by name, with a domain where known; blank ones are dropped. */
export const agentCompetitors = z
  .array(
    z.strictObject(
      {
        name: z.string({ error: 'must be text' }).transform(shortText),
        domain: z
          .string({ error: 'must be a domain, as text' })
          .transform((text, context) => {
            const domain = bareDomain(text)
            if (domain === undefined)
              context.addIssue({ code: 'custom', message: 'must be a domain, for example example.com' })
            return domain
          })
          .optional(),
      },
      {
        error: (issue) =>
          issue.code === 'unrecognized_keys' ? 'takes name and domain only' : 'must be an object {name, domain}',
      },
    ),
    { error: competitorMessage },
  )
  .max(bounds.agentCompetitors)
  .transform((all) =>
    all
      .filter(({ name }) => name !== '')
      .map(({ name, domain }) => (domain === undefined ? { name } : { name, domain })),
  )
  .meta({
    openapi: {
      type: 'array',
      maxItems: bounds.agentCompetitors,
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, domain: { type: 'string' } },
      },
    },
  })

/** Any whole number of credits a day; the agent clamps it into its bounds instead of refusing it. */
export const agentDailyCredits = z
  .number({ error: 'must be a whole number of credits' })
  .refine((credits) => Number.isInteger(credits))
  .meta({ openapi: { type: 'integer', description: 'Clamped to 50..20000; ignored on a free trial.' } })

export const agentId = z
  .uuid({ error: 'must be the id of an agent, a uuid' })
  .transform((id) => id.toLowerCase())
  .meta({ openapi: { type: 'string', format: 'uuid' } })

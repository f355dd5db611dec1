/** Handles, slugs, ids: how they are written and normalised (specification «Conventions»; G7, G8, G20). */
import { z } from 'zod'

const looksLikeUrl = /^[a-z][a-z0-9+.-]*:|\/\/|\/|^www\.|\blinkedin\.com\b/i
const handleShape = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._%'’&+-]{0,199}$/u

/** Trims, drops a leading `@`, lowers the case (G8). */
export function normalizeHandle(text: string): string {
  return text.trim().replace(/^@/, '').normalize('NFC').toLowerCase()
}

/** A person's public handle; a URL is refused, nothing is looked up (G7). */
export const personHandle = z
  .string({ error: 'must be the public handle of a person, as text' })
  .transform((text, context) => {
    const handle = normalizeHandle(text)
    if (handle === '') context.addIssue({ code: 'custom', message: 'must not be empty: send the public handle of a person' })
    else if (looksLikeUrl.test(handle)) context.addIssue({ code: 'custom', message: 'must be the handle alone, not a URL: of https://…/in/jane-doe send jane-doe' })
    else if (!handleShape.test(handle)) context.addIssue({ code: 'custom', message: 'must be a public handle: letters, digits and hyphens, at most 200 characters' })
    return handle
  })
  .meta({ description: 'Public handle of a person, for example `jane-doe`; never a URL or a source id.', openapi: { type: 'string', minLength: 1, maxLength: 200 } })

const companyUrl = /^(?:https?:\/\/)?(?:[a-z0-9-]+\.)*linkedin\.com\/(?:company|school|showcase)\/([^/?#]+)(?:[/?#].*)?$/i

/** A company's slug, or the full address of its page, which is unwrapped to the slug. */
export const companySlug = z
  .string({ error: 'must be the slug of a company page, as text' })
  .transform((text, context) => {
    const url = companyUrl.exec(text.trim())
    let slug = normalizeHandle(text)
    if (url) {
      try {
        slug = normalizeHandle(decodeURIComponent(url[1]!))
      } catch {
        slug = ''
      }
    }
    if (slug === '') context.addIssue({ code: 'custom', message: 'must not be empty: send the slug of a company page' })
    else if (looksLikeUrl.test(slug)) context.addIssue({ code: 'custom', message: 'must be a company slug or the full URL of a company page: of https://…/company/acme send acme' })
    else if (!handleShape.test(slug)) context.addIssue({ code: 'custom', message: 'must be a company slug: letters, digits and hyphens, at most 200 characters' })
    return slug
  })
  .meta({ description: 'Slug of a company page, for example `acme`; a full company page URL is unwrapped.', openapi: { type: 'string', minLength: 1, maxLength: 2000 } })

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True for text in the form of a uuid. */
export const isUuid = (text: string): boolean => uuidShape.test(text)

/** An id in a path: a malformed one is simply unknown, so it is passed on as null and answered 404 (G20). */
export const idInPath = z
  .string()
  .transform((text) => (isUuid(text) ? text.toLowerCase() : null))
  .meta({ openapi: { type: 'string', format: 'uuid' } })

/** An id in an answer. */
export const uuid = z.uuid()

import { z } from 'zod'
import { bounds } from './bounds.ts'

const message = `must be a public https URL of at most ${bounds.webhookUrl} characters, or "" or null to clear it`

/** A webhook address; the service checks that it is public (G54). `""` and null clear it (G46). */
export const webhookUrl = z
  .union([z.string().max(bounds.webhookUrl, { error: message }), z.null()], { error: message })
  .describe('Public https URL; an empty string or null clears it.')

import { z } from 'zod'

/** The four kinds of tracked source (CON-19). */
export const sourceType = z.enum(['person', 'company', 'post', 'keyword'])

/** What a source collects. */
export const sourceMode = z.enum(['engagers', 'posts_only'])

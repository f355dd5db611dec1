/** The names under which the packages leave this repository: an owner of another scope changes them here, and nowhere else. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root: string = join(import.meta.dirname, '../..')

/** One version for everything that is released together. */
export const version: string = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
  .version

/** Each package: its scoped name, and the archive under `/downloads/`. */
export const names = {
  cli: { name: '@lead-engagement/cli', archive: 'les.tgz' },
  client: { name: '@lead-engagement/client', archive: 'les-client.tgz' },
  mcp: { name: '@lead-engagement/mcp', archive: 'les-mcp.tgz' },
  // n8n looks for packages whose names begin so.
  n8n: { name: 'n8n-nodes-lead-engagement', archive: 'n8n-nodes-lead-engagement.tgz' },
  zapier: { name: 'zapier-lead-engagement', archive: 'zapier-lead-engagement.tgz' },
} as const

/** The oldest Node that runs what customers install: its `util` has what the library of prompts needs. */
export const oldestNode = '20.12.0'

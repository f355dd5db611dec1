/** Names of the released packages; change the scope here and nowhere else. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root: string = join(import.meta.dirname, '../..')

/** Everything is released with one version. */
export const version: string = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
  .version

/** Each package's name and its archive under `/downloads/`. */
export const names = {
  cli: { name: '@lead-engagement/cli', archive: 'les.tgz' },
  client: { name: '@lead-engagement/client', archive: 'les-client.tgz' },
  mcp: { name: '@lead-engagement/mcp', archive: 'les-mcp.tgz' },
  // n8n requires this prefix.
  n8n: { name: 'n8n-nodes-lead-engagement', archive: 'n8n-nodes-lead-engagement.tgz' },
  zapier: { name: 'zapier-lead-engagement', archive: 'zapier-lead-engagement.tgz' },
} as const

/** The oldest Node for what customers install: the prompt library needs its `util`. */
export const oldestNode = '20.12.0'

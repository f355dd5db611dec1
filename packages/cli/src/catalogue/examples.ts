/** Examples for the help, made from the contract's own example bodies, so that they cannot go stale. */
import { wordsOf, type Operation } from '@les/contract'
import { kebabCase } from './entry.ts'
import { fieldsOf, positionalsOf } from './fields.ts'

/** Further examples, where one is not enough or the contract has none. */
const further: Readonly<Record<string, readonly string[]>> = {
  enrichProfile: [
    '--username jane-doe --save-tracked-profile --credit-cap-per-sync 500 --wait',
    '--username jane-doe --save-tracked-profile --mode posts_only --posts-per-sync 10 --confirm-spend',
  ],
  enrichCompany: ['--username https://www.linkedin.com/company/acme/ --save-tracked-profile --wait'],
  listSources: ['--type person'],
  startSourceSync: ['--wait'],
  getSourceSync: ['--json'],
  updateProfileWebhook: ['--webhook-url https://hooks.example.com/leads --no-auto-send'],
  getProfileWebhook: ['--show-secret'],
  createKey: ['--name CI --jq .key'],
  readProfilePosts: ['--posts 20 --confirm-spend'],
  readCompanyPosts: ['--posts 20 --confirm-spend'],
  fetchPostReactions: ['--post-urn urn:li:activity:7395000000000000001 --page 1 --json'],
  listLeads: [
    '--limit 10 --engagement-type Comment',
    '--username jane-doe --is-icp --json name,jobTitle,linkedinUrl',
    '--all --csv',
  ],
  listRawLeads: ['--action Comment --all --csv'],
  trackKeyword: [
    '--expression \'"sales automation" AND NOT hiring\' --ai-provider openai --ai-prompt "Keep posts by buyers" --confirm-spend',
  ],
  editKeyword: ["--author-keyword ''", '--name Buyers --end-at null'],
  startDiscover: ['--keywords "sales automation" --keywords "revenue operations" --confirm-spend --wait'],
  getDiscoverRun: ['--wait'],
  updateProfileIcp: ['--rules @rules.json', "--rules '[]'"],
  pushProfile: ['--lead-ids @ids.txt --wait'],
  getPush: ['--wait'],
  getJobStatus: ['--wait'],
  getProfileSync: ['--wait'],
  sendLeads: ['--campaign-id 1001 --people @people.json'],
  updateSourceOutreach: ['--campaign-id null'],
  updateAgent: [
    '--titles "Head of Growth" --titles CMO --titles "VP, Sales" --countries Germany --countries Austria',
    '--webhook \'{"url":"https://hooks.example.com/leads","autoSend":true}\'',
  ],
  startAgent: ['--daily-credits 100 --confirm-spend'],
  listAgentLeads: ['--filters \'[{"column":"icp","operator":"at_least","value":70}]\' --all --csv'],
  getCreditsUsage: ['--from 2026-11-01 --to 2026-11-30'],
}

const sampleId = '0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a77'

const quoted = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

function flagText([name, value]: [string, unknown]): string {
  const flag = kebabCase(name)
  if (typeof value === 'boolean') return value ? `--${flag}` : `--no-${flag}`
  if (Array.isArray(value) && !value.some((item) => typeof item === 'object'))
    return value.map((item) => `--${flag} ${quoted(String(item))}`).join(' ')
  return `--${flag} ${quoted(typeof value === 'string' ? value : JSON.stringify(value))}`
}

function positional(name: string, operation: Operation): string {
  if (name === 'username') return operation.path.startsWith('/company/') ? 'acme' : 'jane-doe'
  if (name === 'urn') return 'urn:li:activity:7395000000000000001'
  return sampleId
}

/** Command lines that call an operation, simplest first; each names every required flag. */
export function examplesOf(operation: Operation): string[] {
  const start = [
    'les',
    ...wordsOf(operation),
    ...positionalsOf(operation).map((name) => positional(name, operation)),
  ].join(' ')
  const given = operation.example ?? {}
  const flags = Object.entries(given).map(flagText)
  const isWhole = fieldsOf(operation).every(({ name, required }) => !required || name in given)
  const more = further[operation.id] ?? []
  return [
    ...new Set([
      ...(isWhole || more.length === 0 ? [[start, ...flags].join(' ')] : []),
      ...more.map((rest) => `${start} ${rest}`),
    ]),
  ]
}

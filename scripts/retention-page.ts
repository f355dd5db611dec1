/** The page of retention: what each table keeps, and for how long. */
import { serviceKeepRules, teamKeepRules } from '../packages/server/src/modules/accounts/rules/keep-days.ts'
import { tableRetention } from '../packages/server/src/worker/retention/tables.ts'

const days: Readonly<Record<string, { readonly days: number; readonly least: number }>> = {
  ...teamKeepRules,
  ...serviceKeepRules,
}

export function retentionPage(): string {
  const rules = Object.entries(days).map(
    ([name, { days: usual, least }]) =>
      `| \`${name}\` | ${usual} | ${least} | ${Object.hasOwn(teamKeepRules, name) ? 'service, team' : 'service'} |`,
  )
  const tables = Object.entries(tableRetention).map(([table, retention]) =>
    'rule' in retention
      ? `| \`${table}\` | \`${retention.rule}\` | ${retention.how} |`
      : `| \`${table}\` | | ${retention.kept} |`,
  )
  return [
    '# What is kept, and for how long',
    '',
    'Generated from the rules; `npm run generate` writes it. What they mean: [docs/retention.md](../retention.md).',
    '',
    '| rule | days | at least | set for |',
    '|---|---|---|---|',
    ...rules,
    '',
    '| table | rule | |',
    '|---|---|---|',
    ...tables,
    '',
  ].join('\n')
}

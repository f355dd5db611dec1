/** The page of settings: every name with its default and meaning. */
import { settings } from '../packages/server/src/config/known.ts'

export function settingsPage(): string {
  return [
    '# Settings',
    '',
    'Generated from `packages/server/src/config/settings.json`; `npm run generate` writes it. All settings are environment',
    'variables, read and checked once at the start, every mistake listed at once; each also as `NAME_FILE` that names a file',
    'with the value. Traces have the `OTEL_*` variables of [operations](../operations.md#traces).',
    '',
    '| setting | default | meaning |',
    '|---|---|---|',
    ...settings.map(({ name, usual, meaning }) => `| \`${name}\` | ${usual} | ${meaning} |`),
    '',
    'A database that has held sandbox people refuses to start with a real vendor, and the other way round.',
    '',
  ].join('\n')
}

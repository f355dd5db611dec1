/** The page of settings: every name with its default and meaning. */
import { settings } from '../packages/server/src/config/known.ts'

export function settingsPage(): string {
  return [
    '# Settings',
    '',
    'Generated from `packages/server/src/config/settings.json` by `npm run generate`. All settings are environment variables.',
    'They are read and checked once at startup, and all mistakes are listed together. You can also set `NAME_FILE` to the path',
    'of a file with the value. Traces use the `OTEL_*` variables of [operations](../operations.md#traces).',
    '',
    '| setting | default | meaning |',
    '|---|---|---|',
    ...settings.map(({ name, usual, meaning }) => `| \`${name}\` | ${usual} | ${meaning} |`),
    '',
    'The service refuses to start with a real vendor on a database that has held sandbox people, and vice versa.',
    '',
  ].join('\n')
}

/** Whether a program can work on the schema of a later one (expand, then contract: docs/deploy.md). Pure. */

/**
 * The migrations that were done and that this program does not know, or an error in words when it cannot work with them: `breaks`
 * are the migrations that say so of themselves, null in a database that keeps no such list.
 */
export function judgeLater(
  done: readonly string[],
  known: readonly string[],
  breaks: readonly string[] | null,
): readonly string[] {
  const later = done.filter((name) => !known.includes(name))
  if (later.length === 0) return []
  const breaking = breaks === null ? later : later.filter((name) => breaks.includes(name))
  if (breaking.length > 0)
    throw new Error(
      `The database was changed by a later version of the service in a way that this one cannot work ` +
        `with (${breaking.join(', ')}): start the later version again, or restore a backup from before it`,
    )
  return later
}

/** What takes away or narrows something that the program before still uses. */
const narrowing: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+(?:table|column|view|schema|sequence|function|type)\b/i, 'drops what the program before may use'],
  [/\brename\b/i, 'renames what the program before uses'],
  [/\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b/i, 'changes the type of a column'],
  [/\bset\s+not\s+null\b/i, 'refuses rows that the program before may still write'],
  [
    /\bcreate\s+(?:unique\s+)?index\b(?!\s+concurrently)/i,
    'makes an index while everybody waits: declare it in `indexes`, unless its table is new here',
  ],
]

/** A new column that must be filled and has nothing to be filled with. */
const isUnfilled = (statement: string): boolean =>
  [...statement.matchAll(/\badd\s+column\s+[^,;]*/gi)].some(
    ([column]) => /\bnot\s+null\b/i.test(column) && !/\b(?:default|generated)\b/i.test(column),
  )

/** Why a migration's statements are not safe beside the program before it; empty when they are. */
export const reasonsAgainst = (statements: readonly string[]): readonly string[] => {
  const made = new Set(
    statements.flatMap((each) =>
      [...each.matchAll(/create\s+(?:unlogged\s+)?table\s+(\S+)/gi)].map(([, name]) => name!),
    ),
  )
  return statements.flatMap((statement) => [
    ...(isUnfilled(statement) ? ['asks for a column that the program before does not write'] : []),
    ...narrowing
      .filter(([pattern]) => pattern.test(statement))
      .filter(
        ([, reason]) => !(reason.startsWith('makes an index') && made.has(/\bon\s+(\S+)/i.exec(statement)?.[1] ?? '')),
      )
      .map(([, reason]) => reason),
  ])
}

/** Access after a restore: what was revoked since the backup works again, and only people know what that was. */
import { sql } from 'kysely'
import type { OpenDatabase } from '../platform/db/open.ts'

/** What grants access without a password; referencing tables first. */
export const signInTables = [
  'oauthAccessToken',
  'oauthRefreshToken',
  'oauthConsent',
  'deviceCode',
  'verification',
  'session',
] as const

/** Ends every session, connected app, link and code, since some were ended after the backup. */
export async function endSignIns({ bare }: OpenDatabase): Promise<void> {
  await bare.transaction().execute(async (transaction) => {
    for (const table of signInTables) await sql`delete from ${sql.id('sign_in', table)}`.execute(transaction)
  })
}

const maxShown = 200

type Row = { readonly team: string; readonly who: string; readonly since: Date }

// Names are typed by people: keep them on one line, and free of terminal control characters.
const plain = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, ' ')

const describeRows = (what: string, rows: readonly Row[]): string => {
  const lines = rows
    .slice(0, maxShown)
    .map(({ team, who, since }) => `    ${plain(team)}: ${plain(who)}, since ${since.toISOString().slice(0, 10)}\n`)
  const more = rows.length > maxShown ? `    and ${rows.length - maxShown} more\n` : ''
  return `  ${rows.length} ${what}\n${lines.join('')}${more}`
}

/** Lists every key, member and open invitation that works again. */
export async function listAccess({ pool }: OpenDatabase): Promise<string> {
  const read = async (query: string): Promise<readonly Row[]> => (await pool.query<Row>(query)).rows
  const keys = await read(
    `select t.name as team, k.name || ' (' || k.masked || ')' as who, k.created_at as since
     from api_key k join team t on t.id = k.team_id where k.revoked_at is null order by 1, 3`,
  )
  const members = await read(
    `select t.name as team, u.email || ' (' || m.role || ')' as who, m.created_at as since
     from sign_in.membership m join team t on t.id = m.team_id join sign_in."user" u on u.id = m.user_id order by 1, 3`,
  )
  const invitations = await read(
    `select t.name as team, i.email || ' (' || i.role || ')' as who, i.created_at as since
     from sign_in.invitation i join team t on t.id = i.team_id order by 1, 3`,
  )
  return (
    'Everybody was signed out, and connected apps have to be connected again. Passwords are those of the backup.\n' +
    'What was revoked or removed after the backup works again. Look through these, and revoke what is to stay so:\n' +
    describeRows('API keys', keys) +
    describeRows('members of teams', members) +
    describeRows('invitations', invitations)
  )
}

/**
 * Finds names and mail addresses of a person in calls, sends, posts of the outreach platform and job results. For people who were
 * never captured this is the only source of the name by which texts mention them.
 */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { isAbout, namesPerson, spokenForms, type ErasedPerson } from '../accounts/index.ts'

type NamesGiven = { readonly names: readonly string[]; readonly mails: readonly string[] }

/** Fields that identify the person an object is about. */
const aboutWhom = /^(?:profile_?url|linkedin_?url|url|username|handle|urn)$/i
const called = /^(?:full_?)?name$/i
const mailed = /mail/i
/** What a mail address has; fields of mail say `none` or `verified` as well, which are words of other texts. */
const isAddress = (text: string): boolean => /\S@\S/.test(text)

/** The names and mail addresses in those objects of a JSON value that are about a person. */
function namesIn(value: unknown, person: ErasedPerson): NamesGiven {
  if (value === null || typeof value !== 'object') return { names: [], mails: [] }
  const texts = Object.entries(value).filter((field): field is [string, string] => typeof field[1] === 'string')
  const own = texts.some(([field, text]) => aboutWhom.test(field) && isAbout(text, person)) ? texts : []
  const within = Object.values(value).map((each) => namesIn(each, person))
  const ownOf = (fields: RegExp) => own.flatMap(([field, text]) => (fields.test(field) && text !== '' ? [text] : []))
  return {
    names: [...ownOf(called), ...within.flatMap(({ names }) => names)],
    mails: [...ownOf(mailed), ...within.flatMap(({ mails }) => mails)],
  }
}

/** Whether a name has a first and a last name in full: single words and initials occur in too many texts. */
const isFullName = (name: string): boolean =>
  spokenForms(name).some((words) => words.length > 1 && words.every((word) => word.length > 1))

/** Parses JSON; null when it is not JSON, as posted bodies may not be. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Names and mail addresses given for a person in stored calls, sends, posts of the outreach platform and jobs; not in jobs about
 * company pages, whose slug may equal their handle.
 */
export async function listNamesGiven(db: Reader, teamId: string, person: ErasedPerson): Promise<NamesGiven> {
  const { rows } = await sql<{ text: string }>`
    select text from (
      select body as text from request_log where team_id = ${teamId} and body ~ '"(name|email)"'
      union all select details::text from audit_entry where team_id = ${teamId} and details::text ~ '"(name|email)"'
      union all select how::text from planned_send_part where team_id = ${teamId}
      union all select body from result_inbox where team_id = ${teamId}
      union all select result::text from job where team_id = ${teamId} and result is not null
        and type not in ('enrich_company', 'company_posts')) given
    where ${namesPerson(sql`text`, person)}`.execute(db)
  const { names, mails } = namesIn(
    rows.map(({ text }) => readJson(text)),
    person,
  )
  return { names: [...new Set(names)].filter(isFullName), mails: [...new Set(mails)].filter(isAddress) }
}

/**
 * One comparison of texts (G167): `text_fold` says what `foldText` of the contract says, and the lists' copies and keys of texts are
 * made by it. The copies are computed columns, so that leads stored before are found as well; their indexes go with
 * what they were, and those of `large-indexes.ts` are made again beside the service.
 */

/** A program from before it would keep texts under keys that this one does not look for. */
export const breaks = true

const fields = ['name', 'job_title', 'company_name', 'company_domain', 'country', 'company_industry']

const accentsAlone = String.raw`[\u00b4\u1fbd\u1fbf\u1ffd]`
const apostrophes = '[`ʹʻʼʽʾʿˈ՚׳‘’‛′‵ꞌ]'
const hyphens = '[֊־᠆˗‐‑‒–—―⁃−⸺⸻⹀]'
const spaces = String.raw`[\u0009-\u000d \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000]+`
const unseen =
  String.raw`[\u0001-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f` +
  String.raw`\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb` +
  String.raw`\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]`

const added = (
  field: string,
): string => `add column ${field}_folded text generated always as (text_fold(${field})) stored,
    add column ${field}_key bigint generated always as (hashtextextended(text_fold(${field}), 0)) stored`

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // The first case is most texts, and costs little more than lower case alone.
  `create function text_fold(text) returns text language sql immutable parallel safe as $$
    select regexp_replace(case when $1 ~ '^[ -_a-~]*$' then lower($1 collate "C")
      else normalize(regexp_replace(regexp_replace(
        replace(replace(translate(lower(normalize(
          regexp_replace(regexp_replace($1, '${accentsAlone}', '''', 'g'), '${unseen}', '', 'g'), NFKD)),
          'ς\u0345ᲀᲁᲂᲃᲄᲅᲆᲇᲈ', 'σιвдосттъѣꙋ'), 'ß', 'ss'), 'և', 'եւ'),
        '${apostrophes}', '''', 'g'), '${hyphens}', '-', 'g'), NFC) end, '${spaces}', ' ', 'g')
  $$`,
  `alter table lead
    ${fields.map((field) => `drop column ${field}_key, drop column ${field}_folded`).join(',\n    ')}`,
  `alter table lead
    ${fields.map(added).join(',\n    ')}`,
  `delete from lead_text`,
  ...fields.map(
    (field) => `insert into lead_text (team_id, field, key, folded)
    select distinct on (team_id, ${field}_key) team_id, '${field}', ${field}_key, ${field}_folded from lead
    where ${field}_key is not null and enrichment <> 'raw'`,
  ),
]

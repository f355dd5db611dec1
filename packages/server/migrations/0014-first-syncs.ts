/** First syncs that an empty balance had ended count as still to be made (G144): the window that tracking promised is read by the next run. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `update source s set ever_completed = false
    where s.ever_completed
      and exists (select 1 from sync y where y.team_id = s.team_id and y.source_id = s.id and y.state = 'captured' and y.error_code = 'insufficient_enriching_credits')
      and not exists (select 1 from sync y where y.team_id = s.team_id and y.source_id = s.id and y.state = 'captured' and y.error_code is distinct from 'insufficient_enriching_credits')`,
]

import { nothing, rewriting, type Plant } from './planting.ts'

const says = /somebody who was erased is still there/

/** An eraser whose statement does nothing. */
const leftOut = (name: string, statement: RegExp): Plant => ({
  name,
  theme: 'privacy',
  seams: rewriting(statement, nothing),
  says,
})

/** Planted bugs in erasing a person and keeping them out: an eraser that is skipped, a list that is not checked. */
export const privacyPlants: readonly Plant[] = [
  { ...leftOut('an erasure forgets the directory', /^\s*delete from person where team_id/), quick: true },
  leftOut('an erasure forgets campaigns', /delete from outreach_send where team_id/),
  leftOut('an erasure forgets results', /delete from result where team_id/),
  leftOut('an erasure forgets exclusions', /delete from exclusion where team_id/),
  leftOut('an erasure forgets the audit log', /update audit_entry set target = null/),
  leftOut('an erasure forgets files of leads', /delete from lead_export where team_id/),
  leftOut('an erasure forgets posts', /update post set url = .* author_kind = 'erased'/),
  {
    name: 'nobody asks who was erased',
    theme: 'privacy',
    seams: rewriting(/select hash, erasure_id as "erasureId" from blocked_person/, nothing),
    says: /somebody who was erased is still there|met, \d+ charged/,
  },
]

/** Tag `sources`: ICP criteria (specification «ICP criteria»; G55..G57). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { icp, savedIcp, triedIcp } from '../resources/index.ts'
import { filterRows, flag, leadFilterColumns, matchMode } from '../values/index.ts'
import { byCompany, byPerson, bySource, type Family } from './families.ts'

/** `GET …/icp` of one kind. */
export const icpRead = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `GET ${family.path}/icp`, {
    tag: 'sources',
    summary: `Read the ICP criteria of a ${family.noun}`,
    description: 'Without rules nobody is judged and isIcp of its leads is null.',
    params: family.params,
    success: icp,
    errors: ['not_tracked'],
  })

const criteria = z
  .object({
    rules: filterRows(leadFilterColumns).optional(),
    matchMode: matchMode.optional().describe('all (default): every rule must match; any: one is enough.'),
    dryRun: flag.optional().describe('True: only say what the criteria would match.'),
  })
  .superRefine((body, context) => {
    if (body.dryRun !== true && body.rules === undefined && body.matchMode === undefined)
      context.addIssue({ code: 'custom', path: [], message: 'needs `rules` or `matchMode`, or `dryRun: true`' })
  })

/** `PUT …/icp` of one kind. */
export const icpWrite = <const Id extends string, P extends z.ZodObject>(id: Id, family: Family<P>) =>
  operation(id, `PUT ${family.path}/icp`, {
    tag: 'sources',
    summary: `Set the ICP criteria of a ${family.noun}`,
    description:
      'A partial update: what is absent stays, an empty list of rules clears. ' +
      'Answers when every lead has been judged again; with dryRun: true nothing is saved, scored or sent.',
    params: family.params,
    body: criteria,
    success: z.union([triedIcp, savedIcp]),
    errors: ['not_tracked'],
    example: { rules: [{ column: 'jobTitle', operator: 'contains', value: 'growth' }], matchMode: 'all' },
  })

/** The operations about ICP criteria. */
export const icpOperations = [
  icpRead('getProfileIcp', byPerson),
  icpWrite('updateProfileIcp', byPerson),
  icpRead('getCompanyIcp', byCompany),
  icpWrite('updateCompanyIcp', byCompany),
  icpRead('getSourceIcp', bySource),
  icpWrite('updateSourceIcp', bySource),
] as const

import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { exportPresets, leadExport } from '../resources/index.ts'
import { agentFilterColumns, agentFilterValues, choice, filterRows, idInPath } from '../values/index.ts'

const operation = operationsOf('leads')

export const exportOperations = [
  operation('createExport', 'POST /exports', {
    summary: 'Make a file of leads',
    description:
      'Begins in the background; poll until done. Without a preset all leads with all fields; with one a row a person in the columns that ' +
      'its importer takes, without people who must not be contacted.',
    body: z.object({
      format: choice(['csv', 'jsonl']).describe('jsonl: one JSON object a line.'),
      preset: choice(exportPresets).optional().describe('The importer whose columns it has.'),
      filters: filterRows(agentFilterColumns, agentFilterValues).optional().describe('Only leads that pass every row.'),
    }),
    strictBody: true,
    success: leadExport,
    example: { format: 'csv', preset: 'hubspot' },
  }),
  operation('getExport', 'GET /exports/{id}', {
    summary: 'Follow an export',
    description: 'Free.',
    params: z.object({ id: idInPath }),
    success: leadExport,
    errors: ['not_found'],
  }),
] as const

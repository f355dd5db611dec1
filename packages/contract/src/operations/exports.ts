import { z } from 'zod'
import { operationsOf } from '../operation.ts'
import { exportPresets, leadExport } from '../resources/index.ts'
import { agentFilterColumns, agentFilterValues, choice, filterRows, idInPath } from '../values/index.ts'

const operation = operationsOf('leads')

export const exportOperations = [
  operation('createExport', 'POST /exports', {
    summary: 'Export leads to a file',
    description:
      'Starts in the background; poll until done. Without a preset, the file has all leads with all fields. With ' +
      'a preset, it has one row per person in the columns that the importer takes, and leaves out people who ' +
      'must not be contacted.',
    body: z.object({
      format: choice(['csv', 'jsonl']).describe('jsonl: one JSON object per line.'),
      preset: choice(exportPresets).optional().describe('The importer whose columns the file has.'),
      filters: filterRows(agentFilterColumns, agentFilterValues)
        .optional()
        .describe('Only leads that match every row.'),
    }),
    strictBody: true,
    success: leadExport,
    example: { format: 'csv', preset: 'hubspot' },
  }),
  operation('getExport', 'GET /exports/{id}', {
    summary: 'Read an export',
    description: 'Poll until the export is done. Free.',
    params: z.object({ id: idInPath }),
    success: leadExport,
    errors: ['not_found'],
  }),
] as const

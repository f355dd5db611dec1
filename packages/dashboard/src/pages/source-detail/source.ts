import { useV1Query, type SessionResult, type V1Result } from '../../api/index.ts'

/** The source with how it is doing. */
export type Health = SessionResult<'getSourceHealth'>['source']

/** The source with its settings. */
export type Settings = V1Result<'listSources'>['sources'][number]

/** The settings of one source, out of the list of its kind. */
export function useSettings(source: Health): {
  readonly data: Settings | undefined
  readonly error: unknown
  readonly isPending: boolean
  readonly refetch: () => unknown
} {
  const query = useV1Query('listSources', { type: source.type, includeInactive: true }, { topic: 'sources' })
  return { ...query, data: query.data?.sources.find((each) => each.id === source.id) }
}

import { compact, oneOf, type Raw } from '../../app/search.ts'

export const search = (raw: Raw) => compact({ tab: oneOf(raw, 'tab', ['active', 'stopped']) })

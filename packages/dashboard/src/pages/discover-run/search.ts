import { compact, oneOf, type Raw } from '../../app/search.ts'

export const search = (raw: Raw) => compact({ view: oneOf(raw, 'view', ['cards', 'table']) })

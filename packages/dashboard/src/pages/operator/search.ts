import { compact, oneOf, type Raw } from '../../app/search.ts'

const tabs = ['teams', 'vendors', 'costs', 'work'] as const

export const search = (raw: Raw) => compact({ tab: oneOf(raw, 'tab', tabs) })

import type { ReactNode } from 'react'
import { useV1Query } from '../../api/index.ts'
import { Card, Loaded } from '../../ui/index.ts'
import { RuleForm } from '../outreach/rule-form.tsx'
import type { Health } from './source.ts'

/** Which campaign the leads of a source go to by themselves. */
export function OutreachRule({ source }: { readonly source: Health }): ReactNode {
  const query = useV1Query('getSourceOutreach', { id: source.id }, { topic: 'outreach', staleTime: 60_000 })
  return (
    <Card
      title="Outreach"
      text="Leads that match go to a campaign of your outreach platform by themselves, each person once."
    >
      <Loaded query={query}>
        {(stored) => (
          <RuleForm
            key={stored.outreach?.updatedAt ?? 'none'}
            sourceId={source.id}
            isActive={source.status === 'active'}
            rule={stored.outreach}
          />
        )}
      </Loaded>
    </Card>
  )
}

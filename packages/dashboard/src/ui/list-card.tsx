import type { ComponentProps } from 'react'
import { RecordList, type RecordListProps } from './record-list.tsx'
import { Card } from './show.tsx'

type CardProps = Pick<ComponentProps<typeof Card>, 'title' | 'text' | 'actions' | 'children'>

/** A card that is a list; what is above the rows, such as filters, stands within it. */
export function ListCard<T extends object>(props: CardProps & RecordListProps<T>) {
  const { title, text, actions, children, ...list } = props
  return (
    <Card flush title={title} text={text} actions={actions}>
      {children}
      <RecordList {...list} />
    </Card>
  )
}

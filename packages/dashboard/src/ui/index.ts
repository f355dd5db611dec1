export * from './button.tsx'
export * from './columns.tsx'
export * from './dialog.tsx'
export * from './edited.ts'
export * from './edited-rows.tsx'
export * from './field.tsx'
export * from './filter-rows.tsx'
export * from './form.tsx'
export * from './format.ts'
export * from './lazy-part.tsx'
export * from './link.tsx'
export * from './list-card.tsx'
export * from './list-field.tsx'
export { focusListNextTo } from './list-keys.ts'
export * from './menu.tsx'
export * from './page.tsx'
export * from './record-list.tsx'
export * from './show.tsx'
export * from './text.tsx'
export * from './toast.tsx'
export * from './windows.ts'
export {
  agentColumns,
  columnName,
  leadColumns,
  leadRows,
  operatorName,
  rowFaults,
  rowWords,
  type EditedRow,
} from './filter-words.ts'

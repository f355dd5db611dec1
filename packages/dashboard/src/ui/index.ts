export {
  Button,
  IconButton,
  buttonClass,
  type ButtonProps,
  type ButtonVariant,
  type IconButtonProps,
} from './button.tsx'
export { Chart, type ChartProps } from './chart.tsx'
export { cx } from './button.tsx'
export type { Column } from './grid.ts'
export { DataTable, type DataTableProps } from './data-table.tsx'
export { ConfirmDialog, Dialog, Drawer, type ConfirmDialogProps, type DialogProps } from './dialog.tsx'
export { Field, Input, Select, TextArea, type Choice, type FieldProps, type SelectProps } from './field.tsx'
export { absoluteTime, count, countOf, credits, day, money, planName, share, timeAgo, timeZone } from './format.ts'
export { ListField, type ListFieldProps } from './list-field.tsx'
export { Menu, type MenuEntry } from './menu.tsx'
export { PageFrame, useTitle } from './page.tsx'
export { Pagination, type PaginationProps } from './page.tsx'
export { useReason, type Reason } from './button.tsx'
export { RoleButton, useRefusal, type RoleButtonProps } from './button.tsx'
export { Served } from './page.tsx'
export { Badge, Card, Meter, Notice, Skeleton, Stat, type Tone } from './show.tsx'
export { SpendDialog, useSpend, type SpendDialogProps } from './spend.tsx'
export { EmptyState, ErrorState, Loaded, type QueryLike } from './show.tsx'
export { Tabs, type Tab } from './page.tsx'
export {
  Avatar,
  CodeBlock,
  CopyButton,
  CopyField,
  Explained,
  SafeLink,
  TimeAgo,
  TimeUntil,
  safeHref,
  useNow,
} from './text.tsx'
export { toast, type ToastAction } from './toast.tsx'
export { Checkbox, Switch, type ToggleProps } from './field.tsx'
export { editedOf } from './edited.ts'
export { useEdited } from './edited.ts'
export { useSettled } from './edited.ts'
export { focusGridBeside } from './grid-keys.ts'
export { VirtualTable, type Selection, type VirtualTableProps } from './virtual-table.tsx'
export { lacksCriteria, warningTone } from './show.tsx'
export { useFirstWindow, type FetchWindow, type ListWindow } from './grid.ts'
export { FilterRows, type FilterRowsProps } from './filter-rows.tsx'
export { CriteriaRows } from './filter-rows.tsx'
export {
  agentColumns,
  columnName,
  leadColumns,
  leadRows,
  operatorName,
  rowErrors,
  rowFaults,
  rowWords,
  type EditedRow,
} from './filter-words.ts'

import type { FilterColumns } from '@les/contract'
import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { useWrite } from '../api/hooks.ts'
import type { WriteId } from '../api/topics.ts'
import type { InputOf, ResultOf } from '../api/types.ts'
import { Button, cx, RoleButton, type Reason } from './button.tsx'
import { ConfirmDialog, Dialog } from './dialog.tsx'
import { useForm } from './edited.ts'
import { Checkbox, SelectField, Switch, TextField, type Choice } from './field.tsx'
import { FilterRows } from './filter-rows.tsx'
import { rowFaults, type EditedRow } from './filter-words.ts'
import { ListField } from './list-field.tsx'
import { Failure } from './show.tsx'

type Common<T, V> = {
  readonly label: string
  readonly hint?: ReactNode | ((form: T) => ReactNode)
  readonly optional?: boolean
  readonly error?: ReactNode | ((form: T) => ReactNode)
  /** Why the form cannot be sent; shown once that was tried. */
  readonly fault?: (form: T) => string | false
  readonly wide?: boolean
  readonly when?: (form: T) => boolean
  readonly reason?: (form: T) => Reason
  /** What a new value changes, if more than the field itself. */
  readonly set?: (value: V) => Partial<T>
}

type FieldOf<T, V> = Common<T, V> &
  (
    | { readonly control: (props: ControlProps<V>) => ReactNode }
    | ([V] extends [boolean]
        ? { readonly as?: 'checkbox' }
        : [V] extends [readonly string[]]
          ? Pick<ComponentProps<typeof ListField>, 'max' | 'placeholder'>
          : [V] extends [readonly EditedRow[]]
            ? Pick<ComponentProps<typeof FilterRows>, 'columns' | 'empty' | 'add' | 'legend'>
            :
                | { readonly choices: readonly Choice<V & string>[]; readonly className?: string }
                | Omit<
                    ComponentProps<typeof TextField>,
                    'label' | 'hint' | 'error' | 'optional' | 'reason' | 'name' | 'value' | 'onValue'
                  >)
  )

/** What a control of its own kind is given. */
export type ControlProps<V> = {
  readonly value: V
  readonly onValue: (value: V) => void
  readonly error: ReactNode
  readonly reason: Reason
}

/** Choices from a table of labels, in its order. */
export const choicesOf = <V extends string>(labels: Readonly<Record<V, string>>): readonly Choice<V>[] =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as V, label }))

/** A field in the table of a form; its control follows from the type of its value. */
export type FormField<T> = { [K in keyof T & string]: { readonly name: K } & FieldOf<T, T[K]> }[keyof T & string]

type AnyField<T> = Common<T, boolean> & {
  readonly name: keyof T & string
  readonly control?: (props: ControlProps<unknown>) => ReactNode
  readonly as?: 'checkbox'
  readonly choices?: unknown
  readonly columns?: FilterColumns
}

/** True when a form can be sent: no field shown has a fault, and no row of a filter. */
export const isFaultless = <T extends object>(fields: readonly FormField<T>[], form: T): boolean =>
  (fields as unknown as readonly AnyField<T>[]).every(
    ({ name, when, fault, columns }) =>
      when?.(form) === false ||
      (!fault?.(form) &&
        (columns === undefined || Object.keys(rowFaults(columns, form[name] as readonly EditedRow[])).length === 0)),
  )

/** Faults of a form are shown once somebody has tried to send it; `attempt` sends only without faults. */
export function useTried<T extends object>(fields: readonly FormField<T>[], form: T) {
  const [isTried, setTried] = useState(false)
  return {
    isTried,
    attempt: (send: () => void) => {
      setTried(true)
      if (isFaultless(fields, form)) send()
    },
  }
}

type FormFieldsProps<T extends object> = {
  fields: readonly FormField<T>[]
  form: T
  onChange: (part: Partial<T>) => void
  reason?: Reason
  isTried?: boolean
  /** What the service refused, and the field it is about. */
  refusal?: { readonly at: keyof T; readonly error: Error } | null | undefined
}

/** The fields of a form, from their table; `reason`: why none can be changed. */
export function FormFields<T extends object>({
  fields,
  form,
  onChange,
  reason: locked,
  isTried = false,
  refusal,
}: FormFieldsProps<T>) {
  return (fields as unknown as readonly AnyField<T>[])
    .filter(({ when }) => when?.(form) ?? true)
    .map(({ name, hint, error, fault, wide, when: _, reason, set, as, control: ownControl, ...field }) => {
      const value: unknown = form[name]
      const control = {
        ...field,
        value,
        hint: typeof hint === 'function' ? hint(form) : hint,
        error:
          (isTried && fault?.(form)) ||
          (refusal?.at === name ? refusal.error.message : typeof error === 'function' ? error(form) : error),
        reason: locked || reason?.(form),
        onValue: (next: unknown) => onChange(set?.(next as boolean) ?? ({ [name]: next } as Partial<T>)),
      }
      const Toggle = as === 'checkbox' ? Checkbox : Switch
      return (
        <div key={name} className={wide ? 'sm:col-span-full' : undefined}>
          {ownControl ? (
            ownControl(control)
          ) : typeof value === 'boolean' ? (
            <Toggle {...control} value={value} />
          ) : field.columns !== undefined ? (
            <FilterRows {...control} columns={field.columns} value={value as readonly EditedRow[]} isTried={isTried} />
          ) : Array.isArray(value) ? (
            <ListField {...(control as unknown as ComponentProps<typeof ListField>)} />
          ) : field.choices === undefined ? (
            <TextField {...control} value={value as string} />
          ) : (
            <SelectField {...(control as unknown as ComponentProps<typeof SelectField>)} />
          )}
        </div>
      )
    })
}

/** A form that a button, or Enter, saves; `others` stand next to the button. */
export function SaveForm({
  submit = 'Save',
  needs,
  reason,
  busy,
  error,
  onSave,
  others,
  className,
  children,
}: {
  readonly submit?: string
  readonly needs?: 'member' | 'owner'
  readonly reason?: Reason
  readonly busy: boolean
  readonly error?: Error | null
  readonly onSave: () => void
  readonly others?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <form
      className={cx('flex flex-col gap-4', className)}
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      {children}
      <Failure error={error} />
      <div className="flex flex-wrap gap-2">
        <RoleButton needs={needs} variant="primary" type="submit" busy={busy} reason={reason}>
          {submit}
        </RoleButton>
        {others}
      </div>
    </form>
  )
}

type FormDialogProps = Omit<ComponentProps<typeof Dialog>, 'cancel'> & {
  readonly submit: string
  readonly reason?: Reason
  readonly busy: boolean
  readonly error?: Error | null
  readonly onSubmit: () => void
}

/** A window with a form that Enter or the button submits; with `actions` nothing is submitted. */
export function FormDialog({ submit, reason, busy, error, onSubmit, actions, children, ...dialog }: FormDialogProps) {
  const id = useId()
  const button = (
    <Button variant="primary" type="submit" form={id} reason={reason} busy={busy}>
      {submit}
    </Button>
  )
  return (
    <Dialog {...dialog} cancel={!actions} actions={actions ?? button}>
      <form
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
        <Failure error={error} />
      </form>
    </Dialog>
  )
}

type WriteDialogProps<Id extends WriteId, T extends object> = Omit<
  FormDialogProps,
  'busy' | 'error' | 'reason' | 'actions' | 'onSubmit'
> & {
  readonly does: Id
  readonly start: NoInfer<T>
  readonly fields: readonly FormField<T>[]
  readonly inputOf: (form: NoInfer<T>) => InputOf<NoInfer<Id>>
  readonly done?: string | ((result: ResultOf<Id>) => string)
  readonly onDone?: (result: ResultOf<Id>) => unknown
  readonly reason?: (form: NoInfer<T>) => Reason
  /** The field that a refusal is about; by default it is shown below the form. */
  readonly errorAt?: keyof NoInfer<T>
}

/** A window whose form an operation takes; it closes once that is done. */
export function WriteDialog<Id extends WriteId, T extends object>(props: WriteDialogProps<Id, T>) {
  const { does, start, fields, inputOf, done, onDone, reason, errorAt, children, ...dialog } = props
  const [form, change] = useForm<T>(start)
  const { isTried, attempt } = useTried(fields, form)
  const write = useWrite(does, {
    quiet: true,
    done,
    onSuccess: (result) => {
      onDone?.(result)
      dialog.onClose()
    },
  })
  return (
    <FormDialog
      {...dialog}
      busy={write.isPending}
      error={errorAt === undefined ? write.error : null}
      reason={reason?.(form)}
      onSubmit={() => attempt(() => write.mutate(inputOf(form)))}
    >
      <FormFields
        fields={fields}
        form={form}
        onChange={change}
        isTried={isTried}
        refusal={errorAt && write.error && { at: errorAt, error: write.error }}
      />
      {children}
    </FormDialog>
  )
}

export function WindowButton({
  opens,
  ...button
}: ComponentProps<typeof RoleButton> & { readonly opens: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <RoleButton {...button} onClick={() => setOpen(true)} />
      {isOpen && opens(() => setOpen(false))}
    </>
  )
}

type Asks = Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'text' | 'confirm'>

type ConfirmButtonProps = ComponentProps<typeof RoleButton> &
  Asks &
  Pick<ComponentProps<typeof ConfirmDialog>, 'onConfirm'>

/** A button that asks before something that cannot be undone; the window stays open with the message on failure. */
export function ConfirmButton({ title, text, confirm, onConfirm, ...button }: ConfirmButtonProps) {
  const asks = { title, text, confirm, onConfirm }
  return <WindowButton {...button} opens={(close) => <ConfirmDialog {...asks} danger onClose={close} />} />
}

type ActButtonProps<Id extends WriteId> = ComponentProps<typeof RoleButton> & {
  readonly does: Id
  readonly input: InputOf<Id>
  readonly done?: string | ((result: ResultOf<Id>) => string)
  readonly onDone?: (result: ResultOf<Id>) => unknown
  /** What it asks before. */
  readonly asks?: Asks
}

/** A button that calls an operation, and says so when it is done. */
export function ActButton<Id extends WriteId>({ does, input, done, onDone, asks, ...button }: ActButtonProps<Id>) {
  const write = useWrite(does, { done, onSuccess: onDone, quiet: asks !== undefined })
  if (asks) return <ConfirmButton {...button} {...asks} onConfirm={() => write.mutateAsync(input)} />
  return <RoleButton {...button} busy={write.isPending} onClick={() => write.mutate(input)} />
}

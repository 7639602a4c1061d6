import type { AnyField, Entity } from '@ordinator/model/entity'
import type { ComponentType, ReactNode } from 'react'

/** A row as generic code carries it. */
export type AnyRow = { id: number } & Record<string, unknown>

export interface CellProps {
  f: AnyField
  value: unknown
  /** The whole record: a reference finds its expanded other here. */
  row: AnyRow
}

export interface InputProps {
  entity: Entity
  name: string
  f: AnyField
  value: unknown
  onChange: (value: unknown) => void
  onBlur?: () => void
  label: ReactNode
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  readOnly?: boolean
  autoFocus?: boolean
  placeholder?: string
  /** The record as it was opened, for what it already knows of its references. */
  row?: AnyRow
}

/** A value of a condition, as the address has it (`conditions.ts`). */
export interface AskProps {
  f: AnyField
  value: string
  onChange: (value: string) => void
}

/** How a condition on the field is put together and told. */
export interface FieldAsk {
  /** Absent: typed as text. */
  Input?: ComponentType<AskProps>
  /** What a condition begins with; absent: ''. */
  first?: string
  /** The value in words, `named` being the records that it may name; absent: as it stands in the address. */
  text?: (value: string, f: AnyField, named: readonly AnyRow[]) => string
}

/** What the web knows of a kind of field; the model's half stands under the same name in model/fields. */
export interface FieldUi {
  /** Absent: written by nobody by hand. */
  Input?: ComponentType<InputProps>
  Cell: ComponentType<CellProps>
  /** The value in words: filter chips, cards, history, conflicts. '' for nothing. */
  text: (value: unknown, f: AnyField, row?: AnyRow) => string
  ask?: FieldAsk
  align?: 'right'
  /** Width of the column, pixels; a field whose words are known has the room that they take. */
  width: number | ((f: AnyField) => number)
  /** Takes the whole width of a form. */
  wide?: boolean
  /** Its form field tells how much of the room is taken. */
  counted?: true
  /** One that cannot be empty stands after the other fields of a form. */
  flag?: true
  /** Stands in quotes where it is told of, as in history. */
  quoted?: true
  /** Says nothing as a column of a table. */
  noColumn?: true
}

/** The props that every Mantine input takes alike. */
export function inputFrame({
  name,
  label,
  description,
  error,
  required,
  readOnly,
  autoFocus,
  placeholder,
  onBlur,
}: InputProps) {
  return {
    name,
    label,
    description,
    error,
    withAsterisk: required,
    'aria-required': required || undefined,
    readOnly,
    placeholder,
    onBlur,
    'data-autofocus': autoFocus || undefined,
  }
}

/** The same for the kit's own inputs. The form checks; `required` only draws the mark (the form is `noValidate`). */
export function kitFrame({ name, label, description, error, required, readOnly, placeholder, autoFocus }: InputProps) {
  return { name, label, description, error, required, readOnly, placeholder, 'data-autofocus': autoFocus || undefined }
}

export const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

import type { AnyField, Entity } from '@ordinator/model/entity'
import type { ComponentType, ReactNode } from 'react'

/** A row in generic code. */
export type AnyRow = { id: number } & Record<string, unknown>

export interface CellProps {
  f: AnyField
  value: unknown
  /** The whole record, for expanded references. */
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
  /** The record as opened, for its expanded references. */
  row?: AnyRow
}

/** A condition's value, as in the URL (`conditions.ts`). */
export interface AskProps {
  f: AnyField
  value: string
  onChange: (value: string) => void
}

/** Input and text of conditions on a field type. */
export interface FieldAsk {
  /** Absent: typed as text. */
  Input?: ComponentType<AskProps>
  /** Initial value of a condition; absent: ''. */
  first?: string
  /** The value as text, `named` being the records it may refer to; absent: as in the URL. */
  text?: (value: string, f: AnyField, named: readonly AnyRow[]) => string
}

/** The web's part of a field type; the shared part has the same name in model/fields. */
export interface FieldUi {
  /** Absent: not editable. */
  Input?: ComponentType<InputProps>
  Cell: ComponentType<CellProps>
  /** The value as text: filter chips, cards, history, conflicts. '' for none. */
  text: (value: unknown, f: AnyField, row?: AnyRow) => string
  ask?: FieldAsk
  align?: 'right'
  /** Column width in pixels; a function for fields with known texts. */
  width: number | ((f: AnyField) => number)
  /** Full width in a form. */
  wide?: boolean
  /** The form field shows the remaining length. */
  counted?: true
  /** If it cannot be empty, it comes after the other fields of a form. */
  flag?: true
  /** Quoted in texts, such as history. */
  quoted?: true
  /** Its label precedes it on a card: always, or beside another such value. */
  cardLabel?: 'always' | 'several'
  /** Not useful as a table column. */
  noColumn?: true
  /**
   * Reads a cell pasted from a spreadsheet, never empty; the model checks the value. Absent: such cells are not pasted.
   * @returns undefined when the text cannot be read
   */
  pasted?: (text: string, f: AnyField) => unknown
}

/** For types whose value is the text itself. */
export const asPasted = (text: string): string => text

/** Props common to all Mantine inputs. */
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

/** The same for the kit's own inputs. The form validates; `required` only shows the mark (the form is `noValidate`). */
export function kitFrame({ name, label, description, error, required, readOnly, placeholder, autoFocus }: InputProps) {
  return { name, label, description, error, required, readOnly, placeholder, 'data-autofocus': autoFocus || undefined }
}

export const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** The value of a list as texts. */
export const itemsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

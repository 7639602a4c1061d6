import type { AnyField } from '@ordinator/model/entity'
import { birthday } from './birthday.tsx'
import { boolean } from './boolean.tsx'
import { choice } from './choice.tsx'
import { color } from './color.tsx'
import { date } from './date.tsx'
import { dateTime } from './dateTime.tsx'
import { decimal } from './decimal.tsx'
import { email } from './email.tsx'
import { icon } from './icon.tsx'
import { id } from './id.tsx'
import { identifier } from './identifier.tsx'
import { integer } from './integer.tsx'
import { json } from './json.tsx'
import { list } from './list.tsx'
import { money } from './money.tsx'
import { numberChoice } from './numberChoice.tsx'
import { phone } from './phone.tsx'
import { position } from './position.tsx'
import { ref } from './ref.tsx'
import { refs } from './refs.tsx'
import { richText } from './richText.tsx'
import { text } from './text.tsx'
import { timeZone } from './timeZone.tsx'
import type { AnyRow, FieldUi } from './ui.ts'
import { week } from './week.tsx'

/** All field types; a type of the model that is missing here fails the test. */
export const fieldUis: Record<string, FieldUi> = {
  birthday,
  boolean,
  choice,
  color,
  date,
  dateTime,
  decimal,
  email,
  icon,
  id,
  identifier,
  integer,
  json,
  list,
  money,
  numberChoice,
  phone,
  position,
  ref,
  refs,
  richText,
  text,
  timeZone,
  week,
}

export const uiOf = (f: AnyField): FieldUi => fieldUis[f.kind] ?? text

/** A field's value as text. */
export const wordsOf = (f: AnyField, value: unknown, row?: AnyRow): string => uiOf(f).text(value, f, row)

import type { AnyField } from '@ordinator/model/entity'
import type { ComponentProps } from 'react'
import { NumberField } from '#kit/NumberField.tsx'
import { wrongNumber } from './wrongNumber.ts'

interface Props extends ComponentProps<typeof NumberField> {
  f: AnyField
  /** Required. */
  needed?: boolean
}

/** A number input that validates itself. An invalid text is passed on as it is: check before saving. */
export function CheckedNumber({ f, needed, error, ...input }: Props) {
  return <NumberField {...input} error={error || wrongNumber(f, input.value, needed)} />
}

import type { AnyField } from '@ordinator/model/entity'
import type { ComponentProps } from 'react'
import { NumberField } from '../../kit/NumberField.tsx'
import { wrongNumber } from './wrongNumber.ts'

interface Props extends ComponentProps<typeof NumberField> {
  f: AnyField
  /** Cannot be left empty. */
  needed?: boolean
}

/** The number of a field that says by itself what is wrong with it. What is no number goes on as it is: check before saving. */
export function CheckedNumber({ f, needed, error, ...input }: Props) {
  return <NumberField {...input} error={error || wrongNumber(f, input.value, needed)} />
}

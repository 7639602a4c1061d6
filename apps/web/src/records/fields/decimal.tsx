import { NumberInput } from '@mantine/core'
import { formatNumber } from '@ordinator/model/format'
import { AskNumber } from './ask.tsx'
import { type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : formatNumber(value as number))

const DecimalCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

export function DecimalField({ suffix, ...props }: InputProps & { suffix?: string }) {
  const { f, value, onChange } = props
  return (
    <NumberInput
      {...inputFrame(props)}
      value={isEmpty(value) ? '' : (value as number | string)}
      onChange={(next) => onChange(next === '' ? null : next)}
      decimalSeparator=","
      allowedDecimalSeparators={[',', '.']}
      thousandSeparator={'\u00a0'}
      decimalScale={typeof f.options.scale === 'number' ? f.options.scale : undefined}
      allowNegative={!(typeof f.options.min === 'number' && f.options.min >= 0)}
      clampBehavior="none"
      suffix={suffix}
      hideControls
    />
  )
}

export const decimal: FieldUi = {
  Input: DecimalField,
  Cell: DecimalCell,
  text: words,
  ask: { Input: AskNumber, text: (value) => words(Number(value)) },
  align: 'right',
  width: 130,
}

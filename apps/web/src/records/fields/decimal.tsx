import { NumberInput } from '@mantine/core'
import { formatNumber } from '@ordinator/model/format'
import { useState } from 'react'
import { type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : formatNumber(value as number))

const DecimalCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

interface DecimalProps extends InputProps {
  suffix?: string
  /** Shows all digits of the scale: rubles with their kopecks. */
  whole?: boolean
}

export function DecimalField({ suffix, whole, ...props }: DecimalProps) {
  const { f, value, onChange, onBlur } = props
  const [typing, setTyping] = useState(false)
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
      // While someone types the digits come as they are typed.
      fixedDecimalScale={whole && !typing}
      onFocus={() => setTyping(true)}
      onBlur={() => {
        setTyping(false)
        onBlur?.()
      }}
      clampBehavior="none"
      suffix={suffix}
      hideControls
    />
  )
}

export const decimal: FieldUi = { Input: DecimalField, Cell: DecimalCell, text: words, align: 'right', width: 130 }

import { formatMoney } from '@ordinator/model/format'
import { readNumber } from '#kit/numberText.ts'
import { AskNumber } from './ask.tsx'
import { DecimalField } from './decimal.tsx'
import { type CellProps, type FieldUi, type InputProps, isEmpty } from './ui.ts'

const words = (value: unknown) => (isEmpty(value) ? '' : formatMoney(value as number))

const MoneyCell = ({ value }: CellProps) => <span className="tabular">{words(value)}</span>

const MoneyField = (props: InputProps) => <DecimalField {...props} unit="₽" digits={2} />

export const money: FieldUi = {
  Input: MoneyField,
  Cell: MoneyCell,
  text: words,
  ask: { Input: AskNumber, text: (value) => words(Number(value)) },
  align: 'right',
  width: 140,
  pasted: readNumber,
}

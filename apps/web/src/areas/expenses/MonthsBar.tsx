import { SegmentedControl } from '@mantine/core'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { today } from '#kit/clock.ts'
import { MonthField } from '#kit/MonthField.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { RefMultiSelect } from '#records/fields/RefSelect.tsx'

/** `2026-11` shifted by months. */
export const monthPlus = (month: string, by: number): string => {
  const [year = 0, at = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, at - 1 + by, 1)).toISOString().slice(0, 7)
}
export const thisMonth = (): string => today().slice(0, 7)

/** Month in the URL. */
export const month = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value) ? value : undefined

const spans = { 1: 'Месяц', 3: 'Квартал', 6: 'Полгода', 12: 'Год' } as const
export type Span = keyof typeof spans
export const spanOf = (value: unknown): Span | undefined =>
  Object.hasOwn(spans, String(value)) ? (Number(value) as Span) : undefined

interface Props {
  to: string
  span: Span
  filials: number[]
  onChange: (patch: { to?: string; span?: Span; filials?: number[] }) => void
}

/** Period and branches of a report: last month, number of months, branches. */
export function MonthsBar({ to, span, filials, onChange }: Props) {
  return (
    <HStack wrap gap={8} align="center">
      <MonthField label="Последний месяц" value={to} onChange={(next) => onChange({ to: next })} />
      <SegmentedControl
        aria-label="Сколько месяцев"
        data={Object.entries(spans).map(([value, label]) => ({ value, label }))}
        value={String(span)}
        onChange={(value) => onChange({ span: Number(value) as Span })}
      />
      <RefMultiSelect
        aria-label="Филиалы"
        placeholder={filials.length ? undefined : 'Все филиалы'}
        to={Filial.path}
        value={filials}
        onChange={(ids) => onChange({ filials: ids })}
      />
    </HStack>
  )
}

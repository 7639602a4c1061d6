import { payerIncomeWords } from '@ordinator/model/areas/payers/rules'
import { type PayrollPeriod, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { isCounting } from '@ordinator/model/areas/payroll/states'
import type { Expanded } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { formatNumber } from '@ordinator/model/format'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { Matrix, type MatrixColumn } from '#kit/Matrix.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { AddPerson } from './AddPerson.tsx'
import classes from './Payroll.module.css'

/** Maximum slips of the sheet. */
const MAX_SLIPS = 500

type Line = Expanded<typeof PayrollSlip, 'user'>
type SumKey = 'salary' | 'percent' | 'kpi' | 'bonus' | 'deduction' | 'total' | 'paid' | 'left'

const sums: readonly (readonly [SumKey, string, string?])[] = [
  ['salary', 'Оклад и смены'],
  ['percent', '% и услуги', 'Проценты и суммы за услуги, с исправлениями прошлых месяцев'],
  ['kpi', 'KPI и план'],
  ['bonus', 'Премии'],
  ['deduction', 'Удержания', 'Снижение премии и удержания с основанием'],
  ['total', 'К выплате'],
  ['paid', 'Выплачено'],
  ['left', 'Остаток'],
]

export const sumText = (sum: number) => (sum === 0 ? <Muted>—</Muted> : formatNumber(sum, 2))

/** Ведомость: people by columns of pay. */
export function Sheet({ period, onOpen }: { period: Row<typeof PayrollPeriod>; onOpen: (id: number) => void }) {
  const slips = useList(
    PayrollSlip,
    { filter: { idPeriod: period.id }, expand: ['user'], sort: 'id', limit: MAX_SLIPS },
    { live: ['payroll/adjustments', 'payroll/payouts'] },
  )
  if (slips.isError) return <ErrorState error={slips.error} onRetry={() => void slips.refetch()} />
  if (!slips.data) return <LinesSkeleton lines={10} />
  const rows = slips.data.items.toSorted((a, b) => (a.user?.shortFio ?? '').localeCompare(b.user?.shortFio ?? '', 'ru'))
  const counting = isCounting(period.status)
  if (rows.length === 0)
    return (
      <EmptyState
        title="Ведомость пуста"
        text="Рассчитайте месяц: строки появятся у всех, для кого есть схема оплаты. Премию можно начислить и без схемы."
        action={counting ? <AddPerson idPeriod={period.id} onMade={onOpen} /> : undefined}
      />
    )
  const totalOf = (key: SumKey) => rows.reduce((all, row) => all + Math.round(row[key] * 100), 0) / 100
  const columns: MatrixColumn<Line>[] = [
    {
      key: 'user',
      label: 'Сотрудник',
      cell: ({ user, post }) => (
        <>
          <span className={classes.person}>{user?.shortFio ?? '—'}</span>
          <Fine component="span" display="block">
            {post}
          </Fine>
        </>
      ),
      total: `Итого: ${rows.length}`,
    },
    {
      key: 'hours',
      label: 'Часы / смены',
      cell: ({ hours, shifts }) => (hours ? `${formatNumber(hours)} / ${formatNumber(shifts)}` : <Muted>—</Muted>),
    },
    ...sums.map(
      ([key, label, hint]): MatrixColumn<Line> => ({
        key,
        label,
        hint,
        cell: (row) => (key === 'total' ? <b>{formatNumber(row.total, 2)}</b> : sumText(row[key])),
        total: sumText(totalOf(key)),
      }),
    ),
  ]
  return (
    <VStack gap={8}>
      <Matrix
        label="Ведомость месяца"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        totals
      />
      {period.people > rows.length && (
        <Fine>
          Показаны {formatNumber(rows.length)} из {formatNumber(period.people)}, итоги таблицы — по ним; итоги месяца —
          наверху.
        </Fine>
      )}
      <Fine>{payerIncomeWords[period.payerIncome ?? 'claimed']}.</Fine>
      {counting && <AddPerson idPeriod={period.id} onMade={onOpen} />}
    </VStack>
  )
}

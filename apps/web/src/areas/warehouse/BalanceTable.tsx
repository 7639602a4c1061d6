import type { BalanceRow } from '@ordinator/model/areas/warehouse/calls'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { Muted } from '#kit/Words.tsx'
import { TableScroll } from './TableScroll.tsx'
import classes from './Warehouse.module.css'
import { amount, Expiry } from './words.tsx'

interface Props {
  rows: readonly BalanceRow[]
  /** With turnover of the period, or only the balance. */
  full?: boolean
  chosen?: number | undefined
  onChoose: (idProduct: number) => void
}

/** Products with their balance. */
export function BalanceTable({ rows, full, chosen, onChoose }: Props) {
  return (
    <TableScroll label="Остатки: таблица">
      <table className={classes.table}>
        <thead>
          <tr>
            <th>Товар</th>
            {full && <th data-number>Начало</th>}
            {full && <th data-number>Приход</th>}
            {full && <th data-number>Расход</th>}
            <th data-number>Остаток</th>
            <th data-number>Свободно</th>
            <th data-number>Себестоимость</th>
            <th>Ближайший срок</th>
            <th data-number>Запас, дней</th>
            {full && <th data-number>Оборачиваемость</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const isLow = row.minStock !== null && row.closing < row.minStock
            return (
              <tr key={row.idProduct} className={row.idProduct === chosen ? classes.chosen : undefined}>
                <td className={classes.name}>
                  <button
                    type="button"
                    className={classes.pick}
                    aria-pressed={row.idProduct === chosen}
                    onClick={() => onChoose(row.idProduct)}
                  >
                    {row.name}
                    <br />
                    <Muted>{row.group ?? 'без группы'}</Muted>
                  </button>
                </td>
                {full && <td data-number>{formatNumber(row.opening)}</td>}
                {full && <td data-number>{formatNumber(row.came)}</td>}
                {full && <td data-number>{formatNumber(row.went)}</td>}
                <td data-number style={isLow ? { color: 'var(--mantine-color-error)' } : undefined}>
                  {amount(row.closing, row.unit)}
                  {isLow && (
                    <>
                      <br />
                      минимум {formatNumber(row.minStock)}
                    </>
                  )}
                </td>
                <td data-number>{formatNumber(row.closing - row.reserved)}</td>
                <td data-number>{formatMoney(row.cost)}</td>
                <td>
                  <Expiry day={row.nearestExpiry} />
                </td>
                <td data-number>{row.days === null ? <Muted>—</Muted> : formatNumber(row.days)}</td>
                {full && (
                  <td data-number>{row.turnover === null ? <Muted>—</Muted> : formatNumber(row.turnover, 2)}</td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </TableScroll>
  )
}

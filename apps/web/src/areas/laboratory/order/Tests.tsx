import { itemStatuses } from '@ordinator/model/areas/laboratory/states'
import { valueWords } from '@ordinator/model/areas/laboratory/values'
import { useState } from 'react'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { HistoryDialog } from '../HistoryDialog.tsx'
import classes from '../Laboratory.module.css'
import { type OrderLines, useLines } from '../reads.ts'
import { FlagMark, TableFrame } from '../words.tsx'
import type { OrderRow } from './OrderActions.tsx'

export function Tests({ order }: { order: OrderRow }) {
  const lines = useLines(order.id)
  const [history, setHistory] = useState<number>()
  if (lines.isPending) return <LinesSkeleton lines={6} />
  if (lines.isError) return <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
  const { items, seesValues } = lines.data
  if (items.length === 0)
    return (
      <EmptyState
        title={order.status === 'draft' ? 'Заказ ещё не оформлен' : 'Исследований нет'}
        text={
          order.status === 'draft'
            ? 'Оформите его: исследования станут услугами, рассчитаются пробирки и сроки.'
            : undefined
        }
      />
    )
  return (
    <VStack gap={16}>
      {!seesValues && (
        <Fine>Значения видят врачи, медсёстры, лаборатория и те, кто выдаёт результаты. Здесь — что уже готово.</Fine>
      )}
      {[...Map.groupBy(items, ({ panel }) => panel ?? '')].map(([panel, tests]) => (
        <section key={panel} className={classes.panel}>
          {panel && <h2 className={classes.panelTitle}>{panel}</h2>}
          <TableFrame label={`${panel || 'Исследования'}: таблица`}>
            <table className={classes.table}>
              {seesValues && (
                // The columns of all panels are aligned.
                <colgroup>
                  {WIDTHS.map(([column, width]) => (
                    <col key={column} style={{ width: `${width}%` }} />
                  ))}
                </colgroup>
              )}
              <thead>
                <tr>
                  <th>{seesValues ? 'Показатель' : 'Исследование'}</th>
                  {seesValues && (
                    <>
                      <th className={classes.number}>Значение</th>
                      <th>Отметка</th>
                      <th>Норма</th>
                      <th className={classes.number}>Δ, %</th>
                    </>
                  )}
                  <th>Состояние</th>
                </tr>
              </thead>
              <tbody>
                {tests.map((test) => (
                  <TestRows key={test.id} test={test} span={seesValues ? 5 : 1} onHistory={setHistory} />
                ))}
              </tbody>
            </table>
          </TableFrame>
        </section>
      ))}
      {history !== undefined && (
        <HistoryDialog idCustomer={order.idCustomer} idAnalyte={history} onClose={() => setHistory(undefined)} />
      )}
    </VStack>
  )
}

/** Shares of the columns, in percent. */
const WIDTHS = [
  ['name', 36],
  ['value', 16],
  ['flag', 12],
  ['norm', 15],
  ['change', 7],
  ['state', 14],
] as const

const valueStates = {
  raw: 'получен',
  technical: 'проверен технически',
  medical: 'подтверждён',
  corrected: 'исправлен',
  dropped: 'не принят',
} as const

function TestRows({
  test,
  span,
  onHistory,
}: {
  test: OrderLines['items'][number]
  /** Columns of a heading. */
  span: number
  onHistory: (id: number) => void
}) {
  const { name, laboratory, isPartner, status, values, dueAt } = test
  const single = values.length === 1 && values[0]?.name === name
  return (
    <>
      {!single && (
        <tr>
          <td colSpan={span}>
            <b>{name}</b> {isPartner && <Fine>{laboratory}</Fine>}
          </td>
          <td>
            <Fine>
              {itemStatuses[status]}
              {status !== 'done' && status !== 'cancelled' && dueAt && ` · к ${formatDateTime(dueAt)}`}
            </Fine>
          </td>
        </tr>
      )}
      {values.map((value) => (
        <tr key={value.id}>
          <td style={single ? undefined : { paddingLeft: 20 }}>
            <button type="button" className="link" onClick={() => onHistory(value.idAnalyte)}>
              {value.name}
            </button>
            {value.comment && <Fine component="div">{value.comment}</Fine>}
            {value.former === null && value.reason && <Fine component="div">{value.reason}</Fine>}
            {value.former && (
              <Fine component="div">
                было {valueWords(value.former)}: {value.reason}
              </Fine>
            )}
          </td>
          <td className={classes.number}>
            {value.kind === 'none' ? (
              <span>нет результата: {value.value}</span>
            ) : (
              <>
                <b>{valueWords(value.value)}</b> <Muted>{value.unit}</Muted>
              </>
            )}
          </td>
          <td>
            <FlagMark flag={value.flag} />
          </td>
          <td className="nowrap">{value.normText ?? <Muted>—</Muted>}</td>
          <td className={classes.number}>
            {value.delta === null ? '' : `${value.delta > 0 ? '+' : ''}${value.delta}`}
          </td>
          <td>
            <Fine>
              {value.preliminary ? 'предварительный' : valueStates[value.status]}
              {value.review && ', пересмотреть'}
            </Fine>
          </td>
        </tr>
      ))}
    </>
  )
}

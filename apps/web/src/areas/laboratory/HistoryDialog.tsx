import { valueWords } from '@ordinator/model/areas/laboratory/values'
import '@mantine/charts/styles.layer.css'
import { LineChart } from '@mantine/charts'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { formatDate } from '#kit/clock.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { noTabStops, Picture } from '#kit/Picture.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Muted } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import classes from './Laboratory.module.css'
import { labKey } from './reads.ts'
import { FlagMark, TableFrame } from './words.tsx'

/** History of a patient's value: chart with the norm, and a table. */
export function HistoryDialog({
  idCustomer,
  idAnalyte,
  onClose,
}: {
  idCustomer: number
  idAnalyte: number
  onClose: () => void
}) {
  const answer = useQuery({
    queryKey: [labKey, 'history', idCustomer, idAnalyte],
    queryFn: ({ signal }) => api('GET /laboratory/results/history', { query: { idCustomer, idAnalyte } }, { signal }),
    retry: retries,
  })
  const { data } = answer
  const points = data?.points.filter(({ number }) => number !== null).toReversed() ?? []
  return (
    <Dialog
      title={data ? [data.analyte.name, data.analyte.unit].filter(Boolean).join(', ') : 'История показателя'}
      size="lg"
      onClose={onClose}
    >
      {answer.isPending ? (
        <LinesSkeleton lines={6} />
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : answer.data.points.length === 0 ? (
        <Muted>Подтверждённых значений ещё нет.</Muted>
      ) : (
        <>
          {points.length > 1 && (
            <Picture table="beside">
              <LineChart
                lineChartProps={noTabStops}
                h={220}
                data={points.map((one) => ({ day: formatDate(one.takenAt), Значение: one.number }))}
                dataKey="day"
                series={[{ name: 'Значение', color: 'blue.6' }]}
                curveType="linear"
                yAxisProps={{ domain: ['auto', 'auto'], width: 56 }}
                referenceLines={[
                  ...(answer.data.norm.low === null
                    ? []
                    : [{ y: answer.data.norm.low, label: 'норма', color: 'teal.6' }]),
                  ...(answer.data.norm.high === null
                    ? []
                    : [{ y: answer.data.norm.high, label: 'норма', color: 'teal.6' }]),
                ]}
                lineProps={{ isAnimationActive: false }}
              />
            </Picture>
          )}
          <TableFrame label="История значений: таблица">
            <table className={classes.table}>
              <thead>
                <tr>
                  <th>Взят</th>
                  <th className={classes.number}>Значение</th>
                  <th>Отметка</th>
                  <th>Норма</th>
                  <th>Заказ</th>
                </tr>
              </thead>
              <tbody>
                {answer.data.points.map((one) => (
                  <tr key={one.id}>
                    <td className="tabular">{formatDate(one.takenAt)}</td>
                    <td className={classes.number}>
                      <b>{valueWords(one.value)}</b> {one.unit}
                    </td>
                    <td>
                      <FlagMark flag={one.flag} />
                    </td>
                    <td>{one.normText}</td>
                    <td>
                      <PageLink page="labOrder" params={{ id: one.idOrder }}>
                        {one.order ?? one.idOrder}
                      </PageLink>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        </>
      )}
    </Dialog>
  )
}

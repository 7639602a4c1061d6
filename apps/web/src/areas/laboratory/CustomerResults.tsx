import { valueWords } from '@ordinator/model/areas/laboratory/values'
import { sections } from '@ordinator/model/areas/laboratory/words'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { formatDate } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import { HistoryDialog } from './HistoryDialog.tsx'
import classes from './Laboratory.module.css'
import { NewOrderButton } from './NewOrderButton.tsx'
import { labKey } from './reads.ts'
import { FlagMark, TableFrame } from './words.tsx'

type Value = Answer<'GET /laboratory/customers/:id/results'>['items'][number]

/** Latest published values of a patient with the former ones; a click opens the history. */
export default function CustomerResults({ idCustomer }: { idCustomer: number }) {
  const [history, setHistory] = useState<number>()
  const answer = useQuery({
    queryKey: [labKey, 'customer', idCustomer],
    queryFn: ({ signal }) => api('GET /laboratory/customers/:id/results', { params: { id: idCustomer } }, { signal }),
    retry: retries,
    meta: { live: ['laboratory/orders'] },
  })
  if (answer.isPending) return <LinesSkeleton lines={6} />
  if (answer.isError)
    return <ErrorState title="Анализы не загрузились" error={answer.error} onRetry={() => void answer.refetch()} />
  const make = <NewOrderButton idCustomer={idCustomer} />
  if (answer.data.items.length === 0)
    return (
      <EmptyState
        title="Подтверждённых результатов нет"
        text="Здесь появятся последние значения каждого показателя."
        action={make}
      />
    )
  return (
    <VStack gap={16}>
      <div>{make}</div>
      {[...Map.groupBy(answer.data.items, ({ section }) => section)].map(([section, values]) => (
        <section key={section} className={classes.panel}>
          <h2 className={classes.panelTitle}>{sections[section]}</h2>
          <TableFrame label={`${sections[section]}: таблица`}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th>Показатель</th>
                  <th className={classes.number}>Значение</th>
                  <th>Отметка</th>
                  <th>Норма</th>
                  <th className={classes.number}>Прошлое</th>
                  <th>Взят</th>
                </tr>
              </thead>
              <tbody>
                {values.map((value) => (
                  <ValueRow key={value.id} value={value} onHistory={() => setHistory(value.idAnalyte)} />
                ))}
              </tbody>
            </table>
          </TableFrame>
        </section>
      ))}
      {history !== undefined && (
        <HistoryDialog idCustomer={idCustomer} idAnalyte={history} onClose={() => setHistory(undefined)} />
      )}
    </VStack>
  )
}

const ValueRow = ({ value, onHistory }: { value: Value; onHistory: () => void }) => (
  <tr>
    <td>
      <button type="button" className="link" onClick={onHistory}>
        {value.name}
      </button>
    </td>
    <td className={classes.number}>
      <b>{valueWords(value.value)}</b> <Muted>{value.unit}</Muted>
    </td>
    <td>
      <FlagMark flag={value.flag} />
    </td>
    <td className="nowrap">{value.normText ?? <Muted>—</Muted>}</td>
    <td className={classes.number}>
      {value.former === null ? <Muted>—</Muted> : valueWords(value.former)}
      {value.delta !== null && (
        <Muted>
          {' '}
          ({value.delta > 0 ? '+' : ''}
          {value.delta} %)
        </Muted>
      )}
    </td>
    <td className="tabular nowrap">
      <PageLink page="labOrder" params={{ id: value.idOrder }}>
        {formatDate(value.takenAt)}
      </PageLink>
    </td>
  </tr>
)

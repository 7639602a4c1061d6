import { codeStatuses, MdlpCode } from '@ordinator/model/areas/warehouse/mdlp'
import { api } from '#base/api.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { TableScroll } from '../TableScroll.tsx'
import { useStock } from '../useCall.ts'
import classes from '../Warehouse.module.css'

export function Differences() {
  const found = useStock(['mdlp', 'differences'], (signal) => api('GET /mdlp/differences', {}, { signal }), [
    MdlpCode.path,
  ])
  if (!found.data)
    return found.isError ? (
      <ErrorState title="Расхождения не загрузились" error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <LinesSkeleton lines={4} />
    )
  if (found.data.items.length === 0)
    return <EmptyState title="Расхождений нет" text="Раз в сутки состояния кодов сверяются с МДЛП." />
  return (
    <section className={classes.part}>
      <TableScroll label="Расхождения: таблица">
        <table className={classes.table}>
          <thead>
            <tr>
              <th>SGTIN</th>
              <th>Товар</th>
              <th>У нас</th>
              <th>В МДЛП</th>
              <th>Склад</th>
            </tr>
          </thead>
          <tbody>
            {found.data.items.map((row) => (
              <tr key={row.id}>
                <td>
                  <code>{row.sgtin}</code>
                </td>
                <td className={classes.name}>{row.product ?? '—'}</td>
                <td>{codeStatuses[row.ours]}</td>
                <td>{codeStatuses[row.theirs]}</td>
                <td>{row.warehouse ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  )
}

import type { Entity } from '@ordinator/model/entity'
import { useActor } from '#base/session.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import classes from './RecordFacts.module.css'
import { useRecord } from './reads.ts'
import { CellContent } from './table/CellContent.tsx'
import { columnsOf } from './table/columns.ts'
import { hasValue } from './table/hasValue.ts'

/** A read-only record: all non-empty values its table can show. */
export function RecordFacts({ entity, id }: { entity: Entity; id: number }) {
  const columns = columnsOf(entity, useActor(), undefined).filter(({ key }) => key !== 'id')
  const record = useRecord(entity, id, { expand: columns.flatMap(({ expand }) => expand) })
  if (record.isError) return <ErrorState error={record.error} onRetry={() => void record.refetch()} />
  if (!record.data) return <LinesSkeleton lines={6} />
  const row = record.data
  return (
    <dl className={classes.facts}>
      {columns
        .filter((column) => hasValue(column, row))
        .map((column) => (
          <div key={column.key}>
            <dt>{column.label}</dt>
            <dd className="breaks">
              <CellContent column={column} row={row} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

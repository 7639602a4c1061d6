import type { SampleStatus } from '@ordinator/model/areas/laboratory/states'
import { biomaterials } from '@ordinator/model/areas/laboratory/words'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { api } from '#base/api.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import sharedClasses from '../Laboratory.module.css'
import { labKey, laboratoryLive } from '../reads.ts'
import { TubeCap } from '../words.tsx'
import classes from './samples.module.css'

export const DRAWN = 12

/** Memoized: a hundred lines are not rendered again for each scan result. */
export const WaitingList = memo(function WaitingList({ status, label }: { status: SampleStatus; label: string }) {
  const answer = useQuery({
    queryKey: [labKey, 'waiting', status],
    queryFn: ({ signal }) => api('GET /laboratory/samples/waiting', { query: { status } }, { signal }),
    retry: retries,
    placeholderData: (before) => before,
    meta: { live: laboratoryLive },
  })
  return (
    <section className={sharedClasses.panel} aria-label={label}>
      <h2 className={sharedClasses.panelTitle}>
        {label} {answer.data && <Muted>{answer.data.total}</Muted>}
      </h2>
      {answer.isPending ? (
        <LinesSkeleton lines={6} />
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : answer.data.items.length === 0 ? (
        <Muted>Таких проб нет.</Muted>
      ) : (
        <div className={classes.list}>
          {answer.data.items.map((sample) => (
            <div key={sample.id} className={classes.row}>
              <span>
                <span className={sharedClasses.barcode}>{sample.barcode}</span>{' '}
                {sample.urgency === 'cito' && <b>CITO</b>}
                <Fine component="div">{sample.patient}</Fine>
              </span>
              <TubeCap cap={sample.cap} name={sample.container ?? biomaterials[sample.biomaterial]} />
            </div>
          ))}
        </div>
      )}
    </section>
  )
})

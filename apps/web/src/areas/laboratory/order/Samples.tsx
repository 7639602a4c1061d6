import { rejectReasons, sampleStatuses } from '@ordinator/model/areas/laboratory/states'
import { biomaterials, temperatures } from '@ordinator/model/areas/laboratory/words'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import classes from '../Laboratory.module.css'
import { useLines } from '../reads.ts'
import { SampleBadge, TubeCap } from '../words.tsx'
import type { OrderRow } from './OrderActions.tsx'

export function Samples({ order }: { order: OrderRow }) {
  const lines = useLines(order.id)
  if (lines.isPending) return <LinesSkeleton lines={4} />
  if (lines.isError) return <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
  if (lines.data.samples.length === 0)
    return <EmptyState title="Проб нет" text="Они рассчитываются, когда заказ оформлен." />
  return (
    <VStack gap={12}>
      {lines.data.samples.map((sample) => (
        <section key={sample.id} className={classes.panel}>
          <HStack wrap gap="4px 14px" mb={6}>
            <b className={classes.barcode}>{sample.barcode}</b>
            <SampleBadge status={sample.status} />
            <TubeCap cap={sample.cap} name={sample.container ?? biomaterials[sample.biomaterial]} />
            <Fine>{temperatures[sample.tempMode]}</Fine>
            {sample.rejectReason && <Fine>{rejectReasons[sample.rejectReason]}</Fine>}
          </HStack>
          {sample.steps.length ? (
            <ol style={{ margin: 0, paddingLeft: 18 }}>
              {sample.steps.map((step) => (
                <li key={`${step.status}${step.at}`}>
                  <span className="tabular">{formatDateTime(step.at)}</span> —{' '}
                  {sampleStatuses[step.status].toLowerCase()}
                  <Fine>{[step.author, step.note].filter(Boolean).map((one) => ` · ${one}`)}</Fine>
                </li>
              ))}
            </ol>
          ) : (
            <Muted>Ещё не взята.</Muted>
          )}
        </section>
      ))}
    </VStack>
  )
}
